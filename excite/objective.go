package excite

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/lanes"
	"ident/regressor"
)

// evaluator computes criterion, constraints and their gradients at points of a search space, for one goroutine.
type evaluator struct {
	*spectrum
	s         *searchSpace
	limits    *limitMap
	criterion Criterion
	coupled   []coupled
	adjoint   *regressor.Adjoint
	inner     *mat.Dense       // K of sensitivity
	slope     []float64        // derivative of ln criterion by ln σ
	gamma     *regressor.Block // derivative of the objective by the regressor's entries
	byMotion  [3][][]float64   // derivative of the objective by q, dq, ddq: [order][joint][sample]
	// If fine is set, distances are also measured halfway between the samples: positions there, and the derivative of
	// the objective by them, [joint][sample].
	fine               bool
	halfway, byHalfway [][]float64
	evals              int
}

// merit is the criterion and the worst constraint at a point.
type merit struct {
	value float64 // of the criterion
	worst Excess  // of the coupled constraints; Relative is -Inf without any
}

// feasible reports whether all constraints hold at the samples.
func (m *merit) feasible() bool { return m.worst.Relative <= 0 }

// better orders points: feasible ones first, by the criterion, then by excess.
func (m *merit) better(o *merit) bool {
	switch a, b := m.feasible(), o.feasible(); {
	case a && b:
		return m.value < o.value
	case a != b:
		return a
	}
	return m.worst.Relative < o.worst.Relative
}

func newEvaluator(p *Problem, s *searchSpace, w weighting, constraints []coupled) *evaluator {
	m, n := p.Model, len(w.columns(p.Model))
	e := &evaluator{spectrum: newSpectrum(m, len(s.times), w), s: s, limits: newLimitMap(s), criterion: p.Criterion,
		adjoint: m.NewAdjoint(), inner: mat.NewDense(n, n, nil), slope: make([]float64, n), gamma: m.NewBlock(len(s.times))}
	for k := range e.byMotion {
		e.byMotion[k] = grid(m.Joints(), len(s.times))
	}
	e.halfway, e.byHalfway = grid(m.Joints(), len(s.times)), grid(m.Joints(), len(s.times))
	for _, c := range constraints {
		e.coupled = append(e.coupled, c.clone())
	}
	return e
}

// at evaluates a point within the joints' limits. It computes the criterion only if the other constraints hold, because
// points that violate them are ordered by their excess.
func (e *evaluator) at(y []float64) merit {
	e.evals++
	e.rowsAt(y)
	out := merit{value: math.Inf(1)}
	_, out.worst = e.penalties(0)
	if out.feasible() && e.decomposeQuickly(false) {
		out.value = e.criterion.Of(e.sigma)
	}
	return out
}

// penalties returns the sum of the coupled constraints' penalties and the worst
// excess; see coupled.penalty.
func (e *evaluator) penalties(weight float64) (sum float64, worst Excess) {
	worst.Relative = math.Inf(-1)
	for _, c := range e.coupled {
		s, w := c.penalty(e, weight)
		sum += s
		if w.Relative > worst.Relative {
			worst = w
		}
	}
	return sum, worst
}

// rowsAt evaluates the regressor at a feasible point, with
// tanh(rate/(softness·top speed)) in place of sign(rate) in Coulomb friction: with
// the sign, the criterion would jump whenever a joint's reversal passes a sample.
func (e *evaluator) rowsAt(y []float64) {
	e.s.motion(y, &e.motion)
	if e.fine {
		e.s.between(y, e.halfway)
	}
	e.evalRows()
	e.eachCoulomb(func(k, i int, _, _ []float64) {
		ramp := softness * e.s.axes[k].vel
		w := e.w[i][k*e.step:]
		for t, rate := range e.motion[1][k] {
			w[t] *= math.Tanh(math.Abs(rate) / ramp)
		}
	})
}

const softness = 0.03

// eachCoulomb calls f for each joint k that moves and its own drive's column of
// Coulomb friction, with the column's index i in use, its entries [sample] and the
// derivative by them. Drives that several joints share are left out.
func (e *evaluator) eachCoulomb(f func(k, i int, entries, gamma []float64)) {
	cols := e.m.Columns()
	for k := range e.m.Joints() {
		if e.s.axes[k].held {
			continue
		}
		for a, c := range e.m.Mask(k) {
			if i := e.index[c]; i >= 0 && cols[c].Term == regressor.Fs && cols[c].Drive == 0 {
				f(k, i, e.block.Joint[k][a], e.gamma.Joint[k][a])
			}
		}
	}
}

// smooth returns the objective at a point, which is the logarithm of the criterion
// smoothed to order p plus weight times the penalties, its gradient by the point
// in grad, and the point's merit, with objective false only the penalties. The
// merit's value is the criterion, or that of smoothByInverse.
func (e *evaluator) smooth(grad, y []float64, p int, weight float64, objective bool) (f float64, out merit) {
	e.evals++
	clear(grad)
	e.rowsAt(y)
	for k := range e.byMotion {
		for i := range e.byMotion[k] {
			clear(e.byMotion[k][i])
		}
	}
	for i := range e.byHalfway {
		clear(e.byHalfway[i])
	}
	for k := range e.gamma.Joint {
		for a := range e.gamma.Joint[k] {
			clear(e.gamma.Joint[k][a])
		}
	}
	excited, quick := e.products(), false
	if excited && objective && e.criterion.byInverse(p) {
		f, out.value, quick = e.smoothByInverse(e.inner, e.criterion)
	}
	if !quick {
		out.value = math.Inf(1)
		if excited && e.decomposeProducts(objective) {
			out.value = e.criterion.Of(e.sigma)
		}
	}
	if objective {
		if math.IsInf(out.value, 0) || math.IsNaN(out.value) {
			_, out.worst = e.penalties(0)
			return math.Inf(1), out
		}
		if !quick {
			f = e.criterion.smooth(e.slope, e.sigma, p)
			e.sensitivity(e.inner, e.slope)
		}
		e.rowGradient()
	}
	sum, worst := e.penalties(weight)
	f += weight * sum
	out.worst = worst
	e.m.Pullback(e.byMotion[0], e.byMotion[1], e.byMotion[2], e.gamma, e.motion[0], e.motion[1], e.motion[2], e.adjoint)
	byHalfway := e.byHalfway
	if !e.fine {
		byHalfway = nil
	}
	e.s.pullback(grad, &e.byMotion, byHalfway)
	return f, out
}

// rowGradient adds the derivative of the smoothed criterion by the regressor's
// entries. By the weighted rows W it is W·K, see sensitivity.
func (e *evaluator) rowGradient() {
	in := e.inner.RawMatrix()
	coef := make([]float64, len(e.use))
	for k := range e.m.Joints() {
		own := &e.blocks[k]
		a := 0 // among the columns in use
		for at, c := range e.m.Mask(k) {
			if e.index[c] < 0 {
				continue
			}
			row := in.Data[own.at[a]*in.Stride:]
			for d, j := range own.at {
				coef[d] = e.weight[k] * row[j]
			}
			lanes.Combine(e.gamma.Joint[k][at], coef[:len(own.at)], own.cols)
			a++
		}
	}
	e.eachCoulomb(func(k, i int, entries, gamma []float64) {
		ramp := softness * e.s.axes[k].vel
		for t, g := range gamma {
			th := math.Tanh(e.motion[1][k][t] / ramp)
			e.byMotion[1][k][t] += g * math.Abs(entries[t]) * (1 - th*th) / ramp
		}
	})
}
