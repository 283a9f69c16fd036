package identify

import (
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/physical"
	"ident/result"
	"ident/robot"
)

// Possible estimates from a short, noisy log are drawn to the bodies of the robot file where those are the
// robot's, and to nothing where they are placeholders, where the file gives none, or where the choice is not asked for.
func TestPriorChoice(t *testing.T) {
	long.NotShort(t, "physical.TestChooseWeight has the choice")
	true3 := arm(3)
	rec := simulate(t, true3, newTrajectory(3, 4, 0.1), steady(100, 8))
	rng := rand.New(rand.NewPCG(3, 3))
	for k := range rec.tau {
		for i := range rec.tau[k] {
			rec.tau[k][i] += 0.7 * rng.NormFloat64()
		}
	}
	for _, c := range []struct {
		name   string
		bodies func(l *robot.Link)
		asked  bool
		want   string
	}{
		{"own bodies", func(*robot.Link) {}, true, ownPrior},
		{"placeholders", func(l *robot.Link) {
			l.Inertial = robot.InertialFromCentral(200, [3]float64{0, 0.5, 0}, [3][3]float64{{20, 0, 0}, {0, 30, 0}, {0, 0, 40}})
			l.Own = l.Inertial
		}, true, noPrior},
		{"no bodies", func(l *robot.Link) { l.Inertial, l.Own, l.HasInertial = robot.Inertial{}, robot.Inertial{}, false }, true, noPrior},
		{"not asked for", func(*robot.Link) {}, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := true3.Clone()
			for j := range r.Links {
				c.bodies(&r.Links[j])
			}
			cfg := Config{Consistent: new(physical.Options), Choices: Choices{Prior: c.asked}}
			out := fit(t, r, cfg, rec.run("a"))
			var made result.Decision
			for _, d := range out.Result.Selection {
				if d.Decision == "prior" {
					made = d
				}
			}
			if made.Chosen != c.want {
				t.Errorf("prior %q, want %q: %+v", made.Chosen, c.want, made)
			}
			weight := physical.NominalWeight
			if c.want == ownPrior {
				weight = StatisticalWeight
			}
			if got := out.Result.Consistency.PriorWeight; got != weight {
				t.Errorf("weight %g, want %g", got, weight)
			}
		})
	}
}
