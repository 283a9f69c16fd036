package doctor_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
)

// fault is something that goes wrong in one log.
type fault struct {
	name     string
	inject   func(e *experiment)
	id       string
	severity doctor.Severity
	channel  string
	joint    string  // where no channel is named
	where    string  // a part of Where
	fix      string  // a part of Fix
	value    float64 // of Value, within a tenth; 0 where it is not looked at
	only     bool    // no other warning or error may appear
}

const rate = 500.0

func faults() []fault {
	all := func(e *experiment, set [][]float64, factor float64) {
		for j := range set {
			for k := range set[j] {
				set[j][k] *= factor
			}
		}
	}
	delay := func(x []float64, rows float64) {
		old := slices.Clone(x)
		n := int(math.Floor(rows))
		for k := range x {
			i, f := max(k-n, 1), rows-float64(n)
			x[k] = (1-f)*old[i] + f*old[i-1]
		}
	}
	cut := func(e *experiment, from, to int) {
		e.t = slices.Delete(e.t, from, to)
		for _, set := range [][][]float64{e.q, e.dq, e.tau} {
			for j := range set {
				set[j] = slices.Delete(set[j], from, to)
			}
		}
	}
	return []fault{
		{name: "NaN time", inject: func(e *experiment) { e.t[1234] = math.NaN() }, id: doctor.Dropout, severity: doctor.Error, channel: "t", where: "row 1235", fix: "{on-bad} drop", value: 1, only: true},
		{name: "repeated time", inject: func(e *experiment) { e.t[1234] = e.t[1233] }, id: doctor.ClockRepeat, severity: doctor.Error, channel: "t", where: "row 1235", fix: "{on-bad} drop", value: 1, only: true},
		{name: "backward time", inject: func(e *experiment) { e.t[1234] -= 0.5 }, id: doctor.ClockBackward, severity: doctor.Error, channel: "t", where: "row 1235", fix: "{on-bad} drop", value: -0.498},
		{name: "gap", inject: func(e *experiment) { cut(e, 3000, 3200) }, id: doctor.ClockGap, severity: doctor.Warning, channel: "t", where: "row 3001", fix: "{rows}", value: 0.402, only: true},
		{name: "heavy jitter", inject: func(e *experiment) {
			rng := rand.New(rand.NewPCG(5, 5))
			for k := range e.t {
				e.t[k] += 0.48 * rng.Float64() * math.Copysign(2, float64(k%2)-0.5) / rate
			}
			slices.Sort(e.t)
		}, id: doctor.ClockJitter, severity: doctor.Info, channel: "t", where: "row", fix: "read on the steady clock"},
		{name: "declared rate", inject: func(e *experiment) { e.opt.Rate = 5000 }, id: doctor.ClockRate, severity: doctor.Error, channel: "t", where: "whole", fix: "units", value: rate, only: true},
		{name: "time in milliseconds", inject: func(e *experiment) {
			for k := range e.t {
				e.t[k] *= 1000
			}
		}, id: doctor.ClockRate, severity: doctor.Error, channel: "t", where: "whole", fix: "ms", value: rate / 1000, only: true},
		{name: "time ten times too fast", inject: func(e *experiment) {
			for k := range e.t {
				e.t[k] /= 10
			}
		}, id: doctor.ClockRate, severity: doctor.Error, channel: "t", where: "whole", value: 0.1},
		{name: "missing position", inject: func(e *experiment) { e.q[2][777] = math.NaN() }, id: doctor.Dropout, severity: doctor.Error, channel: "q3", where: "row 778", fix: "{on-bad} drop", value: 1, only: true},
		{name: "infinite torque", inject: func(e *experiment) { e.tau[4][777] = math.Inf(-1) }, id: doctor.Dropout, severity: doctor.Error, channel: "tau5", where: "row 778", fix: "{on-bad} drop", value: 1, only: true},
		{name: "absurd position", inject: func(e *experiment) { e.q[0][4321] = 3e306 }, id: doctor.Spike, severity: doctor.Error, channel: "q1", where: "row 4322", fix: "{on-bad} drop", value: 3e306, only: true},
		{name: "absurd torque", inject: func(e *experiment) { e.tau[5][4321] = -1e7 }, id: doctor.Spike, severity: doctor.Error, channel: "tau6", where: "row 4322", fix: "{on-bad} drop", value: 1e7, only: true},
		{name: "lone position", inject: func(e *experiment) { e.q[1][4321] += 5 }, id: doctor.Spike, severity: doctor.Error, channel: "q2", where: "row 4322", fix: "{mend}", value: 5},
		{name: "zeros between torques", inject: func(e *experiment) {
			for k := range e.tau[1] {
				if k%10 != 0 {
					e.tau[1][k] = 0
				}
			}
		}, id: doctor.Dropout, severity: doctor.Error, channel: "tau2", where: "rows", value: 0.9},
		{name: "late velocity", inject: func(e *experiment) { delay(e.dq[3], 18) }, id: doctor.LagVelocity, severity: doctor.Warning, channel: "dq4", fix: "removes this lag by itself", value: 18 / rate, only: true},
		{name: "velocity one sample late", inject: func(e *experiment) { delay(e.dq[3], 1) }, id: doctor.LagVelocity, severity: doctor.Warning, channel: "dq4", fix: "removes this lag by itself", value: 1 / rate, only: true},
		{name: "velocity of another joint", inject: func(e *experiment) { e.dq[3] = slices.Clone(e.dq[1]) }, id: doctor.LagVelocity, severity: doctor.Warning, channel: "dq4", fix: "{map}", only: true},
		{name: "velocity in rpm", inject: func(e *experiment) { all(e, e.dq, 30/math.Pi) }, id: doctor.Units, severity: doctor.Warning, channel: "dq3", fix: "rpm", value: 30 / math.Pi, only: true},
		{name: "velocity in deg/s", inject: func(e *experiment) { all(e, e.dq[2:3], 180/math.Pi) }, id: doctor.Units, severity: doctor.Warning, channel: "dq3", fix: "deg/s", value: 180 / math.Pi, only: true},
		{name: "velocity scale", inject: func(e *experiment) { all(e, e.dq[2:3], 1.05) }, id: doctor.GearRatio, severity: doctor.Warning, channel: "dq3", value: 1.05, only: true},
		{name: "velocity sign", inject: func(e *experiment) { all(e, e.dq[2:3], -1) }, id: doctor.Sign, severity: doctor.Warning, channel: "dq3", fix: "{scale} dq3=-1", value: -1, only: true},
		{name: "dead velocity", inject: func(e *experiment) { all(e, e.dq[2:3], 0) }, id: doctor.Dead, severity: doctor.Warning, channel: "dq3", fix: "{velocity} position", only: true},
		{name: "dead torque", inject: func(e *experiment) { all(e, e.tau[4:5], 0) }, id: doctor.Dead, severity: doctor.Error, channel: "tau5", fix: "{map}", only: true},
		{name: "dead position", inject: func(e *experiment) { all(e, e.q[3:4], 0) }, id: doctor.Dead, severity: doctor.Error, channel: "q4", fix: "{map}"},
		{name: "locked joint", inject: func(e *experiment) {
			for k := range e.t {
				e.q[3][k], e.dq[3][k] = 0.5, 0
			}
		}, id: doctor.Dead, severity: doctor.Warning, channel: "q4", fix: "look at this channel"}, // the torques say that it moved
		{name: "joint that hardly moves", inject: func(e *experiment) {
			all(e, e.q[3:4], 1e-3)
			all(e, e.dq[3:4], 1e-3)
		}, id: doctor.ExcitationSmall, severity: doctor.Warning, channel: "q4", fix: "design-trajectory"},
		{name: "stuck torque", inject: func(e *experiment) {
			for k := 5000; k < 5200; k++ {
				e.tau[1][k] = e.tau[1][5000]
			}
		}, id: doctor.Stuck, severity: doctor.Warning, channel: "tau2", where: "row 5001", fix: "rows 5001 to 5200", value: 0.4, only: true},
		{name: "held position", inject: func(e *experiment) {
			for k := 5000; k < 5200; k++ {
				e.q[1][k] = e.q[1][5000]
			}
		}, id: doctor.Stuck, severity: doctor.Error, channel: "q2", where: "row 5001", fix: "rows 5001 to 5200", value: 0.4},
		{name: "saturated torque", inject: func(e *experiment) {
			for k, v := range e.tau[1] {
				e.tau[1][k] = math.Min(v, 0.6*slices.Max(e.tau[1][4000:9000]))
			}
		}, id: doctor.Saturated, severity: doctor.Warning, channel: "tau2", where: "row", fix: "{on-bad}"},
		{name: "torque saturated once in each direction", inject: func(e *experiment) {
			x := e.tau[1]
			limit := max(slices.Max(x), -slices.Min(x))
			for _, sign := range []float64{1, -1} {
				at := 0
				for k, v := range x {
					if sign*v > sign*x[at] {
						at = k
					}
				}
				for k := max(0, at-100); k < min(len(x), at+100); k++ {
					x[k] = sign * limit
				}
			}
		}, id: doctor.Saturated, severity: doctor.Warning, channel: "tau2", where: "row", fix: "{on-bad}", only: true},
		{name: "filter edge", inject: func(e *experiment) {
			n := len(e.t)
			for k := n - 150; k < n; k++ {
				e.dq[5][k] += 0.8 * float64(k-n+150) / 150
			}
		}, id: doctor.EdgeTransient, severity: doctor.Warning, channel: "dq6", where: "last", fix: "{trim} 0.5", only: true},
		{name: "positions in counts of an encoder", inject: func(e *experiment) {
			for _, q := range e.q {
				for k := range q {
					q[k] = math.Round(8192 + 16384/(2*math.Pi)*q[k])
				}
			}
		}, id: doctor.Units, severity: doctor.Error, channel: "q3", fix: "{scale} q3=0.000383495 {zero} q3=8192 for 16384 counts a turn"},
		{name: "positions in degrees", inject: func(e *experiment) { all(e, e.q, 180/math.Pi) }, id: doctor.Units, severity: doctor.Error, channel: "q3", fix: "deg", only: true},
		{name: "positions in degrees, no velocity", inject: func(e *experiment) {
			all(e, e.q, 180/math.Pi)
			for j := range e.q {
				e.skip[fmt.Sprintf("dq%d", j+1)] = true
			}
		}, id: doctor.Units, severity: doctor.Error, channel: "q3", fix: "deg"},
		{name: "motor side", inject: func(e *experiment) {
			all(e, e.q[2:3], 100)
			all(e, e.dq[2:3], 100)
		}, id: doctor.Units, severity: doctor.Error, channel: "q3"},
		{name: "newton millimetres", inject: func(e *experiment) {
			for i := range e.robot.Links {
				e.robot.Links[i].Joint.Effort = 2 * norm(e.tau[i])
			}
			all(e, e.tau, 1000)
		}, id: doctor.Units, severity: doctor.Error, channel: "tau3", fix: "N.mm"},
		{name: "torques of no scale", inject: func(e *experiment) { all(e, e.tau, 1e-100) }, id: doctor.ImpossibleScale, severity: doctor.Error, channel: "tau1", where: "whole", fix: "units", only: true},
		{name: "times of no scale", inject: func(e *experiment) {
			for k := range e.t {
				e.t[k] *= 1e-300
			}
		}, id: doctor.ImpossibleScale, severity: doctor.Error, channel: "t", where: "whole", fix: "units"},
		{name: "currents", inject: func(e *experiment) { e.current = true }, id: doctor.CurrentAsTorque, severity: doctor.Warning, channel: "i2", fix: "{gains}", only: true},
		{name: "milliamperes", inject: func(e *experiment) {
			e.current = true
			e.opt.State.Gains = []float64{1, 1, 1, 1, 1, 1}
			all(e, e.tau[1:2], 1000)
		}, id: doctor.Units, severity: doctor.Warning, channel: "i2", fix: "mA", only: true},
		{name: "joints that move together", inject: func(e *experiment) {
			e.q[2], e.dq[2] = slices.Clone(e.q[1]), slices.Clone(e.dq[1])
		}, id: doctor.ExcitationCollinear, severity: doctor.Warning, where: "whole", fix: "design-trajectory"},
		{name: "nothing moves", inject: func(e *experiment) {
			all(e, e.q, 1e-3)
			all(e, e.dq, 1e-3)
		}, id: doctor.ExcitationSmall, severity: doctor.Error, where: "whole"},
		{name: "joint that is not in the log", inject: func(e *experiment) {
			e.skip["q3"], e.skip["dq3"], e.skip["tau3"] = true, true, true
		}, id: doctor.Dead, severity: doctor.Warning, joint: "J3", fix: "{lock} J3="},
		{name: "effort without position", inject: func(e *experiment) {
			e.skip["q3"], e.skip["dq3"] = true, true
		}, id: doctor.Dead, severity: doctor.Error, channel: "tau3", fix: "{map}"},
		{name: "position without effort", inject: func(e *experiment) { e.skip["tau3"] = true }, id: doctor.Dead, severity: doctor.Warning, channel: "q3", fix: "{map}"},
		{name: "short log", inject: func(e *experiment) { cut(e, 10, len(e.t)) }, id: doctor.ExcitationSmall, severity: doctor.Error, channel: "t", where: "whole", value: 10, only: true},
		// The torques refute that the clock is wrong, and a fit takes no velocities.
		{name: "velocities of no scale", inject: func(e *experiment) { all(e, e.dq, 1e-200) }, id: doctor.ClockRate, severity: doctor.Info, channel: "t", where: "whole", value: 1e-200, only: true},
		{name: "time that stands", inject: func(e *experiment) { clear(e.t) }, id: doctor.ClockRate, severity: doctor.Error, channel: "t", fix: "{map} t="},
	}
}

// Every fault, put into an otherwise sound log, is found, named and located.
func TestFaults(t *testing.T) {
	for i, c := range faults() {
		if i%draws.Of(1, 38) != 0 {
			continue // some, all with IDENT_LONG
		}
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(100+i), 3))
			r := sixAxis(rng)
			e := run(r, rng, rate, 25).measure(rng, 2*math.Pi/float64(int(1)<<19), 2e-3, 0.01)
			c.inject(e)
			found := e.findings(t)
			hit := false
			for _, f := range found {
				ok := f.ID == c.id && f.Severity == c.severity && f.Channel == c.channel &&
					strings.Contains(f.Where, c.where) && strings.Contains(f.Advice(), c.fix) &&
					(c.value == 0 || math.Abs(f.Value/c.value-1) < 0.1)
				if ok && c.channel != "" && c.channel != "t" {
					want := fmt.Sprintf("J%c", c.channel[len(c.channel)-1])
					ok = f.Joint == want
				}
				hit = hit || (ok && (c.joint == "" || f.Joint == c.joint))
				if c.only && !ok && f.Severity != doctor.Info && (f.ID != c.id || f.Severity != c.severity) {
					t.Error("beside the fault: " + show(f))
				}
			}
			if !hit {
				t.Errorf("%s %s of %q not found among", c.severity, c.id, c.channel)
				for _, f := range found {
					t.Log(show(f))
				}
			}
		})
	}
}
