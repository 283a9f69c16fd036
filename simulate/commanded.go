package simulate

import (
	"fmt"
	"math"

	"ident/robot"
	"ident/robot/drives"
	"ident/simulate/plant"
)

// Commanded are torques asked of the drives of the independent joints, and the state in which the robot starts.
type Commanded struct {
	plant.Commands
	Q, DQ []float64     // rad or m and their rates at the first time; nil for zero
	Plant plant.Options // friction beside the robot's; Drives and Push must be zero
}

// NewCommanded prepares an experiment in which the robot moves by given torques alone: forward dynamics with sticking friction
// (package plant). The record begins at time zero, the first time of the commands. The motion and torques recorded are those of the
// robot and its drives; options without noise make perfect sensors. Lags of sensors and payloads are errors.
func NewCommanded(r *robot.Robot, c Commanded, opt Options) (*Simulation, error) {
	n := len(c.Tau)
	if opt.VelocityLag != 0 || opt.TorqueLag != 0 || opt.Payload.Link != "" {
		return nil, fmt.Errorf("simulate: lags of velocity and torque, and payloads, need a motion that is followed exactly: leave them out under given torques")
	}
	for j, tau := range c.Tau {
		for row, v := range tau {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("simulate: torque of drive %d in row %d is %g: it must be finite", j+1, row+1, v)
			}
		}
	}
	// The times are checked as those of a recorded motion, the torques as its positions.
	if _, err := NewRecorded(c.T, c.Tau, nil, nil); err != nil {
		return nil, fmt.Errorf("torques of the drives: %w", err)
	}
	at := c.Start()
	c.Q = at.Q
	if c.DQ == nil {
		c.DQ = make([]float64, n)
	}
	for i := range c.Q {
		if v := c.Q[i] + c.DQ[i]; math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("simulate: joint %d starts at %g with the velocity %g", i+1, c.Q[i], c.DQ[i])
		}
	}
	x, err := New(r, at, opt)
	if err != nil {
		return nil, err
	}
	if drives.Any(x.drives) {
		c.Plant.Drives = x.drives
	}
	x.outline.warms = c.Plant.Warming != nil
	shifted := make([]float64, len(c.T))
	for k, t := range c.T {
		shifted[k] = t - c.T[0]
	}
	c.T = shifted
	k := &control{commanded: &c}
	if k.plant, err = plant.New(r, c.Plant); err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}
	x.control = k
	return x, nil
}

// Start returns the motion of the robot that stands where it starts, for the time of the commands.
func (c *Commanded) Start() Standing {
	at := Standing{Q: c.Q}
	if n := len(c.T); n > 0 {
		at.Seconds = c.T[n-1] - c.T[0]
	}
	if at.Q == nil {
		at.Q = make([]float64, len(c.Tau))
	}
	return at
}

// Standing is the motion of a robot that stands.
type Standing struct {
	Q       []float64 // rad or m
	Seconds float64
}

// DOF returns the number of joints.
func (s Standing) DOF() int { return len(s.Q) }

// Duration returns the time for which the robot stands.
func (s Standing) Duration() float64 { return s.Seconds }

// Periodic returns false.
func (s Standing) Periodic() bool { return false }

// Eval stores the position, which does not change.
func (s Standing) Eval(_ float64, q, dq, ddq []float64) {
	copy(q, s.Q)
	clear(dq)
	clear(ddq)
}
