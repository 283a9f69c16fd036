package elastic

import (
	"context"
	"fmt"

	"ident/robot"
	"ident/simulate/plant"
)

// linkMotion integrates the links of a machine, whose joints are all elastic, behind given motions of the motors:
//
//	M(q)·q̈ + h(q, q̇) = s(θ−q, θ̇−q̇)
type linkMotion struct {
	m       *Machine
	springs []Spring // with the parameters at hand, Q and Motor as the machine's
	plant   *plant.Plant
	theta   [3][][]float64 // of the motors by spring: position, velocity, acceleration at the samples
	turns   []turns        // by spring; nil of smooth motions
	dt      float64
	x, dx   []float64 // scratch of x = (q, θ)
	at      int       // sample at which the present interval begins
}

// newLinkMotion returns a linkMotion with the links' parameters and the springs of a robot, and the given motion of the
// motors.
func newLinkMotion(m *Machine, identified *robot.Robot, x [3][][]float64, reversals []turns, dt, tolerance float64) (*linkMotion, error) {
	links := identified.Clone()
	l := &linkMotion{m: m, turns: reversals, dt: dt, x: make([]float64, m.Coordinates()), dx: make([]float64, m.Coordinates())}
	for j := range links.Links {
		n := &links.Links[j].Joint
		n.Ia, n.Fv, n.Fs, n.Fo = 0, 0, 0, 0
	}
	for _, s := range m.Springs {
		s.Elasticity = identified.Links[s.Link].Joint.Elasticity
		l.springs = append(l.springs, s)
		for d := range l.theta {
			l.theta[d] = append(l.theta[d], x[d][s.Motor])
		}
	}
	var err error
	if l.plant, err = plant.New(links, plant.Options{Tolerance: tolerance}); err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	return l, nil
}

// Torque implements plant.Drive with the springs' torques on the links.
func (l *linkMotion) Torque(t float64, q, dq, tau []float64) {
	copy(l.x, q)
	copy(l.dx, dq)
	u := t/l.dt - float64(l.at)
	for i, s := range l.springs {
		l.x[s.Motor], l.dx[s.Motor] = between(l.theta[0][i], l.theta[1][i], l.theta[2][i], l.turns[i], l.at, u, l.dt)
	}
	springTorques(tau, l.springs, l.x, l.dx)
}

// quintic returns position and velocity, u intervals after sample k, of the polynomial of the fifth degree through the
// positions, velocities and accelerations of samples k and k+1.
func quintic(x, dx, ddx []float64, k int, u, h float64) (position, velocity, acceleration float64) {
	k = min(k, len(x)-2)
	a, b, c := x[k], h*dx[k], h*h*ddx[k]/2
	// The remaining part u³·(d + e·u + f·u²) makes up the differences at u = 1.
	p, v, w := x[k+1]-a-b-c, h*dx[k+1]-b-2*c, h*h*ddx[k+1]-2*c
	d, e, f := 10*p-4*v+w/2, -15*p+7*v-w, 6*p-3*v+w/2
	return a + u*(b+u*(c+u*(d+u*(e+u*f)))), (b + u*(2*c+u*(3*d+u*(4*e+u*5*f)))) / h, (2*c + u*(6*d+u*(12*e+u*20*f))) / (h * h)
}

// run integrates from a state at sample 0 and stores positions, velocities and accelerations at all samples.
func (l *linkMotion) run(ctx context.Context, q0, dq0 []float64, out [3][][]float64) error {
	l.at = 0
	motion := l.plant.Start(0, q0, dq0)
	n := len(q0)
	tau, friction, ddq := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range out[0][0] {
		if k > 0 {
			l.at = k - 1
			if err := motion.Advance(ctx, float64(k)*l.dt, l); err != nil {
				return fmt.Errorf("elastic: %w", err)
			}
		}
		l.at = k
		if err := motion.At(l, ddq, tau, friction); err != nil {
			return fmt.Errorf("elastic: %w", err)
		}
		for i := range n {
			out[0][i][k], out[1][i][k], out[2][i][k] = motion.Q()[i], motion.DQ()[i], ddq[i]
		}
	}
	return nil
}
