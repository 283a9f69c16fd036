package loops

import (
	"math"
	"slices"
)

const (
	// G is that of the state before the last correction, which is as far from
	// the closed one as the mismatch times the condition of the closing. Errors
	// of G are as good as noise on the rows, which a fit multiplies by its own
	// condition number, 1e6 and more; the rounding of a chain is 1e-15.
	trackingTolerance = 1e-13
	// Newton's method doubles the digits in each step; from a start that does
	// not close in so many, it will not.
	newtonSteps = 8
	// One step of a path between far states, rad or units of length.
	pathStep = 0.1
	// The shortest step of a path: one that needs less runs into a state where
	// the loops cannot close, or where assemblies meet.
	minPathStep = 1e-4
)

// newton is a closed state and its continuation by Newton's method.
type newton struct {
	c                      *Closure
	driven                 []int
	absent                 []bool // which of the entries of G that the groups solve for are left out
	groups                 []*group
	q, dq, ddq             []float64 // of all coordinates, those of cut joints last
	at                     []float64 // driven coordinates of q
	jacobian, jacobianRate []float64 // one per pair
	trial, back, rates     []float64 // scratch
	stale                  bool      // q has been set to a state at which G was not computed
}

func newNewton(t *Tracker) newton {
	n, nd, np := len(t.c.unit), len(t.driven), len(t.pairs)
	w := newton{c: t.c, driven: t.driven, absent: t.absent, groups: make([]*group, len(t.groups)),
		q: slices.Clone(t.start()), dq: make([]float64, n), ddq: make([]float64, n), at: make([]float64, nd),
		jacobian: make([]float64, np), jacobianRate: make([]float64, np),
		trial: make([]float64, nd), back: make([]float64, n), rates: make([]float64, n)}
	for i, g := range t.groups {
		w.groups[i] = g.clone()
	}
	return w
}

// restart sets out from a closed state towards driven positions.
func (w *newton) restart(state, driven []float64) error {
	w.restore(state)
	if err := w.differentiate(); err != nil {
		return err
	}
	return w.moveTo(driven)
}

// restore goes back to a closed state as if nothing had been before it.
func (w *newton) restore(q []float64) {
	copy(w.q, q)
	w.stale = false
	for _, g := range w.groups {
		g.forget()
	}
	for i, k := range w.driven {
		w.at[i] = w.q[k]
	}
}

// moveTo brings the driven joints to new positions, on a straight path of small
// steps where they are far, and leaves q and G. On error, which is a *TrackError,
// it stays where it was.
func (w *newton) moveTo(driven []float64) error {
	if w.stale {
		if err := w.differentiate(); err != nil {
			return err
		}
		w.stale = false
	}
	far := 0.0
	for i, k := range w.driven {
		far = max(far, math.Abs(driven[i]-w.at[i])/w.c.unit[k])
	}
	if !(far <= math.MaxFloat64) {
		return w.lost(driven, 0)
	}
	if far <= pathStep && w.step(driven) {
		return nil
	}
	copy(w.back, w.q)
	step := min(1, pathStep/far)
	for done := 0.0; done < 1; {
		to := min(1, done+step)
		if 1-to < 1e-9 {
			to = 1
		}
		part := (to - done) / (1 - done)
		for i := range driven {
			w.trial[i] = w.at[i] + part*(driven[i]-w.at[i])
		}
		if to == 1 {
			copy(w.trial, driven)
		}
		if w.step(w.trial) {
			done = to
			step = min(2*step, pathStep/far)
			continue
		}
		if step /= 2; step*far < minPathStep {
			err := w.lost(driven, done)
			w.restore(w.back)
			if e := w.differentiate(); e != nil {
				return e
			}
			return err
		}
	}
	return nil
}

// step moves by one step of a path; it stays where it was if that fails.
func (w *newton) step(driven []float64) bool {
	for _, g := range w.groups {
		for i, k := range g.unknown {
			g.previous[i] = w.q[k]
		}
	}
	for _, g := range w.groups {
		g.predict(w.q, w.at, driven)
	}
	for i, k := range w.driven {
		w.q[k] = driven[i]
	}
	for _, g := range w.groups {
		if g.close(w.q) {
			continue
		}
		for _, g := range w.groups {
			g.forget()
			for i, k := range g.unknown {
				w.q[k] = g.previous[i]
			}
		}
		for i, k := range w.driven {
			w.q[k] = w.at[i]
		}
		return false
	}
	copy(w.at, driven)
	w.gather()
	return true
}

// differentiate finds G at the present state.
func (w *newton) differentiate() error {
	for _, g := range w.groups {
		if !g.close(w.q) {
			return w.lost(w.at, 0)
		}
		g.forget()
	}
	w.gather()
	return nil
}

// gather copies the groups' parts of G.
func (w *newton) gather() {
	n, all := 0, 0
	for _, g := range w.groups {
		for i, k := range g.unknown {
			if k >= w.c.dof {
				continue
			}
			for j := range g.driven {
				if all++; !w.absent[all-1] {
					w.jacobian[n] = g.jacobian[i*len(g.driven)+j]
					n++
				}
			}
		}
	}
}

// motion finds rates and accelerations of all coordinates from those of the
// driven ones, which dq and ddq hold.
func (w *newton) motion() {
	for _, g := range w.groups {
		g.motion(w.dq, w.ddq)
	}
}

// differentiateJacobian finds the rates of G at the rates dq. With every column
// g of G, and the rates v of all coordinates, J·g = 0 and J·v = 0 hold, and so
//
//	J·ġ = −J̇·g,  J̇·g = ½·(b(v + g) − b(v) − b(g))
//
// where b are the accelerations of the mismatch at steady rates, a quadratic
// form.
func (w *newton) differentiateJacobian() {
	n, all := 0, 0
	for _, g := range w.groups {
		g.rates(w.dq, w.rates)
		for i, k := range g.unknown {
			if k >= w.c.dof {
				continue
			}
			for j := range g.driven {
				if all++; !w.absent[all-1] {
					w.jacobianRate[n] = g.jacobianRate[i*len(g.driven)+j]
					n++
				}
			}
		}
	}
}
