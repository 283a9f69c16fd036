package excite

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/regressor"
)

// evaluator computes the criterion and its gradient at points of a space; one
// goroutine's own.
type evaluator struct {
	*spectrum
	s     *space
	g     *gauger
	other *regressor.Block
	inner *mat.Dense   // D⁻¹(S - diag h)D⁻¹
	gamma [][]float64  // Γ: [column][row]
	back  [3][]float64 // derivative by q, dq, ddq of one joint at the samples
	evals int
}

func newEvaluator(s *space, m *regressor.Model) *evaluator {
	n, samples := len(m.Columns()), s.rows.samples
	e := &evaluator{spectrum: newSpectrum(m, samples), s: s, g: newGauger(s), other: m.NewBlock(samples),
		inner: mat.NewDense(n, n, nil), gamma: grid(n, m.Joints()*samples)}
	for k := range e.back {
		e.back[k] = make([]float64, samples)
	}
	return e
}

// at returns the scaled condition number at a feasible point.
func (e *evaluator) at(y []float64) float64 {
	e.evals++
	e.rowsAt(y)
	if !e.reduce() || !e.singular(false) {
		return math.Inf(1)
	}
	return ratio(e.sigma)
}

// rowsAt evaluates the regressor at a feasible point. Coulomb friction jumps
// where a joint turns back, and a sample that is passed by the moment of
// turning makes the criterion jump with it; so the search sees
// tanh(rate/(softness·top speed)) for sign(rate).
func (e *evaluator) rowsAt(y []float64) {
	e.s.motion(y, e.motion[0], e.motion[1], e.motion[2])
	e.rows()
	e.eachCoulomb(func(k, c int, _ []float64) {
		ramp := softness * e.s.axes[k].vel
		w := e.w[c][k*e.samples:]
		for t, rate := range e.motion[1][k] {
			w[t] *= math.Tanh(math.Abs(rate) / ramp)
		}
	})
}

const softness = 0.03

// eachCoulomb calls f for each joint k and column c of Coulomb friction of its
// own drive, with the column's entries in the model. Drives that several
// joints share are left as they are.
func (e *evaluator) eachCoulomb(f func(k, c int, entries []float64)) {
	cols := e.m.Columns()
	for k := range e.m.Joints() {
		if e.s.axes[k].held {
			continue
		}
		for a, c := range e.m.Mask(k) {
			if cols[c].Term == regressor.Fs && cols[c].Drive == 0 {
				f(k, c, e.block.Joint[k][a])
			}
		}
	}
}

// smooth returns the condition number at a feasible point, the smoothed
// criterion of order p, and its gradient by the point in grad.
func (e *evaluator) smooth(grad, y []float64, p int) (f, cond float64) {
	e.evals++
	clear(grad)
	e.rowsAt(y)
	if !e.reduce() || !e.singular(true) || math.IsInf(ratio(e.sigma), 0) {
		return math.Inf(1), math.Inf(1)
	}
	n := len(e.sigma)
	big, small := e.sigma[0], e.sigma[n-1]
	var sumBig, sumSmall float64
	for _, s := range e.sigma {
		sumBig += power(s/big, p)
		sumSmall += power(small/s, p)
	}
	f = math.Log(big/small) + (math.Log(sumBig)+math.Log(sumSmall))/float64(p)
	// σ·φ' for each singular value; φ'/σ follows.
	slope := make([]float64, n)
	for i, s := range e.sigma {
		slope[i] = power(s/big, p)/sumBig - power(small/s, p)/sumSmall
	}
	e.rowGradient(slope)
	e.motionGradient(grad)
	return f, big / small
}

// rowGradient computes Γ, the derivative by the regressor's entries.
func (e *evaluator) rowGradient(slope []float64) {
	n := len(slope)
	v := e.v.RawMatrix()
	scaled := mat.NewDense(n, n, nil)
	raw := scaled.RawMatrix()
	for c := range n {
		for i := range n {
			raw.Data[c*raw.Stride+i] = v.Data[c*v.Stride+i] * slope[i] / (e.sigma[i] * e.sigma[i])
		}
	}
	e.inner.Mul(scaled, e.v.T())
	in := e.inner.RawMatrix()
	for c := range n {
		h := 0.0
		for i := range n {
			x := v.Data[c*v.Stride+i]
			h += x * x * slope[i]
		}
		in.Data[c*in.Stride+c] -= h
		for d := range n {
			in.Data[c*in.Stride+d] /= e.norms[c] * e.norms[d]
		}
	}
	samples := e.samples
	for k := range e.m.Joints() {
		from, to := k*samples, (k+1)*samples
		for _, c := range e.m.Mask(k) {
			g := e.gamma[c][from:to]
			clear(g)
			dst := blas64.Vector{N: samples, Data: g, Inc: 1}
			for _, d := range e.m.Mask(k) {
				blas64.Axpy(in.Data[c*in.Stride+d], blas64.Vector{N: samples, Data: e.w[d][from:to], Inc: 1}, dst)
			}
		}
	}
}

// positionStep is the step of the central difference by a joint's position,
// rad or m: its error is of the order of step², that of rounding ε/step.
const positionStep = 1e-4

// motionGradient adds the derivative by the variables, Γ given.
func (e *evaluator) motionGradient(grad []float64) {
	s := e.s
	for i := range s.axes {
		ax := &s.axes[i]
		if ax.held {
			continue
		}
		// Exact differences of the rates and accelerations may have any step.
		for k, step := range [3]float64{positionStep, ax.vel, ax.acc} {
			clear(e.back[k])
			e.perturb(k, i, step, 1/(2*step), e.back[k])
		}
		e.eachCoulomb(func(k, c int, entries []float64) {
			if k != i {
				return
			}
			ramp := softness * ax.vel
			for t, g := range e.gamma[c][k*e.samples : (k+1)*e.samples] {
				th := math.Tanh(e.motion[1][k][t] / ramp)
				e.back[1][t] += g * math.Abs(entries[t]) * (1 - th*th) / ramp
			}
		})
		gi := grad[ax.at : ax.at+s.perJoint()]
		for _, d := range e.back[0] {
			gi[0] += ax.half * d
		}
		for v := range s.rows.pos {
			gi[1+v] += ax.vel * (floats.Dot(e.back[0], s.rows.pos[v]) + floats.Dot(e.back[1], s.rows.vel[v]) + floats.Dot(e.back[2], s.rows.acc[v]))
		}
	}
}

// perturb adds to dst, sample by sample, scale times Γ : (Y(+step) - Y(-step)),
// the step being taken in motion k (0 position, 1 rate, 2 acceleration) of
// joint i.
func (e *evaluator) perturb(k, i int, step, scale float64, dst []float64) {
	x := e.motion[k][i]
	for _, sign := range [2]float64{1, -1} {
		for t := range x {
			x[t] += sign * step
		}
		e.m.Eval(e.other, e.motion[0], e.motion[1], e.motion[2], e.ws)
		for t := range x {
			x[t] -= sign * step
		}
		e.contract(dst, sign*scale)
	}
}

// contract adds scale·(Γ : Y) of the perturbed block, without the columns of
// Coulomb friction and offset, whose derivatives are zero.
func (e *evaluator) contract(dst []float64, scale float64) {
	samples := e.samples
	cols := e.m.Columns()
	for k := range e.m.Joints() {
		for a, c := range e.m.Mask(k) {
			if t := cols[c].Term; t == regressor.Fs || t == regressor.Fo {
				continue
			}
			g, y := e.gamma[c][k*samples:(k+1)*samples], e.other.Joint[k][a]
			for t := range dst {
				dst[t] += scale * g[t] * y[t]
			}
		}
	}
}
