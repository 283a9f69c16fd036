package regression

import (
	"testing"

	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
)

// exact takes everything as measured, unfiltered and whole.
func exact() Config {
	return Config{Path: observation.Path{Velocity: "measured", Acceleration: "measured", Cutoff: NoFilter, MotionCutoff: NoFilter, Trim: NoTrim}}
}

// Logs without noise and with exact motion give the base parameters back to
// 1e-8, without a filter and through each of those that treat both sides of the
// equation alike, at no cost of accuracy.
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
		"kept rows":  func(c *Config) { c.Cutoff, c.long = 2, 1 },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "OLS" || name == "trimmed" || name == "decimation" {
				long.Only(t, "the other ways of processing")
			}
			cfg := exact()
			change(&cfg)
			out, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{a}, []Run{b}, cfg)
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

// From positions and torques alone the differences and the motion filter leave
// an error. For motion up to 0.5 Hz, as the norm of the error over that of the
// parameters, measured at 500 Hz: 4e-10 without a filter, 6e-8 with a low-pass of
// 10 Hz on both sides and the motion's by default, 4e-5 with 10 Hz on
// both and on the motion, 3e-6 decimated by ten with a motion filter of 20 Hz.
func TestPositionsOnly(t *testing.T) {
	r := arm(4)
	for i, c := range []struct {
		name  string
		cfg   Config
		limit float64
	}{
		{"no filter", Config{Path: observation.Path{Cutoff: NoFilter, MotionCutoff: NoFilter, Trim: NoTrim}}, 1e-8},
		{"trimmed", Config{Path: observation.Path{Trim: 0.5, Cutoff: NoFilter, MotionCutoff: NoFilter}}, 1e-8},
		{"low-pass, wide motion", Config{Path: observation.Path{Cutoff: 10, Trim: 0.5}}, 1e-6},
		{"low-pass", Config{Path: observation.Path{Cutoff: 10, MotionCutoff: 10, Trim: 0.5}}, 2e-4},
		{"decimated", Config{Path: observation.Path{MotionCutoff: 20, Decimate: 10, Trim: 0.5}}, 2e-5},
		{"acceleration from position", Config{Path: observation.Path{Acceleration: "position", Cutoff: NoFilter, MotionCutoff: NoFilter, Trim: NoTrim}}, 1e-8},
	} {
		if i%long.Of(1, 6) != 0 {
			continue // the first
		}
		t.Run(c.name, func(t *testing.T) {
			run := positionsOnly(simulate(t, r, newTrajectory(4, 1, 0.1), steady(500, 30)).run("a"))
			out := fit(t, r, c.cfg, run)
			e := distance(estimates(out), truth(out, r))
			t.Logf("error %.2g", e)
			if !(e < c.limit) {
				t.Errorf("the estimate is off by %.3g, limit %g", e, c.limit)
			}
			if p := out.Result.Processing; p.Velocity != "position" || p.Acceleration == "measured" {
				t.Errorf("velocity %s, acceleration %s", p.Velocity, p.Acceleration)
			}
		})
	}
}

// A measured velocity takes part: the acceleration is its difference.
func TestMeasuredVelocity(t *testing.T) {
	long.Only(t, "TestVelocityDecision and TestPositionsOnly have the sources of velocities")
	r := arm(3)
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(500, 20))
	for _, cfg := range []Config{{Path: observation.Path{Velocity: "measured"}}, {Path: observation.Path{Velocity: "measured", Acceleration: "position"}}, {}} {
		cfg.Cutoff, cfg.MotionCutoff, cfg.Trim = NoFilter, NoFilter, NoTrim
		out := fit(t, r, cfg, rec.run("a"))
		if e := distance(estimates(out), truth(out, r)); !(e < 1e-8) {
			t.Errorf("%+v: off by %.3g", cfg, e)
		}
		if out.Result.Processing.Velocity != "measured" {
			t.Errorf("a perfect velocity channel was not used: %q", out.Result.Processing.Reasons)
		}
	}
}

// Motor currents times drive gains are torques.
func TestCurrents(t *testing.T) {
	r := arm(3)
	rec := simulate(t, r, newTrajectory(3, 1, 0.1), steady(100, 20))
	rec.gains = []float64{10, -12.5, 3}
	out := fit(t, r, exact(), rec.run("a"))
	if e := away(estimates(out), truth(out, r)); !(e < 1e-8) {
		t.Errorf("off by %g", e)
	}
	if p := out.Result.Processing; p.Torque != "current" || len(p.Gains) != 3 {
		t.Errorf("torque from %s, gains %v", p.Torque, p.Gains)
	}
	bad := rec.run("a")
	bad.Gains = bad.Gains[:2]
	if _, err := Fit(t.Context(), r, regressor.DefaultTerms(), []Run{bad}, nil, exact()); err == nil {
		t.Error("two gains for three joints were accepted")
	}
}
