package outputerror

import (
	"fmt"
	"math"
	"slices"
)

// Law is a proportional law of each joint with its clock, of which some gains and the delay
// may be unknown:
//
//	τ = P·(r − y) + D·(Forward·dr − dq), within ±Limit, P and D from Known and Gains
type Law struct {
	Forward float64   // fraction of the commanded velocity that the law uses, 0 to 1
	P, D    []float64 // the known part of the gains, N·m/rad and N·m·s/rad (N/m, N·s/m)
	Gains   []Gain    // the unknown gains
	Limit   []float64 // N·m or N; nil without limits, 0 for a joint without one
	Period  float64   // sampling period of the law, s
	Delay   float64   // seconds from a sample of the law until its torque acts; a first guess if Late
	Late    bool      // the delay is unknown and is estimated
}

// Gain is an unknown gain of one joint. Its value v adds v·P to the joint's proportional gain and v·D to its derivative
// gain.
type Gain struct {
	Name  string
	Kind  string // keyword of the specification: kp, kd, kv or gain
	Joint int
	P, D  float64
}

// Joints returns the number of joints.
func (l *Law) Joints() int { return len(l.P) }

// with returns all gains for given values of the unknown ones.
func (l *Law) with(gains []float64) (p, d []float64) {
	p, d = append([]float64(nil), l.P...), append([]float64(nil), l.D...)
	for i, g := range l.Gains {
		p[g.Joint] += gains[i] * g.P
		d[g.Joint] += gains[i] * g.D
	}
	return p, d
}

// check refuses a law that cannot be simulated.
func (l *Law) check(joints int) error {
	switch {
	case len(l.P) != joints || len(l.D) != joints || l.Limit != nil && len(l.Limit) != joints:
		return fmt.Errorf("a control law with %d position gains, %d velocity gains and %d torque limits: it needs one of each for each of %d joints, or no limits", len(l.P), len(l.D), len(l.Limit), joints)
	case !(l.Period > 0) || math.IsInf(l.Period, 0):
		return fmt.Errorf("a law with a period of %g s: give its rate in Hz", l.Period)
	case l.Period < leastPeriod:
		return fmt.Errorf("a law with a rate of %.3g Hz: give its rate in Hz, up to %.3g", 1/l.Period, 1/leastPeriod)
	case !(l.Delay >= 0) || l.Delay > maxDelay:
		return fmt.Errorf("a delay of %g s of the law: give zero or more, up to %g s", l.Delay, maxDelay)
	}
	gains := slices.Concat(l.P, l.D)
	for _, g := range l.Gains {
		gains = append(gains, g.P, g.D)
	}
	for _, v := range gains {
		if !(math.Abs(v) <= mostGain) {
			return fmt.Errorf("a law with a gain of %.3g: gains are in N·m/rad, N·m·s/rad, N/m or N·s/m, up to %.0e", v, mostGain)
		}
	}
	return nil
}

// leastPeriod, in seconds, and mostGain, in SI units, are far beyond those of drives, which compute at some tens of kilohertz and hold with
// 1e8 N/m at most. A simulation stays finite within them.
const (
	leastPeriod = 1e-5
	mostGain    = 1e12
)

// maxDelay, in seconds, exceeds the delay of every law that can hold a robot.
const maxDelay = 0.5

// scaling returns, by joint, the index of the unknown gain that multiplies the joint's position error, −1 if there is
// none.
func (l *Law) scaling() []int {
	out := make([]int, l.Joints())
	for k := range out {
		out[k] = -1
	}
	for i, g := range l.Gains {
		if g.P != 0 && out[g.Joint] < 0 {
			out[g.Joint] = i
		}
	}
	return out
}

// scalingNames returns the names of those gains.
func (l *Law) scalingNames() (names []string) {
	for _, at := range l.scaling() {
		if at >= 0 {
			names = append(names, l.Gains[at].Name)
		}
	}
	return names
}

// homogeneous reports whether no known part of the law fixes the scale of the torques.
func (l *Law) homogeneous() bool {
	known := func(v float64) bool { return v != 0 }
	return !slices.ContainsFunc(l.P, known) && !slices.ContainsFunc(l.D, known)
}
