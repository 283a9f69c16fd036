package servo

import (
	"fmt"
	"math"
	"slices"
)

// Controller is a proportional law of each joint, in units of torque:
//
//	τ = P·(qr - q) + D·(Forward·dqr - dq), within ±Limit
type Controller struct {
	P       []float64 // N·m/rad or N/m
	D       []float64 // N·m·s/rad or N·s/m
	Forward float64   // fraction of the reference velocity that the law uses, 0 to 1
	Limit   []float64 // N·m or N; nil or 0 for none
}

// Cascade returns the controller of a position loop kp (1/s) around a velocity loop kv
// (control units a rad/s or m/s) on a drive that gives gain torque a control unit.
func Cascade(kp, kv, gain []float64) Controller {
	c := Controller{P: make([]float64, len(kp)), D: make([]float64, len(kp))}
	for k := range kp {
		c.D[k] = gain[k] * kv[k]
		c.P[k] = c.D[k] * kp[k]
	}
	return c
}

// PD returns the controller of gains kp and kd, in control units, with the same drive.
func PD(kp, kd, gain []float64) Controller {
	c := Controller{P: make([]float64, len(kp)), D: make([]float64, len(kp)), Forward: 1}
	for k := range kp {
		c.P[k], c.D[k] = gain[k]*kp[k], gain[k]*kd[k]
	}
	return c
}

// PV returns the controller of gains kp and kd, in control units, whose derivative acts on the measured velocity alone.
func PV(kp, kd, gain []float64) Controller {
	c := PD(kp, kd, gain)
	c.Forward = 0
	return c
}

// WithGain returns the controller whose drive at a joint makes factor times the torque of its command.
func (c Controller) WithGain(joint int, factor float64) Controller {
	by := func(x []float64) []float64 {
		if x == nil {
			return nil
		}
		x = slices.Clone(x)
		x[joint] *= factor
		return x
	}
	c.P, c.D, c.Limit = by(c.P), by(c.D), by(c.Limit)
	return c
}

// check refuses gains that cannot hold a joint.
func (c *Controller) check(joints int) error {
	if len(c.P) != joints || len(c.D) != joints || c.Limit != nil && len(c.Limit) != joints {
		return fmt.Errorf("servo: %d gains P, %d gains D and %d limits for a model of %d joints", len(c.P), len(c.D), len(c.Limit), joints)
	}
	for k := range joints {
		if !(c.P[k] > 0) || !(c.D[k] >= 0) || math.IsInf(c.P[k]+c.D[k], 0) {
			return fmt.Errorf("servo: joint %d has controller gains %g and %g: they must be positive and finite", k+1, c.P[k], c.D[k])
		}
		if c.Limit != nil && !(c.Limit[k] >= 0) {
			return fmt.Errorf("servo: joint %d has the torque limit %g: it must be zero or positive", k+1, c.Limit[k])
		}
	}
	return nil
}

// torque returns a joint's torque, and whether the drive is at its limit.
func (c *Controller) torque(k int, qr, dqr, q, dq float64) (tau float64, saturated bool) {
	tau = c.P[k]*(qr-q) + c.D[k]*(c.Forward*dqr-dq)
	if c.Limit == nil || c.Limit[k] == 0 || math.Abs(tau) <= c.Limit[k] {
		return tau, false
	}
	return math.Copysign(c.Limit[k], tau), true
}
