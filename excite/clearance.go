package excite

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ident/internal/spatial"
)

// KeepOut is a part of space that the robot must not enter: a box with edges
// along the base frame's axes, or a half space.
type KeepOut struct {
	Name string
	// Box: Min and Max are opposite corners; all zero for a half space.
	Min, Max [3]float64
	// Half space: points x with Normal·x < Offset are forbidden.
	Normal [3]float64
	Offset float64
}

// plane tells whether the keep-out is a half space.
func (k *KeepOut) plane() bool { return k.Normal != [3]float64{} }

// check returns what is wrong with a keep-out.
func (k *KeepOut) check() error {
	for _, x := range append(append(k.Min[:], k.Max[:]...), append(k.Normal[:], k.Offset)...) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("excite: keep-out %q has a number that is not finite", k.Name)
		}
	}
	if k.plane() {
		return nil
	}
	for i := range 3 {
		if !(k.Max[i] > k.Min[i]) {
			return fmt.Errorf("excite: keep-out %q is no box: its corners %v and %v enclose nothing", k.Name, k.Min, k.Max)
		}
	}
	return nil
}

// proximity is something that must stay apart: a capsule from a keep-out, or
// two capsules from each other.
type proximity struct {
	a     Capsule
	b     *Capsule // nil for a keep-out
	out   *KeepOut
	name  string
	reach float64 // how fast the distance can change, m/s; set for the final check
}

// distance returns the distance between the surfaces, negative where they
// overlap, the points nearest to each other on the two axes, and the unit
// direction in which the first moves away from the second.
func (x *proximity) distance(p *pose) (d float64, pa, pb, n spatial.Vec) {
	a0, a1 := p.point(x.a.Link, x.a.A), p.point(x.a.Link, x.a.B)
	switch {
	case x.b != nil:
		b0, b1 := p.point(x.b.Link, x.b.A), p.point(x.b.Link, x.b.B)
		s, t := nearest(a0, a1, b0, b1)
		pa, pb = spatial.AddScaled(a0, s, spatial.Sub(a1, a0)), spatial.AddScaled(b0, t, spatial.Sub(b1, b0))
		apart := spatial.Sub(pa, pb)
		gap := spatial.Norm(apart)
		if gap > 0 {
			n = spatial.Scale(1/gap, apart)
		}
		return gap - x.a.Radius - x.b.Radius, pa, pb, n
	case x.out.plane():
		long := spatial.Norm(x.out.Normal)
		n = spatial.Scale(1/long, x.out.Normal)
		pa = a0
		if spatial.Dot(n, a1) < spatial.Dot(n, a0) {
			pa = a1
		}
		return spatial.Dot(n, pa) - x.out.Offset/long - x.a.Radius, pa, pb, n
	}
	half := spatial.Scale(0.5, spatial.Sub(x.out.Max, x.out.Min))
	centre := spatial.Scale(0.5, spatial.Add(x.out.Max, x.out.Min))
	s, d, n := segmentBox(spatial.Sub(a0, centre), spatial.Sub(a1, centre), half)
	return d - x.a.Radius, spatial.AddScaled(a0, s, spatial.Sub(a1, a0)), pb, n
}

// proximities lists what must stay apart. Bodies of one link or of neighbours
// may touch. What touches at every one of a number of random poses is left out
// and said: the base stands on the floor, and capsules are larger than bodies.
func proximities(p *Problem, f *figure, axes []axis) (out []proximity, notes []string) {
	var all []proximity
	for i := range p.Capsules {
		c := p.Capsules[i]
		for k := range p.KeepOuts {
			all = append(all, proximity{a: c, out: &p.KeepOuts[k], name: fmt.Sprintf("%s and keep-out %s", c.Name, p.KeepOuts[k].Name)})
		}
		if !p.SelfCollision {
			continue
		}
		for k := range i {
			b := &p.Capsules[k]
			if c.Link == b.Link || neighbours(f, c.Link, b.Link) {
				continue
			}
			all = append(all, proximity{a: c, b: b, name: fmt.Sprintf("%s and %s", b.Name, c.Name)})
		}
	}
	const poses = 200
	rng := rand.New(rand.NewPCG(p.Seed, 1<<62))
	touches := make([]int, len(all))
	at := f.newPose()
	q := grid(f.dof, 1)
	for range poses {
		for i := range axes {
			q[i][0] = axes[i].centre + axes[i].half*(2*rng.Float64()-1)
		}
		at.set(q, nil, 0)
		for i := range all {
			if d, _, _, _ := all[i].distance(at); d < p.Clearance {
				touches[i]++
			}
		}
	}
	for i := range all {
		if touches[i] == poses {
			notes = append(notes, fmt.Sprintf("%s: not kept apart, as they touch at every pose", all[i].name))
			continue
		}
		out = append(out, all[i])
	}
	return out, notes
}

// neighbours tells whether one link hangs on the other, joints between them or
// not counting fixed links.
func neighbours(f *figure, a, b int) bool {
	above := func(j int) int {
		if j < 0 {
			return -2
		}
		for j = f.links[j].antecedent; j >= 0 && f.links[j].coord < 0; j = f.links[j].antecedent {
		}
		return j
	}
	return above(a) == b || above(b) == a
}
