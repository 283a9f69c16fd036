package regression

import (
	"strings"
	"testing"

	"ident/observation"
	"ident/result"
)

// The source of velocities is a decision with a figure for either, where the log has both and nobody pinned it.
func TestVelocityDecision(t *testing.T) {
	r := arm(2)
	rec := simulate(t, r, newTrajectory(2, 1, 0.1), steady(200, 20))
	quiet, loud := rec.noisy(1, motionErrors{position: 1e-5, velocity: 1e-4}), rec.noisy(1, motionErrors{position: 1e-5, velocity: 0.1})
	for _, c := range []struct {
		name   string
		run    Run
		cfg    Config
		chosen string // "" for no decision
	}{
		{"quiet", quiet.run("a"), Config{Path: observation.Path{Cutoff: 10}}, observation.Measured},
		{"loud", loud.run("a"), Config{Path: observation.Path{Cutoff: 10}}, observation.FromPosition},
		{"pinned", quiet.run("a"), Config{Path: observation.Path{Cutoff: 10, Velocity: observation.Measured}}, ""},
		{"plain", quiet.run("a"), Config{Path: observation.Path{Cutoff: 10}, Plain: true}, ""},
		{"no channel", positionsOnly(quiet.run("a")), Config{Path: observation.Path{Cutoff: 10}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := fit(t, r, c.cfg, c.run)
			var made *result.Decision
			for i, d := range out.Result.Selection {
				if d.Decision == "velocity" {
					made = &out.Result.Selection[i]
				}
			}
			switch {
			case c.chosen == "" && made != nil:
				t.Errorf("a decision %+v", *made)
			case c.chosen == "":
			case made == nil || made.Chosen != c.chosen || len(made.Candidates) != 2 || !strings.Contains(made.Why, "disagree"):
				t.Errorf("%+v, want %s of two candidates", made, c.chosen)
			case (made.Candidates[0].Percent > made.Candidates[1].Percent) != (c.chosen == observation.FromPosition):
				t.Errorf("figures %+v speak against the choice", made.Candidates)
			}
		})
	}
}
