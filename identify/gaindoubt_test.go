package identify

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/estimate"
	"ident/observation"
	"ident/regressor"
)

// The part of each variance that the gains make is the square of the differences between
// whole fits with changed gains, in models with an equation a joint and with one for all,
// of currents and of torques, and beside known parameters.
func TestGainDoubtIsThatOfFits(t *testing.T) {
	r := arm(3)
	gains, sigma := []float64{10, -12, 35}, []float64{0.02, 0, 0.01}
	run := inCurrents(t, simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20)).run("a"), gains)
	run.UnknownGains, run.Gains = false, gains
	for name, change := range map[string]func(*Config, *Run){
		"dynamic":  func(*Config, *Run) {},
		"momentum": func(c *Config, _ *Run) { c.Model = observation.Momentum },
		"energy":   func(c *Config, _ *Run) { c.Model = observation.Energy },
		"known": func(c *Config, _ *Run) {
			c.Known = map[string]float64{"MX3": 0.1, "Fv1": 0.7}
		},
		"torques": func(_ *Config, run *Run) { run.Gains, run.Roles.Tau = nil, run.Roles.Current },
	} {
		t.Run(name, func(t *testing.T) {
			cfg, run := exact(), run
			// Least squares of equal weights is linear in the gains.
			cfg.Weighting, cfg.Plain = estimate.OLS, true
			change(&cfg, &run)
			fit := func(run Run) []float64 {
				out, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{run}, nil, cfg)
				if err != nil {
					t.Fatal(err)
				}
				return out.Solution.X
			}
			e, _, err := begin(t.Context(), r, regressor.DefaultTerms(), []Run{withGainSigma(run, sigma)}, nil, cfg)
			if err != nil {
				t.Fatal(err)
			}
			rows, err := e.reduce(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			s, err := rows.sum.Solve(estimate.OLS, false)
			if err != nil {
				t.Fatal(err)
			}
			_, doubt, err := withGainDoubt(t.Context(), e, rows.sum, estimated{Solution: s, estimator: "ols"})
			if err != nil {
				t.Fatal(err)
			}
			want, largest := make([]float64, len(s.X)), 0.0
			for k, v := range sigma {
				moved := run
				moved.Gains = []float64{1, 1, 1}
				if run.Gains != nil {
					moved.Gains = slices.Clone(run.Gains)
				} else {
					moved.Roles.Current = run.Roles.Tau
				}
				moved.Gains[k] *= 1 + v
				for i, x := range fit(moved) {
					want[i] += (x - s.X[i]) * (x - s.X[i])
					largest = max(largest, want[i])
				}
			}
			for i, v := range want {
				// The condition number of the energy model is 1e4; squares of differences keep half the digits.
				if got := doubt.part[i]; !(math.Abs(got-v) <= 1e-6*largest) {
					t.Errorf("parameter %d: variance %.8g by the gains, %.8g by the fits", i, got, v)
				}
			}
			if largest == 0 {
				t.Error("the gains change nothing")
			}
		})
	}
}

func withGainSigma(run Run, sigma []float64) Run {
	run.GainSigma = sigma
	return run
}

// A wrong gain that other joints contradict is found, and the parameters of the bodies stay
// within their deviations: without the doubt they are ten of them off.
func TestWrongGainIsFound(t *testing.T) {
	r := arm(4)
	gains := []float64{10, -12, 35, 8}
	run := simulate(t, r, newTrajectory(4, 1, 0.1), steady(100, 40)).run("a")
	truth, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{run}, nil, exact())
	if err != nil {
		t.Fatal(err)
	}
	run = inCurrents(t, run, gains)
	run.UnknownGains, run.Gains = false, slices.Clone(gains)
	run = withNoise(t, run, rand.New(rand.NewPCG(8, 9)), 0.02)
	run.Gains[1] *= 1.03
	cfg := exact()
	cfg.Cutoff, cfg.Trim = 8, 0.3
	worst := func(run Run) (float64, *Outcome) {
		out, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{run}, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		z := 0.0
		for i, v := range out.Solution.X {
			z = max(z, math.Abs(v-truth.Solution.X[i])/math.Sqrt(out.Solution.Covariance[i][i]))
		}
		return z, out
	}
	before, _ := worst(run)
	after, out := worst(withGainSigma(run, []float64{0.01, 0.03, 0.01, 0.01}))
	// Thirty parameters are all within four deviations but once in five hundred draws.
	if !(before > 6 && after < 4) {
		t.Errorf("the farthest parameter is %.1f deviations off without the doubt, %.1f with it", before, after)
	}
	g := out.Result.GainDoubts[1]
	if want := 100 * (1/1.03 - 1); g.SigmaPercent != 3 || !(math.Abs(g.FoundPercent-want) < 4*g.FoundSigmaPercent) || !(g.FoundSigmaPercent < 1.5) {
		t.Errorf("%+v, want %.2f", g, want)
	}
}
