package identify_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"ident/datasets"
	"ident/identify"
	"ident/internal/long"
	"ident/result"
	"ident/simulate"
)

// coverageSeeds of each case of TestExampleCoverage; docs/judgement.md has the table of 200.
var coverageSeeds = flag.Uint64("coverage-seeds", 2, "seeds of each case of the coverage of intervals on the example")

// The default choices on the example's motion, which rests at both ends and reverses on samples: 95 % intervals
// hold the truth, or the grade doubts the motion.
//
// The 58 intervals of a fit are correlated, some thirty independent ones: 60 of two seeds, of which 84 % is four
// standard deviations below 95 %.
func TestExampleCoverage(t *testing.T) {
	long.Only(t, "fits a dozen times")
	arm, motion, files := exampleExperiment(t)
	for _, c := range []struct {
		name     string
		velocity string
		noise    simulate.Noise
		encoder  []float64 // rad
		colour   float64   // of the torques: autoregression of the first order
	}{
		{"velocities of 2e-4 rad/s", "auto", simulate.Noise{Velocity: []float64{2e-4}}, nil, 0},
		{"velocities of 0.05 rad/s", "auto", simulate.Noise{Velocity: []float64{0.05}}, nil, 0},
		{"exact positions", "position", simulate.Noise{}, nil, 0},
		{"positions of 0.1 mrad", "position", simulate.Noise{Position: []float64{1e-4}}, nil, 0},
		{"positions of 0.3 mrad", "position", simulate.Noise{Position: []float64{3e-4}}, nil, 0},
		{"positions of 1 mrad", "position", simulate.Noise{Position: []float64{1e-3}}, nil, 0},
		{"exact positions, coloured torque", "position", simulate.Noise{}, nil, 0.9},
		{"positions of 0.1 mrad, coloured torque", "position", simulate.Noise{Position: []float64{1e-4}}, nil, 0.9},
		{"positions of 0.3 mrad, coloured torque", "position", simulate.Noise{Position: []float64{3e-4}}, nil, 0.9},
		{"positions of 1 mrad, coloured torque", "position", simulate.Noise{Position: []float64{1e-3}}, nil, 0.9},
		{"encoder of 14 bits", "position", simulate.Noise{}, []float64{2 * math.Pi / (1 << 14)}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			held, drawn := map[string]float64{}, map[string]float64{} // by parameter: the choice of terms differs from seed to seed
			doubts := 0.0
			seeds := *coverageSeeds
			for seed := range seeds {
				run, err := simulate.Run(t.Context(), arm, motion, simulate.Options{Rate: 200, Seed: seed, Noise: c.noise, Encoder: c.encoder})
				if err != nil {
					t.Fatal(err)
				}
				rng := rand.New(rand.NewPCG(seed, 9))
				for _, tau := range run.Measured.Tau {
					sigma := 0.01 * math.Sqrt(stat.MomentAbout(2, tau, 0, nil))
					e := sigma * rng.NormFloat64()
					for i := range tau {
						e = c.colour*e + math.Sqrt(1-c.colour*c.colour)*sigma*rng.NormFloat64()
						tau[i] += e
					}
				}
				if err := datasets.Copy(t.Context(), files[1], run.Log("log"), nil); err != nil {
					t.Fatal(err)
				}
				p, err := identify.Open(files[0], files[1])
				if err != nil {
					t.Fatal(err)
				}
				p.Settings.Velocity, p.Settings.Prior = c.velocity, "none" // the robot file has the truth, which no prior may tell
				id, err := p.Fit(t.Context(), identify.FitOptions{})
				if err != nil {
					t.Fatalf("%s, seed %d: %v", c.name, seed, err)
				}
				for _, b := range id.Result.BaseParameters {
					drawn[b.Name]++
					if b.Low95 <= b.Prior && b.Prior <= b.High95 {
						held[b.Name]++
					}
				}
				if slices.ContainsFunc(id.Result.Grade.Reasons, func(r result.Reason) bool { return r.ID == "motion-noise" }) {
					doubts += 100 / float64(seeds)
				}
			}
			all, inside, worst, which := 0.0, 0.0, 100.0, ""
			for name, n := range drawn {
				all, inside = all+n, inside+held[name]
				if 2*n > float64(seeds) && 100*held[name]/n < worst {
					worst, which = 100*held[name]/n, name
				}
			}
			share := 100 * inside / all
			if share < 84 && doubts < 95 {
				t.Errorf("%s: intervals of 95 %% hold the truth in %.1f %%", c.name, share)
			}
			t.Logf("| %s | %.1f | %.1f (%s) | %.1f |", c.name, share, worst, which, doubts)
		})
	}
}
