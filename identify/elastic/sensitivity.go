package elastic

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/regressor"
)

// linearised evaluates the links' equations g(x, ẋ, ẍ)·p = 0 about a motion: the inertia ∂g/∂q̈, C = ∂g/∂q̇, K = ∂g/∂q and
// the columns ∂g/∂p, sample by sample.
type linearised struct {
	model  *regressor.Model
	links  int
	p      []float64
	ws     *regressor.Workspace
	block  *regressor.Block
	x      [3][][]float64 // of the lanes of some samples
	torque [][]float64
	slip   []slipStep // of the links whose springs have hysteresis
}

// slipStep is a spring with hysteresis. Its torque steps between two samples where its deflection reverses. The
// derivative by the rate is taken as the secant over half an interval on either side, which has the same integral over
// time as the step.
type slipStep struct{ link, motor int }

// halfStep returns half the change of a spring's rate of deflection over the interval around sample k.
func (s slipStep) halfStep(velocity [][]float64, k int) float64 {
	rate := func(k int) float64 { return velocity[s.motor][k] - velocity[s.link][k] }
	before, after := max(k-1, 0), min(k+1, len(velocity[s.link])-1)
	return math.Max(math.Abs(rate(after)-rate(before))/4, leastStep)
}

// leastStep is a small fraction of regressor.SlipSpeed, rad/s or m/s: at such rates hysteresis acts as a linear
// damping.
const leastStep = 1e-3 * regressor.SlipSpeed

// samplesAtOnce is the number of samples evaluated together. With the lanes of each sample these are some thousand,
// whose regressor fits the cache.
const samplesAtOnce = 32

func newLinearised(model *regressor.Model, springs []Spring, p []float64) *linearised {
	links := len(springs)
	l := &linearised{model: model, links: links, p: p, ws: model.NewWorkspace()}
	lanes := samplesAtOnce * l.lanes()
	l.block, l.torque = model.NewBlock(lanes), grid(model.Joints(), lanes)
	for _, s := range springs {
		if s.Hysteresis != 0 {
			l.slip = append(l.slip, slipStep{s.Q, s.Motor})
		}
	}
	for d := range l.x {
		l.x[d] = grid(model.Joints(), lanes)
	}
	return l
}

// lanes returns the number of evaluations for one sample: the motion itself, a unit of each acceleration, and a step of
// each position and each velocity in both directions.
func (l *linearised) lanes() int { return 1 + 5*l.links }

// evaluate computes the lanes of samples [from, to) of a motion.
func (l *linearised) evaluate(motion [3][][]float64, from, to int) {
	per := l.lanes()
	n := (to - from) * per
	for d := range l.x {
		for i := range l.x[d] {
			row := l.x[d][i][:n]
			for k := from; k < to; k++ {
				v, lane := motion[d][i][k], (k-from)*per
				for s := range per {
					row[lane+s] = v
				}
				if i >= l.links {
					continue
				}
				switch d {
				case 0:
					row[lane+1+l.links+2*i] += nudge
					row[lane+2+l.links+2*i] -= nudge
				case 1:
					step := l.step(i, motion[1], k)
					row[lane+1+3*l.links+2*i] += step
					row[lane+2+3*l.links+2*i] -= step
				case 2:
					row[lane+1+i]++
				}
			}
		}
	}
	l.block.Resize(n)
	cut := func(x [][]float64) [][]float64 {
		out := make([][]float64, len(x))
		for i := range x {
			out[i] = x[i][:n]
		}
		return out
	}
	l.model.Eval(l.block, cut(l.x[0]), cut(l.x[1]), cut(l.x[2]), l.ws)
	l.model.Predict(cut(l.torque), l.block, l.p)
}

// step returns the step of the difference by the velocity of a link. Without hysteresis the equations are of second
// degree in the velocities, so a central difference of any step is exact.
func (l *linearised) step(link int, velocity [][]float64, k int) float64 {
	for _, s := range l.slip {
		if s.link == link {
			return s.halfStep(velocity, k)
		}
	}
	return 1
}

// matrices returns the matrices of sample k, the s-th sample that was evaluated.
func (l *linearised) matrices(s, k int, velocity [][]float64, mass, damping, stiffness *mat.Dense) {
	lane := s * l.lanes()
	for row := range l.links {
		t := l.torque[row][lane:]
		for i := range l.links {
			mass.Set(row, i, t[1+i]-t[0])
			stiffness.Set(row, i, (t[1+l.links+2*i]-t[2+l.links+2*i])/(2*nudge))
			damping.Set(row, i, (t[1+3*l.links+2*i]-t[2+3*l.links+2*i])/(2*l.step(i, velocity, k)))
		}
	}
}

// sensitivities integrates S = ∂q/∂p and Ṡ along a motion, by the rule of constant average acceleration (Newmark
// 1959), which is stable at any step:
//
//	M·S̈ + C·Ṡ + K·S + ∂g/∂p = 0
//
// The parameters are the model's columns, then the initial positions and velocities of the links. Its error of
// the order of (ω·dt)² is one of the Jacobian, and not of the estimate. visit gets S and Ṡ, links × parameters.
func (l *linearised) sensitivities(motion [3][][]float64, dt float64, visit func(k int, s, v *mat.Dense)) error {
	n, columns := l.links, len(l.p)
	all := columns + 2*n
	s, v := mat.NewDense(n, all, nil), mat.NewDense(n, all, nil)
	for i := range n {
		s.Set(i, columns+i, 1)
		v.Set(i, columns+n+i, 1)
	}
	push := func(k int, to *mat.Dense) {
		lane := k % samplesAtOnce * l.lanes()
		for i := range n {
			row := to.RawRowView(i)
			for c, at := range l.model.Mask(i) {
				row[at] += l.block.Joint[i][c][lane]
			}
		}
	}
	return l.respond(motion, dt, s, v, push, visit)
}

// respond integrates the linearised equations M·S̈ + C·Ṡ + K·S + f = 0 in place, from a state S, Ṡ at the first sample;
// push adds f of a sample, and visit receives S and Ṡ.
func (l *linearised) respond(motion [3][][]float64, dt float64, s, v *mat.Dense, push func(k int, to *mat.Dense), visit func(k int, s, v *mat.Dense)) error {
	n, all := s.Dims()
	mass, damping, stiffness := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	effective := mat.NewDense(n, n, nil)
	a, right, part := mat.NewDense(n, all, nil), mat.NewDense(n, all, nil), mat.NewDense(n, all, nil)
	samples := len(motion[0][0])
	var lu mat.LU
	for from := 0; from < samples; from += samplesAtOnce {
		to := min(from+samplesAtOnce, samples)
		l.evaluate(motion, from, to)
		for k := from; k < to; k++ {
			l.matrices(k-from, k, motion[1], mass, damping, stiffness)
			h := 0.0
			if k > 0 {
				h = dt
				axpyAll(s, h, v)
				axpyAll(s, h*h/4, a)
				axpyAll(v, h/2, a)
			}
			right.Mul(stiffness, s)
			part.Mul(damping, v)
			right.Add(right, part)
			push(k, right)
			effective.Copy(mass)
			axpyAll(effective, h/2, damping)
			axpyAll(effective, h*h/4, stiffness)
			lu.Factorize(effective)
			if err := lu.SolveTo(a, false, right); err != nil {
				if _, ok := err.(mat.Condition); !ok || lu.Det() == 0 {
					return &NotVibratingError{at(motion[0][:n], k)}
				}
			}
			a.Scale(-1, a)
			axpyAll(s, h*h/4, a)
			axpyAll(v, h/2, a)
			visit(k, s, v)
		}
	}
	return nil
}

// axpyAll adds f·x to y, entry by entry.
func axpyAll(y *mat.Dense, f float64, x *mat.Dense) {
	a, b := y.RawMatrix(), x.RawMatrix()
	for i, v := range b.Data {
		a.Data[i] += f * v
	}
}

// at returns entry k of each slice.
func at(x [][]float64, k int) []float64 {
	var out []float64
	for _, c := range x {
		out = append(out, c[k])
	}
	return out
}
