package outputerror

import (
	"fmt"
	"slices"
	"strings"

	"ident/simulate/servo"
)

// leastRate, in Hz, is the rate assumed for a law of unknown rate: joint controllers run at least as fast.
const leastRate = 500

// LawOf returns the law of a specification, which must be one of servo.JointLaws without a model, for logs with interval
// seconds between rows. It also returns the joints with an unknown encoder offset; values holds the known offsets, joint
// by joint.
//
// If both gains of a joint are known but not the drive's torque for one control unit, that is the unknown. If a gain is
// unknown as well, only their product is determined, and the drive counts as 1.
func LawOf(s *servo.Spec, interval float64) (law *Law, offsets []int, values []float64, err error) {
	if !slices.Contains(servo.JointLaws(), s.Law) || s.Adds != "" {
		return nil, nil, nil, fmt.Errorf("the law %s%s cannot be identified from its commands: choose one of %s", s.Law, plus(s.Adds), strings.Join(servo.JointLaws(), ", "))
	}
	derivative := "kd"
	if s.Law == "cascade" {
		derivative = "kv"
	}
	n := len(s.Gains["kp"])
	law = &Law{P: make([]float64, n), D: make([]float64, n), Limit: s.Gains["limit"], Period: 1 / s.Rate, Delay: s.Delay}
	if s.Law == "pd" {
		law.Forward = 1
	}
	if s.Rate == 0 {
		every := 1
		for float64(every)/interval < leastRate {
			every++
		}
		law.Period = interval / float64(every)
	}
	if servo.IsUnset(s.Delay) {
		law.Delay, law.Late = 0, true
	}
	for k := range n {
		kp, kd, gain := s.Gains["kp"][k], s.Gains[derivative][k], s.Gains["gain"][k]
		add := func(name string, p, d float64) {
			law.Gains = append(law.Gains, Gain{Name: fmt.Sprintf("%s%d", name, k+1), Joint: k, P: p, D: d, Kind: name})
		}
		if servo.IsUnset(gain) && (servo.IsUnset(kp) || servo.IsUnset(kd)) {
			gain = 1
		}
		cascade := s.Law == "cascade"
		switch {
		case servo.IsUnset(gain) && cascade:
			add("gain", kp*kd, kd)
		case servo.IsUnset(gain):
			add("gain", kp, kd)
		case servo.IsUnset(kp) && servo.IsUnset(kd) && cascade:
			// The product kp·kv multiplies the position error: it is the parameter that enters linearly.
			add("kp·kv", gain, 0)
			add("kv", 0, gain)
		case servo.IsUnset(kd) && cascade:
			add("kv", gain*kp, gain)
		case servo.IsUnset(kp) && cascade:
			add("kp", gain*kd, 0)
			law.D[k] = gain * kd
		case cascade:
			law.P[k], law.D[k] = gain*kp*kd, gain*kd
		default:
			if servo.IsUnset(kp) {
				add("kp", gain, 0)
			} else {
				law.P[k] = gain * kp
			}
			if servo.IsUnset(kd) {
				add("kd", 0, gain)
			} else {
				law.D[k] = gain * kd
			}
		}
	}
	values = make([]float64, n)
	for k, v := range s.Gains["offset"] {
		if servo.IsUnset(v) {
			offsets = append(offsets, k)
		} else {
			values[k] = v
		}
	}
	return law, offsets, values, nil
}

func plus(adds string) string {
	if adds == "" {
		return ""
	}
	return "+" + adds
}

// WithValues returns the law with values in place of its unknowns, by their names.
func (l *Law) WithValues(value func(name string) float64) *Law {
	out := *l
	gains := make([]float64, len(l.Gains))
	for i, g := range l.Gains {
		gains[i] = value(g.Name)
	}
	out.P, out.D = l.with(gains)
	out.Gains = nil
	if l.Late {
		out.Delay, out.Late = value(DelayName), false
	}
	return &out
}

// DelayName is the name of the parameter for an unknown delay.
const DelayName = "delay"

// OffsetName returns the name of the parameter for an unknown encoder offset; joints count from 0.
func OffsetName(joint int) string { return fmt.Sprintf("offset%d", joint+1) }
