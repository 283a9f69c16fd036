package excite

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"ident/regressor"
)

// evaluator computes criterion, constraints and their gradients at points of a
// space; one goroutine's own.
type evaluator struct {
	*spectrum
	s         *space
	g         *gauger
	criterion Criterion
	coupled   []coupled
	adjoint   *regressor.Adjoint
	inner     *mat.Dense
	slope     []float64
	gamma     *regressor.Block // derivative by the regressor's entries
	back      [3][][]float64   // derivative by q, dq, ddq: [joint][sample]
	evals     int
}

// merit is how good a point is.
type merit struct {
	value float64 // of the criterion
	worst Excess  // of the coupled constraints; part -Inf without any
}

// feasible tells whether the point keeps all constraints at the samples.
func (m *merit) feasible() bool { return m.worst.Part <= 0 }

// better orders points: feasible ones first, by the criterion, then by excess.
func (m *merit) better(o *merit) bool {
	switch a, b := m.feasible(), o.feasible(); {
	case a && b:
		return m.value < o.value
	case a != b:
		return a
	}
	return m.worst.Part < o.worst.Part
}

func newEvaluator(d *design) *evaluator {
	s, m := d.s, d.p.Model
	e := &evaluator{spectrum: newSpectrum(m, len(s.times), d.use, d.weight, d.p.Known), s: s, g: newGauger(s), criterion: d.p.Criterion,
		adjoint: m.NewAdjoint(), inner: mat.NewDense(len(d.use), len(d.use), nil), slope: make([]float64, len(d.use)), gamma: m.NewBlock(len(s.times))}
	e.fixed = d.norms
	for k := range e.back {
		e.back[k] = grid(m.Joints(), len(s.times))
	}
	for _, make := range d.coupled {
		e.coupled = append(e.coupled, make())
	}
	return e
}

// at measures a feasible point.
func (e *evaluator) at(y []float64) merit {
	e.evals++
	e.rowsAt(y)
	out := merit{worst: e.penalise(0)}
	out.value = math.Inf(1)
	if e.reduce() && e.singular(false) {
		out.value = e.criterion.value(e.sigma)
	}
	return out
}

// penalise adds up the coupled constraints' penalties and returns the worst.
func (e *evaluator) penalise(weight float64) (worst Excess) {
	_, worst = e.penaltySum(weight)
	return worst
}

func (e *evaluator) penaltySum(weight float64) (sum float64, worst Excess) {
	worst.Part = math.Inf(-1)
	for _, c := range e.coupled {
		s, w := c.penalty(e, weight)
		sum += s
		if w.Part > worst.Part {
			worst = w
		}
	}
	return sum, worst
}

// rowsAt evaluates the regressor at a feasible point. Coulomb friction jumps
// where a joint turns back, and a sample that is passed by the moment of
// turning makes the criterion jump with it; so the search sees
// tanh(rate/(softness·top speed)) for sign(rate).
func (e *evaluator) rowsAt(y []float64) {
	e.s.motion(y, &e.motion)
	e.rows()
	e.gather()
	e.eachCoulomb(func(k, i int, _, _ []float64) {
		ramp := softness * e.s.axes[k].vel
		w := e.w[i][k*e.samples:]
		for t, rate := range e.motion[1][k] {
			w[t] *= math.Tanh(math.Abs(rate) / ramp)
		}
	})
}

const softness = 0.03

// eachCoulomb calls f for each joint k and column of Coulomb friction of its own
// drive, with the column's place in use, its entries and their weights in the
// sensitivity. Drives that several joints share are left as they are.
func (e *evaluator) eachCoulomb(f func(k, i int, entries, gamma []float64)) {
	cols := e.m.Columns()
	for k := range e.m.Joints() {
		if e.s.axes[k].held {
			continue
		}
		for a, c := range e.m.Mask(k) {
			if i := e.place[c]; i >= 0 && cols[c].Term == regressor.Fs && cols[c].Drive == 0 {
				f(k, i, e.block.Joint[k][a], e.gamma.Joint[k][a])
			}
		}
	}
}

// smooth returns a point's merit, the logarithm of the criterion smoothed to
// order p plus weight times the penalties, and the gradient of that by the point
// in grad. With objective false only the penalties count.
func (e *evaluator) smooth(grad, y []float64, p int, weight float64, objective bool) (f float64, out merit) {
	e.evals++
	clear(grad)
	e.rowsAt(y)
	for k := range e.back {
		for i := range e.back[k] {
			clear(e.back[k][i])
		}
	}
	for k := range e.gamma.Joint {
		for a := range e.gamma.Joint[k] {
			clear(e.gamma.Joint[k][a])
		}
	}
	out = merit{value: math.Inf(1)}
	if e.reduce() && e.singular(true) {
		out.value = e.criterion.value(e.sigma)
	}
	if objective {
		if math.IsInf(out.value, 0) || math.IsNaN(out.value) {
			out.worst = e.penalise(0)
			return math.Inf(1), out
		}
		f = e.criterion.smooth(e.slope, e.sigma, p)
		e.rowGradient()
	}
	sum, worst := e.penaltySum(weight)
	f += weight * sum
	out.worst = worst
	e.m.Pullback(e.back[0], e.back[1], e.back[2], e.gamma, e.motion[0], e.motion[1], e.motion[2], e.adjoint)
	e.s.pullback(grad, &e.back)
	return f, out
}

// rowGradient adds the criterion's derivative by the regressor's entries: that
// by the weighted rows W is W·K, see sensitivity.
func (e *evaluator) rowGradient() {
	e.sensitivity(e.inner, e.slope)
	in := e.inner.RawMatrix()
	for k := range e.m.Joints() {
		from, to := k*e.samples, (k+1)*e.samples
		for a, c := range e.m.Mask(k) {
			i := e.place[c]
			if i < 0 {
				continue
			}
			dst := blas64.Vector{N: e.samples, Data: e.gamma.Joint[k][a], Inc: 1}
			for _, d := range e.m.Mask(k) {
				if j := e.place[d]; j >= 0 {
					blas64.Axpy(e.weight[k]*in.Data[i*in.Stride+j], blas64.Vector{N: e.samples, Data: e.w[j][from:to], Inc: 1}, dst)
				}
			}
		}
	}
	e.eachCoulomb(func(k, i int, entries, gamma []float64) {
		ramp := softness * e.s.axes[k].vel
		for t, g := range gamma {
			th := math.Tanh(e.motion[1][k][t] / ramp)
			e.back[1][k][t] += g * math.Abs(entries[t]) * (1 - th*th) / ramp
		}
	})
}
