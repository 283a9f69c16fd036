package outputerror

import (
	"fmt"
	"slices"
	"strings"

	"ident/simulate/servo"
)

// leastRate, Hz, is the rate of a law whose rate is not known: controllers of joints are sampled as often at least.
const leastRate = 500

// LawOf is the law of a specification, one of servo.JointLaws without a model, for logs with so many seconds from row to row;
// and the joints whose encoder's offset is unknown. Known offsets are in values, joint by joint.
//
// Where both gains of a joint are known and the drive's torque a control unit is not, the one unknown is that; where
// a gain is unknown as well, only their product is determined, and the drive is taken to give 1.
func LawOf(s *servo.Spec, interval float64) (law *Law, offsets []int, values []float64, err error) {
	if !slices.Contains(servo.JointLaws(), s.Law) || s.Adds != "" {
		return nil, nil, nil, fmt.Errorf("the law %s%s cannot be identified from its commands: it is %s", s.Law, plus(s.Adds), strings.Join(servo.JointLaws(), ", "))
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

// WithValues is the law with values instead of its unknowns, by their names.
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

// DelayName is the parameter's name of an unknown delay.
const DelayName = "delay"

// OffsetName is that of the unknown offset of a joint's encoder, from 0.
func OffsetName(joint int) string { return fmt.Sprintf("offset%d", joint+1) }
