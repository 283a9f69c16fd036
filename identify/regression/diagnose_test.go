package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/estimate"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
)

// disturbed is a run of an arm with white torque noise and a torque that its model
// lacks: added gives it from time, velocity and joint.
func disturbed(t *testing.T, seed uint64, added func(t, v float64, k int) float64) Run {
	t.Helper()
	r := arm(3)
	rng := rand.New(rand.NewPCG(seed, 21))
	rec := simulate(t, r, newTrajectory(3, seed, 0.1), steady(200, 60))
	for k := range rec.tau {
		for i := range rec.tau[k] {
			rec.tau[k][i] += 0.3 * rng.NormFloat64()
			if added != nil {
				rec.tau[k][i] += added(rec.t[i], rec.dq[k][i], k)
			}
		}
	}
	return rec.run("disturbed")
}

// A lack of the model is found, and only that: a Stribeck curve by the friction
// terms, an offset that drifts by the drift terms, a wave that no term explains by
// the correlation of the residuals, heavy tails by their kurtosis, and another
// payload by the runs.
func TestDiagnosis(t *testing.T) {
	long.Only(t, "TestErrorsByDefinition has the errors of an outcome")
	stribeck := func(_, v float64, k int) float64 {
		if k != 1 {
			return 0
		}
		return 3 * math.Copysign(math.Exp(-math.Abs(v)/0.2), v)
	}
	drift := func(at, _ float64, k int) float64 { return map[int]float64{2: 0.02 * at}[k] }
	wave := func(at, _ float64, k int) float64 { return map[int]float64{0: 1}[k] * math.Sin(23*at) }
	knock := func(at, _ float64, k int) float64 {
		if k == 0 && math.Mod(at, 3) < 0.02 {
			return 30
		}
		return 0
	}
	for _, c := range []struct {
		name  string
		added func(t, v float64, k int) float64
		doubt string
	}{
		{"nothing", nil, ""},
		{"stribeck", stribeck, "friction-lack-of-fit"},
		{"drift", drift, "drift"},
		{"wave", wave, "residual-whiteness"},
		{"knocks", knock, "residual-normality"},
	} {
		if !long.Set() && c.name != "nothing" && c.name != "drift" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			out := fit(t, arm(3), Config{Path: observation.Path{Cutoff: 10, Trim: 0.5, Velocity: "measured"}}, disturbed(t, 1, c.added))
			seen := map[string]bool{}
			for _, v := range out.Result.Verdicts {
				if v.Advice && !v.Pass {
					seen[v.ID] = true
					t.Logf("%s %.3g (%s)", v.ID, v.Value, v.Why)
				}
			}
			if c.doubt == "" && len(seen) > 0 || c.doubt != "" && !seen[c.doubt] {
				t.Errorf("doubts %v, want %q", seen, c.doubt)
			}
			if out.Result.Failed() {
				t.Error("advice failed the result")
			}
		})
	}
}

// Terms that the model does not lack are found significant as often as their
// level, with residuals that went through a low-pass.
func TestTermsLevel(t *testing.T) {
	seeds := long.Of(60, 2)
	below, tests := 0, 0
	for seed := range seeds {
		run := disturbed(t, uint64(seed)+10, nil)
		run.Log = run.Log.Slice(0, 4000)
		run.Last = 4000
		out := fit(t, arm(3), Config{Path: observation.Path{Cutoff: 10, Trim: 0.5, Velocity: "measured"}}, run)
		for _, x := range out.Result.Diagnosis.Terms {
			for _, e := range []estimate.Explained{x.Friction, x.Drift} {
				tests++
				if e.P < 0.05 {
					below++
				}
			}
		}
	}
	n, p := float64(tests), 0.05
	share := float64(below) / n
	t.Logf("%d tests, %.1f %% below 5 %%", tests, 100*share)
	// Inflations of a few tens of blocks are themselves uncertain: nominal five may be
	// some more.
	if !(share < p+0.03+4*math.Sqrt(p*(1-p)/n)) {
		t.Errorf("%.1f %% of the tests are below 5 %%", 100*share)
	}
}

// A payload that only one of two logs has is told, and where.
func TestOtherPayload(t *testing.T) {
	long.Only(t, "TestPayloadIsRecovered has a payload")
	r := arm(3)
	logs := func(extra float64) []Run {
		var runs []Run
		for i := range 2 {
			rng := rand.New(rand.NewPCG(uint64(i), 4))
			own := arm(3)
			if i == 1 {
				own.Links[2].Inertial[9] += extra // its mass
				own.Links[2].Inertial[6] += 0.1 * extra
			}
			rec := simulate(t, own, newTrajectory(3, uint64(i)+1, 0.1), steady(200, 40))
			for k := range rec.tau {
				for j := range rec.tau[k] {
					rec.tau[k][j] += 0.2 * rng.NormFloat64()
				}
			}
			runs = append(runs, rec.run([]string{"bare", "loaded"}[i]))
		}
		return runs
	}
	for _, extra := range []float64{0, 0.5} {
		out, err := Fit(t.Context(), r, regressor.DefaultTerms(), logs(extra), nil, Config{Path: observation.Path{Cutoff: 10, Trim: 0.5, Velocity: "measured"}, Bootstrap: &Bootstrap{Draws: 50, Period: 10}})
		if err != nil {
			t.Fatal(err)
		}
		d := out.Result.Diagnosis
		if d.Bootstrap == nil || len(d.Bootstrap.Sigma) != len(out.Result.BaseParameters) || d.Bootstrap.Periods != 8 {
			t.Errorf("bootstrap %+v", d.Bootstrap)
		}
		for _, v := range out.Result.Verdicts {
			if v.ID == "runs-agree" {
				t.Logf("%+v", v)
				if v.Pass != (extra == 0) {
					t.Errorf("with %g kg more in one log: %+v", extra, v)
				}
			}
		}
	}
}
