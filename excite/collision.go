package excite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ident/internal/spatial"
	"ident/robot"
)

// KeepOut is a part of space that the robot must not enter: a box or a half
// space.
type KeepOut struct {
	Name string
	// Box: Min and Max are opposite corners, in the frame that Place puts on the
	// base frame, the base frame itself where it is nil; all zero for a half-space.
	Min, Max [3]float64
	Place    *robot.Transform
	// Half-space: points x with Normal·x < Offset are forbidden.
	Normal [3]float64
	Offset float64
	own    bool // of the robot's own file
}

// plane tells whether the keep-out is a half-space.
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

// bodies are capsules and where their ends are at one pose.
type bodies struct {
	of   []Capsule
	ends [][2]spatial.Vec
}

func newBodies(of []Capsule) *bodies { return &bodies{of, make([][2]spatial.Vec, len(of))} }

// set moves the ends.
func (b *bodies) set(p *pose) {
	for i := range b.of {
		c := &b.of[i]
		b.ends[i] = [2]spatial.Vec{p.point(c.Link, c.A), p.point(c.Link, c.B)}
	}
}

// bodyPair is something that must stay apart: a capsule from a keep-out, or
// two capsules from each other.
type bodyPair struct {
	a, b int // bodies; b is -1 for a keep-out
	out  *KeepOut
	name string
}

// least is a lower bound of the distance that costs little: that of the spheres
// around capsules.
func (x *bodyPair) lowerBound(in *bodies) float64 {
	ea := &in.ends[x.a]
	centre := spatial.Scale(0.5, spatial.Add(ea[0], ea[1]))
	switch {
	case x.b >= 0:
		eb := &in.ends[x.b]
		return spatial.Norm(spatial.Sub(centre, spatial.Scale(0.5, spatial.Add(eb[0], eb[1])))) - in.of[x.a].size() - in.of[x.b].size()
	case x.out.plane():
		return math.Inf(-1) // the distance itself costs no more
	}
	d, _ := boxDistance(x.out.local(centre), x.out.half())
	return d - in.of[x.a].size()
}

// half are half the edges of the box.
func (k *KeepOut) half() spatial.Vec { return spatial.Scale(0.5, spatial.Sub(k.Max, k.Min)) }

// local are the coordinates of a point about the box's centre, along its edges.
func (k *KeepOut) local(x spatial.Vec) spatial.Vec {
	if k.Place != nil {
		x = spatial.MulTVec(k.Place.R, spatial.Sub(x, k.Place.P))
	}
	return spatial.Sub(x, spatial.Scale(0.5, spatial.Add(k.Max, k.Min)))
}

// size is the radius of the sphere around a capsule.
func (c *Capsule) size() float64 { return c.Radius + spatial.Norm(spatial.Sub(c.B, c.A))/2 }

// distance returns the distance between the surfaces, negative where they
// overlap, the points nearest to each other on the two axes, and the unit
// direction in which the first moves away from the second.
func (x *bodyPair) distance(in *bodies) (d float64, pa, pb, n spatial.Vec) {
	a0, a1 := in.ends[x.a][0], in.ends[x.a][1]
	radius := in.of[x.a].Radius
	switch {
	case x.b >= 0:
		b0, b1 := in.ends[x.b][0], in.ends[x.b][1]
		s, t := nearest(a0, a1, b0, b1)
		pa, pb = spatial.AddScaled(a0, s, spatial.Sub(a1, a0)), spatial.AddScaled(b0, t, spatial.Sub(b1, b0))
		apart := spatial.Sub(pa, pb)
		gap := spatial.Norm(apart)
		if gap > 0 {
			n = spatial.Scale(1/gap, apart)
		}
		return gap - radius - in.of[x.b].Radius, pa, pb, n
	case x.out.plane():
		long := spatial.Norm(x.out.Normal)
		n = spatial.Scale(1/long, x.out.Normal)
		pa = a0
		if spatial.Dot(n, a1) < spatial.Dot(n, a0) {
			pa = a1
		}
		return spatial.Dot(n, pa) - x.out.Offset/long - radius, pa, pb, n
	}
	s, d, n := segmentBox(x.out.local(a0), x.out.local(a1), x.out.half())
	if t := x.out.Place; t != nil {
		n = spatial.MulVec(t.R, n)
	}
	return d - radius, spatial.AddScaled(a0, s, spatial.Sub(a1, a0)), pb, n
}

// bodyPairs lists what must stay apart. Bodies of one link or of neighbours
// may touch. What touches at every one of a number of random poses is left out
// and said: the base stands on the floor, and capsules are larger than bodies.
func bodyPairs(p *Problem, f *kinematicTree, axes []axis) (out []bodyPair, notes []string) {
	var all []bodyPair
	for i := range p.Capsules {
		c := p.Capsules[i]
		for k := range p.KeepOuts {
			all = append(all, bodyPair{a: i, b: -1, out: &p.KeepOuts[k], name: fmt.Sprintf("%s and keep-out %s", c.Name, p.KeepOuts[k].Name)})
		}
		if !p.SelfCollision {
			continue
		}
		for k := range i {
			b := &p.Capsules[k]
			if c.Link == b.Link || neighbours(f, c.Link, b.Link) {
				continue
			}
			all = append(all, bodyPair{a: i, b: k, name: fmt.Sprintf("%s and %s", b.Name, c.Name)})
		}
	}
	const poses = 200
	rng := rand.New(rand.NewPCG(p.Seed, 1<<62))
	touches := make([]int, len(all))
	at, in := f.newPose(), newBodies(p.Capsules)
	q := grid(f.dof, 1)
	for range poses {
		for i := range axes {
			q[i][0] = axes[i].centre + axes[i].half*(2*rng.Float64()-1)
		}
		at.set(q, nil, 0)
		in.set(at)
		for i := range all {
			if d, _, _, _ := all[i].distance(in); d < p.Clearance {
				touches[i]++
			}
		}
	}
	// A box of the base that reaches beyond the first joint at every pose has the
	// robot inside: the file places one of them wrongly.
	inside := map[*KeepOut]bool{}
	for i := range all {
		if x := &all[i]; touches[i] == poses && x.out != nil && x.out.own && !inside[x.out] {
			if link := p.Capsules[x.a].Link; link >= 0 && len(f.links[link].path) > 1 {
				inside[x.out] = true
				notes = append(notes, fmt.Sprintf("%s of the robot file is left out: it contains %s at every pose", x.out.Name, p.Capsules[x.a].Name))
			}
		}
	}
	for i := range all {
		if inside[all[i].out] {
			continue
		}
		if touches[i] == poses {
			note := fmt.Sprintf("%s: not kept apart where they touch at every pose", all[i].name)
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
			continue
		}
		out = append(out, all[i])
	}
	return out, notes
}

// neighbours tells whether one link hangs on the other, joints between them or
// not counting fixed links.
func neighbours(f *kinematicTree, a, b int) bool {
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
