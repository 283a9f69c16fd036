package excite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ident/internal/spatial"
	"ident/mechanics/kinematics"
	"ident/robot"
)

// KeepOut is a region that the robot must not enter: a box or a half-space.
type KeepOut struct {
	Name string
	// Box: Min and Max are opposite corners (m) in the frame that Place places on the base frame, or in the base frame
	// if Place is nil; zero for a half-space.
	Min, Max [3]float64
	Place    *robot.Transform
	// Half-space: points x with Normal·x < Offset are forbidden.
	Normal [3]float64
	Offset float64
	own    bool // from the robot file
}

// plane reports whether the keep-out is a half-space, not a box.
func (k *KeepOut) plane() bool { return k.Normal != [3]float64{} }

// check returns an error for numbers that are not finite and for an empty box.
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

// bodies are capsules at one pose.
type bodies struct {
	of     []Capsule
	sphere []float64     // radius of the sphere around a capsule
	middle []spatial.Vec // of the capsules' axes, in the base frame
	ends   [][2]spatial.Vec
	placed []bool // ends are those of the pose
	at     *kinematics.SamplePose
}

func newBodies(of []Capsule) *bodies {
	n := len(of)
	b := &bodies{of: of, sphere: make([]float64, n), middle: make([]spatial.Vec, n), ends: make([][2]spatial.Vec, n), placed: make([]bool, n)}
	for i := range of {
		b.sphere[i] = of[i].Radius + spatial.Norm(spatial.Sub(of[i].B, of[i].A))/2
	}
	return b
}

// set computes the midpoints of the axes at a pose, which must stay unchanged until the next call.
func (b *bodies) set(p *kinematics.SamplePose) {
	b.at = p
	clear(b.placed)
	for i := range b.of {
		c := &b.of[i]
		m := &b.middle[i]
		for k := range m {
			m[k] = (c.A[k] + c.B[k]) / 2
		}
		p.Carry(m, c.Link)
	}
}

// axis returns the ends of a capsule's axis at the pose.
func (b *bodies) axis(i int) *[2]spatial.Vec {
	if !b.placed[i] {
		b.placed[i] = true
		c := &b.of[i]
		b.ends[i] = [2]spatial.Vec{c.A, c.B}
		b.at.Carry(&b.ends[i][0], c.Link)
		b.at.Carry(&b.ends[i][1], c.Link)
	}
	return &b.ends[i]
}

// bodyPair is two capsules, or a capsule and a keep-out, to be kept apart.
type bodyPair struct {
	a, b int // indices of the capsules; b is -1 for a keep-out
	out  *KeepOut
	name string
}

// beyond reports, by a cheap test with spheres around the capsules, that the distance exceeds d; false means undecided.
func (x *bodyPair) beyond(in *bodies, d float64) bool {
	a := &in.middle[x.a]
	switch {
	case x.b >= 0:
		b, need := &in.middle[x.b], d+in.sphere[x.a]+in.sphere[x.b]
		u, v, w := a[0]-b[0], a[1]-b[1], a[2]-b[2]
		return need < 0 || u*u+v*v+w*w > need*need
	case x.out.plane():
		return false // no bound is cheaper than the distance
	}
	return x.out.beyond(*a, d+in.sphere[x.a])
}

// beyond reports whether a point is farther than d from the box.
func (k *KeepOut) beyond(at spatial.Vec, d float64) bool {
	from, _ := nearestInBox(k.local(at), k.half())
	return from > d
}

// half returns half the edges of the box.
func (k *KeepOut) half() spatial.Vec { return spatial.Scale(0.5, spatial.Sub(k.Max, k.Min)) }

// local returns a point in the frame at the box's centre, along its edges.
func (k *KeepOut) local(x spatial.Vec) spatial.Vec {
	if k.Place != nil {
		x = spatial.MulTVec(k.Place.R, spatial.Sub(x, k.Place.P))
	}
	return spatial.Sub(x, spatial.Scale(0.5, spatial.Add(k.Max, k.Min)))
}

// distance returns the distance d between the surfaces, negative where they overlap,
// the nearest points pa and pb of the two axes, and the unit vector n, the gradient
// of d by pa.
func (x *bodyPair) distance(in *bodies) (d float64, pa, pb, n spatial.Vec) {
	if x.b < 0 {
		return x.between(in.of, in.axis(x.a), nil)
	}
	return x.between(in.of, in.axis(x.a), in.axis(x.b))
}

// between is distance for capsules whose axes have the given ends; b is nil for a keep-out.
func (x *bodyPair) between(of []Capsule, a, b *[2]spatial.Vec) (d float64, pa, pb, n spatial.Vec) {
	a0, a1 := a[0], a[1]
	radius := of[x.a].Radius
	switch {
	case x.b >= 0:
		b0, b1 := b[0], b[1]
		s, t := nearestOfSegments(a0, a1, b0, b1)
		pa, pb = spatial.AddScaled(a0, s, spatial.Sub(a1, a0)), spatial.AddScaled(b0, t, spatial.Sub(b1, b0))
		apart := spatial.Sub(pa, pb)
		gap := spatial.Norm(apart)
		if gap > 0 {
			n = spatial.Scale(1/gap, apart)
		}
		return gap - radius - of[x.b].Radius, pa, pb, n
	case x.out.plane():
		long := spatial.Norm(x.out.Normal)
		n = spatial.Scale(1/long, x.out.Normal)
		pa = a0
		if spatial.Dot(n, a1) < spatial.Dot(n, a0) {
			pa = a1
		}
		return spatial.Dot(n, pa) - x.out.Offset/long - radius, pa, pb, n
	}
	s, d, n := nearestOfSegmentAndBox(x.out.local(a0), x.out.local(a1), x.out.half())
	if t := x.out.Place; t != nil {
		n = spatial.MulVec(t.R, n)
	}
	return d - radius, spatial.AddScaled(a0, s, spatial.Sub(a1, a0)), pb, n
}

// bodyPairs returns the pairs to keep apart. Bodies of one link or of neighbouring links may touch. Pairs that touch at
// each of 200 random poses are skipped, with a note: the base stands on the floor, and capsules are larger than their
// bodies. If every moving link touches one of the caller's keep-outs at every pose, it is an error.
func bodyPairs(p *Problem, f *kinematics.Tree, axes []axis) (out []bodyPair, notes []string, err error) {
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
	at, in := f.NewSamplePose(), newBodies(p.Capsules)
	q := grid(f.DOF(), 1)
	for range poses {
		for i := range axes {
			q[i][0] = axes[i].centre + axes[i].half*(2*rng.Float64()-1)
		}
		at.Place(q, nil, 0)
		in.set(at)
		for i := range all {
			if d, _, _, _ := all[i].distance(in); d < p.Clearance {
				touches[i]++
			}
		}
	}
	for k := range p.KeepOuts {
		if p.KeepOuts[k].own {
			continue
		}
		moving, free := 0, 0
		for i := range all {
			if link := p.Capsules[all[i].a].Link; all[i].out == &p.KeepOuts[k] && link >= 0 && len(f.Moving(link)) > 0 {
				moving++
				if touches[i] < poses {
					free++
				}
			}
		}
		if moving > 0 && free == 0 {
			return nil, nil, &KeepOutError{Name: p.KeepOuts[k].Name, Poses: poses}
		}
	}
	// A base box that touches a link beyond the first joint at every pose contains the robot: the file has one of them
	// misplaced.
	inside := map[*KeepOut]bool{}
	for i := range all {
		if x := &all[i]; touches[i] == poses && x.out != nil && x.out.own && !inside[x.out] {
			if link := p.Capsules[x.a].Link; link >= 0 && len(f.Moving(link)) > 1 {
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
	return out, notes, nil
}

// KeepOutError names a keep-out that no moving link can leave.
type KeepOutError struct {
	Name  string
	Poses int // number of poses tried within the position limits
}

func (e *KeepOutError) Error() string {
	return fmt.Sprintf("excite: keep-out %s: every moving link touches it at each of %d poses within the position limits; move it, or make it smaller", e.Name, e.Poses)
}

// neighbours reports whether one link is the antecedent of the other, skipping fixed links between them.
func neighbours(f *kinematics.Tree, a, b int) bool {
	links := f.Links()
	above := func(j int) int {
		if j < 0 {
			return -2
		}
		for j = links[j].Antecedent; j >= 0 && links[j].Coord < 0; j = links[j].Antecedent {
		}
		return j
	}
	return above(a) == b || above(b) == a
}
