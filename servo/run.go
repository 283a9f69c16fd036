package servo

import (
	"fmt"
	"math"
)

// Response is a simulated run: one slice a joint, one entry a sample.
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
	steps := 0
	for i := range n {
		t := start + float64(i)*dt
		if err := l.slope(s, t, x, ref, &s.k[0]); err != nil {
			return nil, err
		}
		if steps == 0 {
			if steps = l.opt.Steps; steps == 0 {
				steps = l.stepsFor(x, dt)
			}
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
		h := dt / float64(steps)
		for m := range steps {
			if err := l.step(s, t+float64(m)*h, h, x, ref, m == 0); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
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

// stepsFor returns the number of steps in an interval, after the inertia matrix was
// factorized at the start: the joints' own rates, as if each moved alone.
func (l *Loop) stepsFor(x []float64, dt float64) int {
	fastest := 0.0
	slope := make([]float64, l.joints)
	for i := range l.dry {
		d := &l.dry[i]
		for a, k := range d.joints {
			slope[k] += math.Abs(x[d.column]) * d.weight[a] * d.weight[a] / d.eps
		}
	}
	for k := range l.joints {
		// The diagonal of the inverse is the inverse of the inertia that joint k has
		// when the others are free, the smallest that it can have.
		inverse := l.inverseDiagonal(k)
		fastest = max(fastest, (l.ctl.D[k]+slope[k])*inverse, math.Sqrt(l.ctl.P[k]*inverse))
	}
	const resolution = 0.5 // of h·λ, see the package comment
	return min(max(1, int(math.Ceil(fastest*dt/resolution))), maxSteps)
}

// maxSteps an interval keeps a simulation with absurd parameters from taking for
// ever; beyond, it diverges and says so.
const maxSteps = 1000

// inverseDiagonal returns entry k of the diagonal of M⁻¹ = U⁻¹·U⁻ᵀ.
func (l *Loop) inverseDiagonal(k int) float64 {
	n := l.joints
	z := make([]float64, n)
	sum := 0.0
	for i := k; i < n; i++ { // Uᵀ·z = unit k
		if i == k {
			z[i] = 1
		}
		for j := k; j < i; j++ {
			z[i] -= l.mass[j*n+i] * z[j]
		}
		z[i] /= l.mass[i*n+i]
		sum += z[i] * z[i]
	}
	return sum
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
