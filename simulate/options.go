package simulate

import (
	"fmt"
	"math"

	"ident/internal/rowlist"
)

// Noise holds standard deviations of white Gaussian noise, in the channel's unit: one entry per joint, one for all, or
// none.
type Noise struct {
	Position []float64 `json:"position,omitempty"`
	Velocity []float64 `json:"velocity,omitempty"`
	Torque   []float64 `json:"torque,omitempty"`
}

// DefaultRate is the default sampling rate in Hz.
const DefaultRate = 1000.0

// Options describe the experiment. The zero value records one Duration of the motion at DefaultRate with ideal sensors.
// Slices must have one entry per joint, one for all, or none.
type Options struct {
	Rate          float64   `json:"rate_hz"`
	Duration      float64   `json:"duration_s"` // 0 for the motion's own
	Noise         Noise     `json:"noise"`
	Encoder       []float64 `json:"encoder,omitempty"`        // encoder step, rad or m per count
	TorqueQuantum []float64 `json:"torque_quantum,omitempty"` // N·m or N
	VelocityLag   float64   `json:"velocity_lag_s,omitempty"` // seconds
	TorqueLag     float64   `json:"torque_lag_s,omitempty"`   // seconds
	Acceleration  bool      `json:"acceleration,omitempty"`   // log the exact acceleration too
	Passive       bool      `json:"passive,omitempty"`        // log the exact positions of passive joints too
	Seed          uint64    `json:"seed"`
	Controller    string    `json:"controller,omitempty"` // law that moves the robot, as text; "" if it follows the motion exactly
	Payload       Payload   `json:"payload,omitzero"`     // payload, with a channel that says when it is attached
	Payloads      []Payload `json:"payloads,omitempty"`   // further payloads, numbered from 2 in the channel
	// Faults describes, as text, the faults that package simulate/sensors adds to the record.
	Faults string `json:"faults,omitempty"`
	// Measure lists the drive signals in the log: torque, current, voltage, pressure; by default only torque.
	Measure []string `json:"measure,omitempty"`
}

// each returns the entry of joint i of a list with one entry per joint, one for
// all or none.
func each(list []float64, i int) float64 {
	switch len(list) {
	case 0:
		return 0
	case 1:
		return list[0]
	}
	return list[i]
}

// complete fills in the defaults and checks the rest.
func (o *Options) complete(s Sampler, joints []string) error {
	if o.Rate == 0 {
		o.Rate = DefaultRate
	}
	if o.Duration == 0 {
		o.Duration = s.Duration()
	}
	bad := func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
	switch {
	case !(o.Rate > 0) || bad(o.Rate):
		return fmt.Errorf("simulate: a sampling rate of %.4g Hz; give a positive one", o.Rate)
	case !(o.Duration > 0) || bad(o.Duration):
		return fmt.Errorf("simulate: a duration of %g s; give a positive one", o.Duration)
	case o.Rate*o.Duration > 1<<31:
		return fmt.Errorf("simulate: %g s at %.4g Hz are %.3g samples; shorten the experiment", o.Duration, o.Rate, o.Rate*o.Duration)
	case !s.Periodic() && o.Duration > s.Duration()*(1+1e-9):
		return fmt.Errorf("simulate: a duration of %g s, but the motion ends after %g s and does not repeat", o.Duration, s.Duration())
	case bad(o.VelocityLag) || bad(o.TorqueLag) || o.VelocityLag < 0 || o.TorqueLag < 0:
		return fmt.Errorf("simulate: lags of %g s and %g s; give zero or more", o.VelocityLag, o.TorqueLag)
	}
	for _, l := range []struct {
		what string
		list []float64
	}{
		{"position noise", o.Noise.Position}, {"velocity noise", o.Noise.Velocity}, {"torque noise", o.Noise.Torque},
		{"encoder steps", o.Encoder}, {"torque quanta", o.TorqueQuantum},
	} {
		if n := len(l.list); n > 1 && n != len(joints) {
			return fmt.Errorf("simulate: %s of %s for %s; give one for all or one a joint", rowlist.Plural(n, "value"), l.what, rowlist.Plural(len(joints), "joint"))
		}
		for i, x := range l.list {
			if bad(x) || x < 0 {
				return fmt.Errorf("simulate: %s %g of joint %q; give zero or more", l.what, x, joints[i])
			}
		}
	}
	return nil
}
