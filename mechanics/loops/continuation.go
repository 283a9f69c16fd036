package loops

import (
	"fmt"
	"math"
)

const (
	// The farthest that driven joints go from one sample to the next, rad or
	// units of length, for the formulas to follow without Newton's steps.
	formulaStep = pathStep / 2
	// How far an angle may be from where G takes it from the sample before. The
	// other assembly is at least twice the least angle of a triangle off; the
	// second derivative adds a tenth of that in steps that short.
	formulaDeviation = minTriangleSine / 2
	// The formulas and Newton's method are at the same assembly if they agree to
	// this, far above rounding and far below the distance of assemblies.
	sameAssembly = 1e-6
)

// Continuation follows a motion of the driven joints from sample to sample: it
// stays on the assembly of its tracker, and gives positions, rates and
// accelerations of all coordinates of the tree and the Jacobian G of the
// dependent ones by the driven ones.
//
// It solves the equations of Closure.Close and Closure.Motion, but by Newton's
// method from the sample before, on the loops' own chains, with an elimination by
// rows of largest pivot, so that over-constrained loops need no care, or by
// formulas. It allocates nothing per sample and is not safe for concurrent use.
type Continuation struct {
	tracker *Tracker
	newton  newton
	formula formulaRun
	begun   bool
	// The formulas hold at the last state, on its assembly.
	explicit bool
	to       []float64
}

// Continue returns a continuation that has not begun.
func (t *Tracker) Continue() *Continuation {
	return &Continuation{tracker: t, newton: newNewton(t), to: make([]float64, len(t.driven))}
}

// Track closes the loops at n samples of a motion from sample first on, and
// returns at how many it could, with a *TrackError if not at all. A restart sets
// out from the state of Tracker.States whose driven joints are nearest, so that
// the path does not depend on motions before; else it goes on from where the last
// call ended, or on error from the last sample that closed. Far samples are
// reached on a straight path of small steps.
//
// Loops that have formulas, see Tracker.Explicit, are closed by these wherever
// they hold and the path is sure, and by Newton's method elsewhere; accelerations
// and rates of the Jacobian in one path by Newton's method alone.
func (k *Continuation) Track(p *Path, m Drive, first, n int, restart bool) (int, error) {
	t, w, x := k.tracker, &k.newton, &k.formula
	if len(m.Q) != len(t.driven) || len(m.DQ) != len(t.driven) || m.DDQ != nil && len(m.DDQ) != len(t.driven) {
		panic(fmt.Sprintf("loops: positions of %d, rates of %d and accelerations of %d joints for %d driven ones", len(m.Q), len(m.DQ), len(m.DDQ), len(t.driven)))
	}
	e := t.formulas
	if m.DDQ != nil && p.JacobianRate != nil {
		e = nil
	}
	if e != nil {
		e.run(x, p, &m, first, n)
	}
	for l := range n {
		for i := range k.to {
			k.to[i] = m.Q[i][first+l]
		}
		anew := !k.begun || restart && l == 0
		if e != nil && !anew && k.explicit && k.byFormula(p, l) {
			w.stale = true
		} else {
			if err := k.byNewton(p, &m, first, l, anew); err != nil {
				return l, err
			}
			k.explicit = e != nil && k.agree(l)
		}
		k.begun = true
		for c := range p.Q {
			p.Q[c][l] = w.q[c]
		}
		for i, c := range t.driven {
			p.DQ[c][l] = m.DQ[i][first+l]
			if m.DDQ != nil {
				p.DDQ[c][l] = m.DDQ[i][first+l]
			}
		}
		if p.States != nil {
			t.collect(p.States, w.q, k.to)
		}
	}
	if e != nil && n > 0 {
		for i, g := range p.Jacobian {
			x.last[i] = g[n-1]
		}
	}
	return n, nil
}

// byNewton closes sample l by Newton's method, and finds its rates.
func (k *Continuation) byNewton(p *Path, m *Drive, first, l int, anew bool) error {
	t, w := k.tracker, &k.newton
	k.explicit = false
	var err error
	if anew {
		err = w.restart(t.nearest(k.to), k.to)
	} else {
		err = w.moveTo(k.to)
	}
	if err != nil {
		return err
	}
	for i, c := range t.driven {
		w.dq[c], w.ddq[c] = m.DQ[i][first+l], 0
		if m.DDQ != nil {
			w.ddq[c] = m.DDQ[i][first+l]
		}
	}
	w.motion()
	for c := range t.c.dof {
		p.DQ[c][l] = w.dq[c]
		if m.DDQ != nil {
			p.DDQ[c][l] = w.ddq[c]
		}
	}
	for i, g := range w.jacobian {
		p.Jacobian[i][l] = g
	}
	if p.JacobianRate != nil {
		w.differentiateJacobian()
		for i, g := range w.jacobianRate {
			p.JacobianRate[i][l] = g
		}
	}
	return nil
}

// byFormula takes sample l from the formulas; it returns false, and stays where
// it was, if they do not hold there or may have changed the assembly.
func (k *Continuation) byFormula(p *Path, l int) bool {
	t, w, e, x := k.tracker, &k.newton, k.tracker.formulas, &k.formula
	if !x.holds(e, l) {
		return false
	}
	for i, c := range t.driven {
		if !(math.Abs(k.to[i]-w.at[i]) <= formulaStep*t.c.unit[c]) {
			return false
		}
	}
	vectors := x.vectors[e.guards:]
	for i := range e.angles {
		a := &e.angles[i]
		near := w.q[a.coord]
		angle := onTurnOf(math.Atan2(vectors[2*i+1][l], vectors[2*i][l]), near)
		if len(a.pairs) > 0 {
			for _, g := range a.pairs {
				d := t.pairs[g].Driven
				rate := x.last[g]
				if l > 0 {
					rate = p.Jacobian[g][l-1]
				}
				near += rate * (k.to[d] - w.at[d])
			}
			if !(math.Abs(angle-near) <= formulaDeviation) {
				return false
			}
		}
		x.next[i] = angle
	}
	for i := range e.angles {
		w.q[e.angles[i].coord] = x.next[i]
	}
	vectors = vectors[2*len(e.angles):]
	for i, c := range e.closedForm {
		w.q[c] = vectors[i][l]
	}
	for i, c := range t.driven {
		w.q[c] = k.to[i]
	}
	copy(w.at, k.to)
	return true
}

// agree reports whether the formulas hold at the state of sample l.
func (k *Continuation) agree(l int) bool {
	e, x := k.tracker.formulas, &k.formula
	if !x.holds(e, l) {
		return false
	}
	vectors := x.vectors[e.guards:]
	for i := range e.angles {
		at := k.newton.q[e.angles[i].coord]
		if !(math.Abs(onTurnOf(math.Atan2(vectors[2*i+1][l], vectors[2*i][l]), at)-at) < sameAssembly) {
			return false
		}
	}
	return true
}
