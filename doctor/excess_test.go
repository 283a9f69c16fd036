package doctor_test

import (
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
