package doctor_test

import (
	"math/rand/v2"
	"testing"

	"ident/doctor"
	"ident/robot"
)

// Gravity of a size that it has nowhere on the ground is named, with the size that explains the log, and nothing that follows from it is. A log
// from under that gravity, or one without the robot's weight, has no such finding.
func TestGravitySize(t *testing.T) {
	for _, c := range []struct {
		declared, acts float64
		named          bool
	}{{1.62, 9.81, true}, {981, 9.81, true}, {3.7, 9.81, true}, {9.81, 9.81, false}, {1.62, 1.62, false}, {25, 25, false}} {
		for name, r := range map[string]*robot.Robot{"puma": puma(), "ur10": ur10()} {
			rng := rand.New(rand.NewPCG(66, 0))
			r.Gravity = [3]float64{0, 0, -c.acts}
			e := run(r, rng, 100, 12).measure(rng, 0, 1e-5, 0.01)
			g := [3]float64{0, 0, -c.declared}
			e.opt.Gravity, e.opt.Pinned = &g, []string{"gravity"}
			named, other := false, ""
			for _, f := range e.findings(t) {
				if f.ID == doctor.Gravity && f.Severity == doctor.Error && f.Value == c.declared {
					named = true
				} else if f.Severity != doctor.Info {
					other = show(f)
				}
			}
			if named != c.named || other != "" {
				t.Errorf("%s under %g m/s², declared as %g: named %v, and %q", name, c.acts, c.declared, named, other)
			}
		}
	}
}
