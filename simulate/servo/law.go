package servo

import (
	"fmt"
	"math"
)

// Sample is the moment at which a law is asked for torques: the measured motion and the
// reference, one entry per joint, in rad or m and s.
type Sample struct {
	Time, Period  float64
	Q, DQ         []float64 // measured positions and velocities
	QR, DQR, DDQR []float64 // reference positions, velocities and accelerations
}

// Law is a control law: the torques (N·m or N) that it wants of the drives. One that has
// memory, such as an integral, serves one run; Fresh returns it as at the beginning.
type Law interface {
	Joints() int
	Torque(at Sample, tau []float64)
	Fresh() Law
}

// Model is the controller's own idea of its robot: the torques of a motion. It may be
// another robot than the one that moves.
type Model interface {
	InverseDynamics(tau, q, dq, ddq []float64)
}

// Frictional is a Model that knows friction. Laws add that of the reference's velocity: the
// sign of a measured one is noise near rest, and would shake the robot.
type Frictional interface {
	AddFriction(tau, dq []float64)
}

// addFriction adds the friction that a model knows.
func addFriction(m Model, tau, dq []float64) {
	if f, ok := m.(Frictional); ok {
		f.AddFriction(tau, dq)
	}
}

// Joints returns the number of joints.
func (c Controller) Joints() int { return len(c.P) }

// Fresh returns the controller, which has no memory.
func (c Controller) Fresh() Law { return c }

// Torque is the law of the type's comment.
func (c Controller) Torque(at Sample, tau []float64) {
	for k := range tau {
		tau[k], _ = c.torque(k, at.QR[k], at.DQR[k], at.Q[k], at.DQ[k])
	}
}

// PID adds the integral of the position error to a controller: its gain I, N·m/(rad·s) or
// N/(m·s). The integral stops growing while the controller is at its limit.
type PID struct {
	Controller
	I   []float64
	sum []float64 // N·m or N
}

// NewPID returns the law with an empty integral.
func NewPID(c Controller, i []float64) (*PID, error) {
	if len(i) != len(c.P) {
		return nil, fmt.Errorf("servo: integral gains of %d joints for a controller of %d", len(i), len(c.P))
	}
	for k, v := range i {
		if !(v >= 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("servo: joint %d has the integral gain %g: it must not be negative", k+1, v)
		}
	}
	return &PID{Controller: c, I: i, sum: make([]float64, len(i))}, nil
}

// Fresh returns the law with an empty integral.
func (p *PID) Fresh() Law {
	return &PID{Controller: p.Controller, I: p.I, sum: make([]float64, len(p.I))}
}

// Torque writes the torque of the controller plus the integral term, which includes the error of this sample.
func (p *PID) Torque(at Sample, tau []float64) {
	for k := range tau {
		free, _ := p.unlimited().torque(k, at.QR[k], at.DQR[k], at.Q[k], at.DQ[k])
		grown := p.sum[k] + p.I[k]*(at.QR[k]-at.Q[k])*at.Period
		tau[k] = free + grown
		if p.Limit != nil && p.Limit[k] > 0 && math.Abs(tau[k]) > p.Limit[k] {
			if tau[k]*(grown-p.sum[k]) < 0 { // the integral helps to leave the limit
				p.sum[k] = grown
			}
			tau[k] = math.Copysign(p.Limit[k], tau[k])
			continue
		}
		p.sum[k] = grown
	}
}

func (p *PID) unlimited() *Controller {
	c := p.Controller
	c.Limit = nil
	return &c
}

// Gravity adds to a law the model's torques at rest in the measured position.
type Gravity struct {
	Law
	Model Model
	work  [2][]float64
}

// NewGravity returns a law with compensation of gravity.
func NewGravity(l Law, m Model) *Gravity {
	g := &Gravity{Law: l, Model: m}
	for i := range g.work {
		g.work[i] = make([]float64, l.Joints())
	}
	return g
}

// Fresh returns the law as at the beginning.
func (g *Gravity) Fresh() Law { return NewGravity(g.Law.Fresh(), g.Model) }

// Torque is the sum of both.
func (g *Gravity) Torque(at Sample, tau []float64) {
	rest, weight := g.work[0], g.work[1]
	g.Model.InverseDynamics(weight, at.Q, rest, rest)
	g.Law.Torque(at, tau)
	for k, w := range weight {
		tau[k] += w
	}
}

// FeedForward adds to a law the model's torques of the reference: its position, velocity and
// acceleration.
type FeedForward struct {
	Law
	Model Model
	work  []float64
}

// NewFeedForward returns a law with feed-forward of the reference.
func NewFeedForward(l Law, m Model) *FeedForward {
	return &FeedForward{Law: l, Model: m, work: make([]float64, l.Joints())}
}

// Fresh returns the law as at the beginning.
func (f *FeedForward) Fresh() Law { return NewFeedForward(f.Law.Fresh(), f.Model) }

// Torque returns the torque of the law plus the feed-forward.
func (f *FeedForward) Torque(at Sample, tau []float64) {
	f.Model.InverseDynamics(f.work, at.QR, at.DQR, at.DDQR)
	addFriction(f.Model, f.work, at.DQR)
	f.Law.Torque(at, tau)
	for k, v := range f.work {
		tau[k] += v
	}
}

// ComputedTorque linearises the robot by its model: the errors e of position obey
//
//	ë + Kv·ė + Kp·e = 0
//
// where the model is the robot (Paul 1972; the source text's (13.20), (13.21)):
//
//	τ = ID(q, dq, w) + friction(dqr), w = ddqr + Kv·(dqr - dq) + Kp·(qr - q)
type ComputedTorque struct {
	Model  Model
	Kp, Kv []float64 // 1/s², 1/s
	work   []float64
}

// NewComputedTorque returns the law of a model.
func NewComputedTorque(m Model, kp, kv []float64) (*ComputedTorque, error) {
	if len(kp) != len(kv) {
		return nil, fmt.Errorf("servo: gains kp of %d joints and kv of %d", len(kp), len(kv))
	}
	for k := range kp {
		if !(kp[k] > 0) || !(kv[k] >= 0) || math.IsInf(kp[k]+kv[k], 0) {
			return nil, fmt.Errorf("servo: joint %d has the gains kp %g and kv %g: they must be positive and finite", k+1, kp[k], kv[k])
		}
	}
	return &ComputedTorque{Model: m, Kp: kp, Kv: kv, work: make([]float64, len(kp))}, nil
}

// Joints returns the number of joints.
func (c *ComputedTorque) Joints() int { return len(c.Kp) }

// Fresh returns the law for another run.
func (c *ComputedTorque) Fresh() Law {
	return &ComputedTorque{Model: c.Model, Kp: c.Kp, Kv: c.Kv, work: make([]float64, len(c.Kp))}
}

// Torque is the law of the type's comment.
func (c *ComputedTorque) Torque(at Sample, tau []float64) {
	for k := range c.work {
		c.work[k] = at.DDQR[k] + c.Kv[k]*(at.DQR[k]-at.DQ[k]) + c.Kp[k]*(at.QR[k]-at.Q[k])
	}
	c.Model.InverseDynamics(tau, at.Q, at.DQ, c.work)
	addFriction(c.Model, tau, at.DQR)
}
