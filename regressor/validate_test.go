package regressor_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/mechanics/recursion"
	"ident/regressor"
	"ident/robot"
)

// Every package that computes with a robot refuses an invalid one, with the error
// of robot.Validate; none panics on an index that does not exist.
func TestInvalidRobots(t *testing.T) {
	for name, change := range map[string]func(r *robot.Robot){
		"antecedent":  func(r *robot.Robot) { r.Links[1].Antecedent = 2 },
		"mimics none": func(r *robot.Robot) { r.Mimics = []robot.Mimic{{Joint: 3, Of: 9, Multiplier: 1}} },
		"mimic of":    func(r *robot.Robot) { r.Mimics = []robot.Mimic{{Joint: 3, Of: -1, Multiplier: 1}} },
		"no mimic":    func(r *robot.Robot) { r.Mimics = []robot.Mimic{{Joint: 9, Of: 0, Multiplier: 1}} },
		"placement":   func(r *robot.Robot) { r.Links[2].Placement.P[1] = math.NaN() },
		"symbols":     func(r *robot.Robot) { r.Unset = []string{"D3"} },
	} {
		t.Run(name, func(t *testing.T) {
			r := testrobot.Random(rand.New(rand.NewPCG(1, 1)), 4, false)
			change(r)
			want := r.Validate()
			_, numeric := dynamics.New(r)
			_, linear := regressor.NewDynamic(r, regressor.DefaultTerms())
			_, graph := recursion.New(r, recursion.Options{})
			for room, got := range map[string]error{"dynamics": numeric, "regressor": linear, "recursion": graph} {
				var invalid *robot.InvalidError
				if !errors.As(got, &invalid) || got.Error() != want.Error() {
					t.Errorf("%s: %v; robot.Validate: %v", room, got, want)
				}
			}
		})
	}
}
