package identify

import (
	"testing"

	"ident/regressor"
)

// exact takes everything as measured, unfiltered and whole.
func exact() Config {
	return Config{Velocity: "measured", Acceleration: "measured"}
}

// Logs without noise and with exact motion give the base parameters back to
// 1e-8, without a filter and through each of those that treat both sides of the
// equation alike, which cost no accuracy.
func TestExactMotion(t *testing.T) {
	r := arm(4)
	a := simulate(t, r, newTrajectory(4, 1, 0.1), steady(100, 20)).run("a")
	b := simulate(t, r, newTrajectory(4, 2, 0.1), steady(100, 20)).run("b")
	for name, change := range map[string]func(*Config){
		"no filter":  func(*Config) {},
		"OLS":        func(c *Config) { c.Weighting = "ols" },
		"trimmed":    func(c *Config) { c.Trim = 0.5 },
		"low-pass":   func(c *Config) { c.Cutoff = 8 },
		"decimation": func(c *Config) { c.Decimate = 5 },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := exact()
			change(&cfg)
			out, err := Fit(t.Context(), r, regressor.AllTerms(), []Run{a}, []Run{b}, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if e := away(estimates(out), truth(out, r)); !(e < 1e-8) {
				t.Errorf("parameters are off by %g", e)
			}
			res := &out.Result
			if e := res.Fit.RelativeError.Stacked; !(e < 1e-8) {
				t.Errorf("%g %% of the training torques are left", e)
			}
			if e := res.Validation.RelativeErrorRaw.Stacked; !(e < 1e-8) {
				t.Errorf("%g %% of the raw validation torques are left", e)
			}
			if res.Failed() && res.Condition.Scaled < 1e4 {
				t.Errorf("verdicts %+v", res.Verdicts)
			}
		})
	}
}
