package tasks

import (
	"ident/internal/spatial"
	"ident/mechanics/kinematics"
)

// stretch is the demands of a path from rest to rest, as functions of the part s of it: a position of the tip, an
// orientation or a direction, positions of joints.
type stretch struct {
	path       curve
	components [3]bool  // of the position that are asked
	attitude   attitude // nil where no orientation is asked
	pointing   bool     // only the direction of axis is prescribed
	axis       spatial.Vec
	held       []heldJoint
}

// heldJoint is a joint that the task moves in proportion to the path.
type heldJoint struct {
	joint    int
	from, to float64 // rad or m
}

// rows returns the number of equations.
func (s *stretch) rows() (n int) {
	for _, on := range s.components {
		if on {
			n++
		}
	}
	switch {
	case s.attitude != nil && s.pointing:
		n += 2
	case s.attitude != nil:
		n += 3
	}
	return n + len(s.held)
}

// demand is a stretch at one place, with derivatives by s.
type demand struct {
	p, p1, p2 spatial.Vec
	r         spatial.Mat
	w, a      spatial.Vec // angular rate by s and its derivative
	s         float64
}

func (s *stretch) at(part float64) demand {
	far := s.path.length()
	d := demand{s: part}
	d.p, d.p1, d.p2 = s.path.at(part * far)
	d.p1, d.p2 = spatial.Scale(far, d.p1), spatial.Scale(far*far, d.p2)
	if s.attitude != nil {
		d.r, d.w, d.a = s.attitude.at(part)
	}
	return d
}

// solver finds the joints of a stretch: position, and derivatives by the part of the path, from
//
//	J·q' = x',   J·q″ = x″ − J'·q'
//
// (Vukobratović and Potkonjak 1985, 3.1.5 and 3.1.6) with the position solved for at every place, where the source
// integrates q″ and drifts. A direction h of the body adds two rows, those across h of
//
//	ω = h×h',   ε = h×h″ − (ω·h)·h×ω
//
// their (3.4.32), and a joint that is prescribed one. Lengths are in units of the reach. One goroutine uses a solver at a time.
type solver struct {
	pose       *pose
	on         *stretch
	reach      float64
	jacobian   kinematics.Jacobian
	equations  *equations
	right      []float64
	step       []float64
	across     [2]spatial.Vec // axis of the body whose direction is prescribed, if any
	h          spatial.Vec
	q, d1, d2  []float64
	deviation  float64 // largest miss of a demand
	unbounded  bool    // the equations have no solution here
	iterations int
}

func newSolver(p *pose, on *stretch) *solver {
	n, rows := p.arm.dof(), on.rows()
	return &solver{pose: p, on: on, reach: p.arm.tree.Reach(), jacobian: make(kinematics.Jacobian, n), equations: newEquations(rows, n),
		right: make([]float64, rows), step: make([]float64, n), q: make([]float64, n), d1: make([]float64, n), d2: make([]float64, n)}
}

// off stores in s.right by how much each demand is missed at the joint positions s.q, and returns the largest absolute value.
func (s *solver) off(d *demand) (worst float64, err error) {
	if err := s.pose.place(s.q); err != nil {
		return 0, err
	}
	tip, n := s.pose.tip(), 0
	put := func(x float64) {
		s.right[n] = x
		worst, n = max(worst, x, -x), n+1
	}
	for i, on := range s.on.components {
		if on {
			put((d.p[i] - tip.P[i]) / s.reach)
		}
	}
	switch {
	case s.on.attitude == nil:
	case s.on.pointing:
		s.h = spatial.MulVec(tip.R, s.on.axis)
		s.across[0], s.across[1] = beside(s.h)
		axis, angle := arcBetween(s.h, spatial.MulVec(d.r, s.on.axis))
		for _, b := range s.across {
			put(angle * spatial.Dot(b, axis))
		}
	default:
		for _, x := range spatial.RotationVector(spatial.Mul(d.r, spatial.Transpose(tip.R))) {
			put(x)
		}
	}
	for _, h := range s.on.held {
		put(h.from + d.s*(h.to-h.from) - s.q[h.joint])
	}
	return worst, nil
}

// linearise factors the derivative of the demands by the joints, at the place of the last off.
func (s *solver) linearise() bool {
	s.matrix(s.equations.a)
	return s.equations.factor()
}

func (s *solver) matrix(a []float64) {
	s.pose.jacobian(s.jacobian)
	clear(a)
	cols := len(s.jacobian)
	for k, c := range s.jacobian {
		n := 0
		put := func(x float64) {
			a[n*cols+k] = x
			n++
		}
		for i, on := range s.on.components {
			if on {
				put(c.Linear[i] / s.reach)
			}
		}
		switch {
		case s.on.attitude == nil:
		case s.on.pointing:
			for _, b := range s.across {
				put(spatial.Dot(b, c.Angular))
			}
		default:
			for _, x := range c.Angular {
				put(x)
			}
		}
		for _, h := range s.on.held {
			if h.joint == k {
				put(1)
			} else {
				n++
			}
		}
	}
}

// met: a solution may miss its demands by at most this, in units of the reach and in rad, as in package kinematics.
const met = 1e-11

// solve finds the joints at a part of the path from those in q, and their derivatives. It reports whether the demands are met.
func (s *solver) solve(part float64) (bool, error) {
	d := s.on.at(part)
	before := 0.0
	for i := range 12 {
		off, err := s.off(&d)
		if err != nil {
			return false, err
		}
		s.deviation = off
		s.iterations++
		// Newton's method squares the error: from below 1e-9 one more step reaches rounding.
		if i > 0 && before < 1e-9 || off == 0 {
			break
		}
		if i > 2 && off > before || off > 1e3 {
			return false, nil
		}
		before = off
		if !s.linearise() {
			s.unbounded = true
			return false, nil
		}
		s.equations.solve(s.step, s.right)
		for k, x := range s.step {
			s.q[k] += x
		}
	}
	if !(s.deviation <= met) {
		return false, nil
	}
	return s.derive(&d), nil
}

// derive computes the derivatives at the place where off was called last.
func (s *solver) derive(d *demand) bool {
	if !s.linearise() {
		s.unbounded = true
		return false
	}
	goal := spatial.MulVec(d.r, s.on.axis)
	rate := spatial.Cross(d.w, goal)
	s.demandRates(d.p1, d.w, spatial.Cross(goal, rate), true)
	s.equations.solve(s.d1, s.right)
	v, drift := s.pose.steady(s.d1)
	bend := spatial.Add(spatial.Cross(d.a, goal), spatial.Cross(d.w, rate))
	turn := spatial.AddScaled(spatial.Cross(s.h, bend), -spatial.Dot(v.Angular, s.h), spatial.Cross(s.h, v.Angular))
	s.demandRates(spatial.Sub(d.p2, drift.Linear), spatial.Sub(d.a, drift.Angular), spatial.Sub(turn, drift.Angular), false)
	s.equations.solve(s.d2, s.right)
	return true
}

// demandRates stores the right-hand side of linear and angular rates, of the angular rate across a direction, and of the held joints.
func (s *solver) demandRates(linear, angular, across spatial.Vec, held bool) {
	n := 0
	put := func(x float64) {
		s.right[n] = x
		n++
	}
	for i, on := range s.on.components {
		if on {
			put(linear[i] / s.reach)
		}
	}
	switch {
	case s.on.attitude == nil:
	case s.on.pointing:
		for _, b := range s.across {
			put(spatial.Dot(b, across))
		}
	default:
		for _, x := range angular {
			put(x)
		}
	}
	for _, h := range s.on.held {
		if held {
			put(h.to - h.from)
		} else {
			put(0)
		}
	}
}
