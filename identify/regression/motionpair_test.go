package regression

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/observation"
	"ident/result"
)

// A fast motion loses a part of itself in the motion's low-pass, which biases parameters of a log with little noise: the
// pair of fits names them, and their intervals hold the truth. Twice the cut-off cures it, and a slow motion has none of
// it.
func TestMotionPair(t *testing.T) {
	r := arm(2)
	for _, c := range []struct {
		name   string
		base   float64 // lowest of five harmonics, Hz
		cutoff float64 // of the motion, 0 for the default
		parts  bool
	}{{"fast", 0.5, 0, true}, {"fast, a higher cut-off", 0.5, 40, false}, {"slow", 0.1, 0, false}} {
		rec := simulate(t, r, newTrajectory(2, 5, c.base), steady(200, 20))
		rng := rand.New(rand.NewPCG(4, 4))
		for k := range rec.tau {
			for i := range rec.tau[k] {
				rec.tau[k][i] += 0.02 * rng.NormFloat64()
			}
		}
		run := rec.run("log")
		run.Roles.DDQ = make([]string, 2)
		out := fit(t, r, Config{Path: observation.Path{MotionCutoff: c.cutoff, Cutoff: 10}}, run)
		pair := out.Result.MotionPair
		if pair == nil {
			t.Fatalf("%s: no pair", c.name)
		}
		at := slices.IndexFunc(out.Result.Grade.Reasons, func(r result.Reason) bool { return r.ID == "motion-cutoff" })
		if at >= 0 != c.parts {
			t.Errorf("%s: reasons %+v, shifts %.2g ± %.2g", c.name, out.Result.Grade.Reasons, pair.Shift, pair.Error)
		}
		if !c.parts {
			continue
		}
		worst := 0
		for i, d := range pair.Shift {
			if math.Abs(d) > math.Abs(pair.Shift[worst]) {
				worst = i
			}
		}
		p := out.Result.BaseParameters[worst]
		if !strings.Contains(out.Result.Grade.Reasons[at].Why, p.Name) {
			t.Errorf("%s: %s is not named: %s", c.name, p.Name, out.Result.Grade.Reasons[at].Why)
		}
		if want := truth(out, r)[worst]; p.Low95 > want || want > p.High95 {
			t.Errorf("%s: %s = %g is outside %g to %g", c.name, p.Name, want, p.Low95, p.High95)
		}
	}
}
