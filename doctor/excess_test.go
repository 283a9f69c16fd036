package doctor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/doctor"
)

// Currents of a sound log are not unexplained where no gains are known: each joint's is the torque by a factor of its own.
func TestCurrentsWithoutGainsAreExplained(t *testing.T) {
	for _, gained := range []bool{true, false} {
		rng := rand.New(rand.NewPCG(37, 3))
		e := run(sixAxis(rng), rng, 100, 24).measure(rng, 0, 1e-4, 0.003)
		e.current = true
		for j := range e.tau {
			gain := 4 + 3*float64(j)
			times(e.tau[j], 1/gain)
			if gained {
				e.robot.Links[e.robot.Moving()[j]].Joint.Gain = gain
			}
		}
		for _, e.opt.Attested = range []bool{false, true} {
			for _, f := range e.findings(t) {
				if f.ID == doctor.Unexplained {
					t.Errorf("gains %v: %s", gained, show(f))
				}
			}
		}
	}
}

// The joint that leaves most beyond bodies, friction and noise is told first: it has the fault, and its neighbours a part of it.
func TestLargestExcessFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 3))
	e := run(sixAxis(rng), rng, 100, 24).measure(rng, 0, 1e-4, 0.003)
	for _, by := range []struct {
		joint int
		part  float64
	}{{1, 0.2}, {4, 0.8}} {
		size := by.part * norm(e.tau[by.joint])
		for k, at := range e.t {
			e.tau[by.joint][k] += size * math.Sin(2.3*at) * math.Sin(5.1*at+float64(by.joint))
		}
	}
	var told []doctor.Finding
	for _, f := range e.findings(t) {
		if f.ID == doctor.Unexplained {
			told = append(told, f)
		}
	}
	if len(told) < 2 || told[0].Channel != "tau5" || !(told[0].Value > told[1].Value) {
		t.Errorf("told: %v", told)
	}
}
