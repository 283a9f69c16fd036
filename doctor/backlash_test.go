package doctor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
)

// Lost motion between the encoder and the joint is named with its joint and its size, whichever joint has it.
func TestBacklash(t *testing.T) {
	for _, c := range []struct {
		joint int
		lost  float64 // rad
	}{{1, 0.035}, {0, 0.018}, {2, 0.07}}[:draws.Of(3, 1)] {
		e := run(puma(), rand.New(rand.NewPCG(7, 36)), 200, 20).measure(rand.New(rand.NewPCG(8, 36)), 1e-5, 2e-3, 0.01)
		// The encoder leads the joint by half of the lost motion in the direction of its motion.
		for k, v := range e.dq[c.joint] {
			e.q[c.joint][k] += c.lost / 2 * math.Tanh(v/0.01)
		}
		found := e.findings(t)
		at := slices.IndexFunc(found, func(f doctor.Finding) bool { return f.ID == doctor.Backlash })
		if at < 0 {
			t.Errorf("joint %d, %g rad: no backlash", c.joint+1, c.lost)
			for _, f := range found {
				t.Log(show(f))
			}
			continue
		}
		if f := found[at]; f.Severity != doctor.Warning || f.Joint != e.robot.JointNames()[c.joint] || math.Abs(f.Value/c.lost-1) > 0.25 {
			t.Errorf("joint %d, %g rad: %s", c.joint+1, c.lost, show(f))
		}
	}
}
