package servo

import (
	"fmt"
	"math"
)

// Response is a simulated run: one slice per joint, one entry per sample.
type Response struct {
	Q, DQ, DDQ, Tau [][]float64
	// Derivatives by the parameters, if they were asked for: [joint][parameter][sample].
	QBy, TauBy [][][]float64
}

// Run simulates n samples at an interval of dt seconds, from the reference's time
// start and the given positions and velocities, and with derivatives if wanted.
// Errors are *InertiaError and *DivergedError.
func (l *Loop) Run(x []float64, ref Reference, start, dt float64, n int, q, dq []float64, derivatives bool) (*Response, error) {
	if len(q) != l.joints || len(dq) != l.joints || n < 1 || !(dt > 0) {
		panic(fmt.Sprintf("servo: %d samples at %g s from %d positions and %d velocities of %d joints", n, dt, len(q), len(dq), l.joints))
	}
	l.begin(x, l.topSpeeds(ref, start, dt, n))
	r := &Response{Q: table(l.joints, n), DQ: table(l.joints, n), DDQ: table(l.joints, n), Tau: table(l.joints, n)}
	s := l.newState(q, dq, derivatives)
	if derivatives {
		for range l.joints {
			r.QBy, r.TauBy = append(r.QBy, table(l.params, n)), append(r.TauBy, table(l.params, n))
		}
	}
	for i := range n {
		t := start + float64(i)*dt
		if err := l.slope(s, t, x, ref, &s.k[0]); err != nil {
			return nil, err
		}
		for k := range l.joints {
			r.Q[k][i], r.DQ[k][i], r.DDQ[k][i], r.Tau[k][i] = s.x[k], s.x[l.joints+k], s.k[0].x[l.joints+k], s.k[0].tau[k]
			for c := range len(s.s) / (2 * l.joints) {
				r.QBy[k][c][i], r.TauBy[k][c][i] = s.s[k*l.params+c], s.k[0].stau[k*l.params+c]
			}
		}
		if i == n-1 {
			break
		}
		if err := l.interval(s, t, dt, x, ref); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// interval moves the state from a sample, whose slope is known, to the next.
func (l *Loop) interval(s *state, t, dt float64, x []float64, ref Reference) error {
	if fixed := l.opt.Steps; fixed > 0 {
		h := dt / float64(fixed)
		for m := range fixed {
			if err := l.step(s, t+float64(m)*h, h, x, ref, m == 0); err != nil {
				return err
			}
		}
		return nil
	}
	for left := dt; left > 0; {
		if left < dt {
			if err := l.slope(s, t+dt-left, x, ref, &s.k[0]); err != nil {
				return err
			}
		}
		h := l.stride(s, x, left, dt/maxSteps)
		if err := l.step(s, t+dt-left, h, x, ref, true); err != nil {
			return err
		}
		left -= h
		if left < dt*1e-9 { // of rounding
			break
		}
	}
	return nil
}

// topSpeeds returns the largest velocity of each joint in the reference, which
// may be given without velocities: positions are differenced.
func (l *Loop) topSpeeds(ref Reference, start, dt float64, n int) []float64 {
	top := make([]float64, l.joints)
	last := make([]float64, l.joints)
	for i := range n {
		ref.Eval(start+float64(i)*dt, l.qr, l.dqr, l.ddqr)
		for k := range top {
			if i > 0 {
				top[k] = max(top[k], math.Abs(l.qr[k]-last[k])/dt)
			}
			last[k] = l.qr[k]
		}
	}
	return top
}

// Choice of steps.
const (
	// resolution bounds h·λ of the fastest rate, and the change of velocity in a step as a part of friction's width ε, see the
	// package comment.
	resolution = 0.5
	// flat, in widths ε of friction, is a velocity from which on tanh is one to 1e-5 and its slope has no part in the motion.
	flat = 6
	// maxSteps an interval keeps a simulation with absurd parameters from taking for
	// ever; beyond, it diverges and says so.
	maxSteps = 1000
)

// stride returns the step from a state whose slope was just computed, so that its inertia matrix is factorized: the time left,
// or a part of it that the controller's and friction's rates allow, the joints' own, as if each moved alone. Friction is steep
// near rest only, so that steps are short where a joint reverses.
func (l *Loop) stride(s *state, x []float64, left, least float64) float64 {
	n := l.joints
	l.invertDiagonal()
	fastest := 0.0
	for k, a := range l.agility {
		fastest = max(fastest, l.ctl.D[k]*a, math.Sqrt(l.ctl.P[k]*a))
	}
	h := left / max(1, math.Ceil(left*fastest/resolution))
	dq, ddq := s.at.x[n:], s.k[0].x[n:]
	for ; h > least; h /= 2 {
		if l.resolves(h, x, dq, ddq) {
			return h
		}
	}
	return min(left, least)
}

// resolves reports whether a step is short enough for the friction that the joints meet within it, at no more than twice their
// accelerations at its beginning.
func (l *Loop) resolves(h float64, x, dq, ddq []float64) bool {
	for i := range l.dry {
		d := &l.dry[i]
		s, rate := 0.0, 0.0
		for a, k := range d.joints {
			s += d.weight[a] * dq[k]
			rate += d.weight[a] * ddq[k]
		}
		rate = math.Abs(rate)
		near := max(0, math.Abs(s)-2*h*rate) / d.eps
		if near > flat {
			continue
		}
		if h*rate > resolution*d.eps {
			return false
		}
		tanh := math.Tanh(near)
		slope := math.Abs(x[d.column]) * (1 - tanh*tanh) / d.eps
		for a, k := range d.joints {
			if h*(slope*d.weight[a]*d.weight[a]+l.ctl.D[k])*l.agility[k] > resolution {
				return false
			}
		}
	}
	return true
}

// invertDiagonal finds the diagonal of M⁻¹ = U⁻¹·U⁻ᵀ: entry k is the inverse of the inertia that joint k has when the
// others are free, the smallest that it can have.
func (l *Loop) invertDiagonal() {
	n, z := l.joints, l.column
	for k := range n {
		sum := 0.0
		for i := k; i < n; i++ { // Uᵀ·z = unit k
			z[i] = 0
			if i == k {
				z[i] = 1
			}
			for j := k; j < i; j++ {
				z[i] -= l.mass[j*n+i] * z[j]
			}
			z[i] /= l.mass[i*n+i]
			sum += z[i] * z[i]
		}
		l.agility[k] = sum
	}
}

// state is a motion, its derivatives by the parameters, and the slopes of a step.
type state struct {
	x, s []float64 // (q, dq), and their derivatives, each joints×params
	k    [4]slope
	at   struct{ x, s []float64 }
}

type slope struct {
	x, s, tau, stau []float64
}

func (l *Loop) newState(q, dq []float64, derivatives bool) *state {
	n, size := l.joints, 0
	if derivatives {
		size = 2 * n * l.params
	}
	s := &state{x: append(append(make([]float64, 0, 2*n), q...), dq...), s: make([]float64, size)}
	s.at.x, s.at.s = make([]float64, 2*n), make([]float64, size)
	for i := range s.k {
		s.k[i] = slope{make([]float64, 2*n), make([]float64, size), make([]float64, n), make([]float64, size/2)}
	}
	copy(s.at.x, s.x)
	return s
}

// slope computes the time derivative of the state in s.at.
func (l *Loop) slope(s *state, t float64, x []float64, ref Reference, k *slope) error {
	n := l.joints
	q, dq := s.at.x[:n], s.at.x[n:]
	if err := l.acceleration(t, q, dq, x, ref, k.tau, k.x[n:]); err != nil {
		return err
	}
	copy(k.x[:n], dq)
	if half := len(s.at.s) / 2; half > 0 {
		copy(k.s[:half], s.at.s[half:])
		l.sensitivity(q, dq, k.x[n:], x, s.at.s[:half], s.at.s[half:], k.s[half:], k.stau)
	}
	return nil
}

// step takes one step of the classical Runge-Kutta method; the first slope may be
// there already.
func (l *Loop) step(s *state, t, h float64, x []float64, ref Reference, first bool) error {
	for i, part := range [4]float64{0, h / 2, h / 2, h} {
		if i == 0 && first {
			continue
		}
		copy(s.at.x, s.x)
		copy(s.at.s, s.s)
		if i > 0 {
			axpy(s.at.x, part, s.k[i-1].x)
			axpy(s.at.s, part, s.k[i-1].s)
		}
		if err := l.slope(s, t+part, x, ref, &s.k[i]); err != nil {
			return err
		}
	}
	for i, weight := range [4]float64{h / 6, h / 3, h / 3, h / 6} {
		axpy(s.x, weight, s.k[i].x)
		axpy(s.s, weight, s.k[i].s)
	}
	copy(s.at.x, s.x)
	copy(s.at.s, s.s)
	return nil
}

func axpy(y []float64, a float64, x []float64) {
	for i, v := range x {
		y[i] += a * v
	}
}
