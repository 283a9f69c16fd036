package excite

import (
	"math"

	"ident/mechanics/kinematics"
)

// Space is the set of positions that a problem's limits, bodies and keep-outs permit. Use it to check motions that
// Design did not make. It is not safe for concurrent use.
type Space struct {
	d     *design
	pairs []bodyPair
	in    *bodies
	at    *kinematics.SamplePose
	q     [][]float64
}

// Reach is a joint's position range, rad or m, minus the margin.
type Reach struct {
	Joint           string
	Lower, Upper    float64 // range of positions; both are equal if the joint is held
	Velocity        float64
	Accel           float64
	Jerk            float64 // 0 for none
	Prismatic, Held bool
}

// NewSpace resolves the limits of a problem. Only its fields for limits, bodies, keep-outs, values and margin count.
// Errors are those of Design.
func NewSpace(p Problem) (*Space, error) {
	_, err := p.fill()
	if err != nil {
		return nil, err
	}
	axes, assumed, err := resolve(p.Limits, p.Margin)
	if err != nil {
		return nil, err
	}
	constraints, keepOuts, notes, err := constraintsOf(&p, axes)
	if err != nil {
		return nil, err
	}
	s := &Space{d: &design{p: &p, s: &searchSpace{axes: axes}, coupled: constraints, keepOuts: keepOuts, defaults: append(assumed, notes...)}, q: grid(len(axes), 1)}
	for _, c := range constraints {
		if apart, ok := c.(*separation); ok {
			s.pairs, s.in, s.at = apart.pairs, apart.in, apart.p
		}
	}
	return s, nil
}

// Joints returns the position ranges of the joints.
func (s *Space) Joints() []Reach {
	var out []Reach
	for i := range s.d.s.axes {
		a := &s.d.s.axes[i]
		out = append(out, Reach{a.name, a.centre - a.half, a.centre + a.half, a.vel, a.acc, a.jerk, a.prismatic, a.held})
	}
	return out
}

// Clear reports whether the bodies keep the clearance at a pose, one position a joint.
func (s *Space) Clear(q []float64) bool { return s.Apart(q) >= s.d.p.Clearance }

// Apart returns the least distance, in m, between bodies at a pose; +Inf if none must be kept apart.
func (s *Space) Apart(q []float64) float64 {
	least := math.Inf(1)
	if s.in == nil {
		return least
	}
	for i, x := range q {
		s.q[i][0] = x
	}
	s.at.Place(s.q, nil, 0)
	s.in.set(s.at)
	for i := range s.pairs {
		if x := &s.pairs[i]; !x.beyond(s.in, min(least, 1)) {
			d, _, _, _ := x.distance(s.in)
			least = min(least, d)
		}
	}
	return least
}

// Check makes Design's final check of any motion, with proven bounds between samples at 10 kHz: margins, distances, and
// the number of violated limits. It computes no information figures.
func (s *Space) Check(m Motion) *Result {
	v := s.d.verify(m)
	r := &Result{Trajectory: m, Margins: v.margins, Violations: v.violations, KeepOuts: s.d.keepOuts, Defaults: s.d.defaults}
	for i := range s.d.s.axes {
		r.Limits = append(r.Limits, s.d.s.axes[i].full)
	}
	for i, c := range s.d.coupled {
		if _, torque := c.(*torqueLimits); torque {
			continue
		}
		for _, x := range worstOf(v.excesses[i]) {
			if !math.IsInf(x.Relative, -1) {
				r.Distances = append(r.Distances, x)
			}
		}
	}
	return r
}
