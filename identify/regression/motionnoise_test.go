package regression

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"ident/estimate"
	"ident/internal/long"
	"ident/observation"
	"ident/result"
)

// noiseSeeds of each case of TestMotionNoise; docs/judgement.md has the table of 200.
var noiseSeeds = flag.Uint64("noise-seeds", 12, "seeds of each case of the test of noise in the motion")

// motionErrors are those of a simulated log; a velocity of zero is not logged.
type motionErrors struct {
	position, velocity float64 // deviations, white
	count              float64 // of an encoder, rad
	colour             float64 // of the torque's noise of 0.2 N·m: autoregression of the first order
}

// noisy adds errors to the motion and the torques of a record.
func (rec *record) noisy(seed uint64, errors motionErrors) *record {
	rng := rand.New(rand.NewPCG((seed+1)*0x9e3779b97f4a7c15, 3))
	out := &record{robot: rec.robot, t: rec.t, ddq: rec.ddq}
	add := func(columns [][]float64, sigma, colour float64) [][]float64 {
		var noisy [][]float64
		for _, x := range columns {
			x, e := slices.Clone(x), sigma*rng.NormFloat64()
			for i := range x {
				e = colour*e + math.Sqrt(1-colour*colour)*sigma*rng.NormFloat64()
				x[i] += e
			}
			noisy = append(noisy, x)
		}
		return noisy
	}
	out.q, out.dq, out.tau = add(rec.q, errors.position, 0), add(rec.dq, errors.velocity, 0), add(rec.tau, 0.2, errors.colour)
	if errors.count > 0 {
		for _, x := range out.q {
			for i := range x {
				x[i] = errors.count * math.Round(x[i]/errors.count)
			}
		}
	}
	return out
}

// doubted reports whether the grade has the reason motion-noise.
func doubted(out *Outcome) bool {
	return slices.ContainsFunc(out.Result.Grade.Reasons, func(r result.Reason) bool { return r.ID == "motion-noise" })
}

// Encoder noise of a milliradian: the cut-off of the motion comes down, and the intervals hold the truth. The
// seeds draw some sixty independent intervals a case: 88 % of them is 2.5 standard deviations below 95 %.
func TestMotionNoise(t *testing.T) {
	long.Only(t, "TestAuto chooses the source of the motion")
	r := arm(2)
	swing := newTrajectory(2, 5, 0.1)
	rec := simulate(t, r, swing, steady(200, 30))
	// All joints reverse together on a sample, every five seconds.
	for k := range swing.p {
		for h := range swing.p[k] {
			swing.p[k][h] = math.Pi / 2
		}
	}
	reversing := simulate(t, r, swing, steady(200, 30))
	for i := 0; i < len(reversing.t); i += 1000 {
		reversing.dq[0][i], reversing.dq[1][i] = 0, 0 // without rounding
	}
	for i, c := range []struct {
		name   string
		errors motionErrors
		cfg    Config
		source string
		doubt  bool
	}{
		{"exact positions", motionErrors{}, Config{}, "position", false},
		{"positions of 0.1 mrad", motionErrors{position: 1e-4}, Config{}, "position", false},
		{"positions of 0.3 mrad", motionErrors{position: 3e-4}, Config{}, "position", false},
		{"positions of 1 mrad", motionErrors{position: 1e-3}, Config{}, "position", false},
		{"exact positions, coloured torque", motionErrors{colour: 0.9}, Config{}, "position", false},
		{"positions of 0.1 mrad, coloured torque", motionErrors{position: 1e-4, colour: 0.9}, Config{}, "position", false},
		{"positions of 0.3 mrad, coloured torque", motionErrors{position: 3e-4, colour: 0.9}, Config{}, "position", false},
		{"positions of 1 mrad, coloured torque", motionErrors{position: 1e-3, colour: 0.9}, Config{}, "position", false},
		{"encoder of 14 bits", motionErrors{count: 2 * math.Pi / (1 << 14)}, Config{}, "position", false},
		{"velocities of 0.05 rad/s, exact positions", motionErrors{velocity: 0.05}, Config{}, "position", false},
		{"velocities of 1e-4 rad/s, positions of 1 mrad", motionErrors{position: 1e-3, velocity: 1e-4}, Config{}, "measured", false},
		{"reversals on samples, velocities of 2e-4 rad/s", motionErrors{velocity: 2e-4}, Config{}, "measured", false},
		{"reversals on samples, positions of 0.3 mrad", motionErrors{position: 3e-4}, Config{}, "position", false},
		{"positions of 0.3 mrad, motion-cutoff 50", motionErrors{position: 3e-4}, Config{Path: observation.Path{MotionCutoff: 50}}, "position", true},
		{"velocities of 0.05 rad/s, velocity measured", motionErrors{velocity: 0.05}, Config{Path: observation.Path{Velocity: "measured"}}, "measured", true},
	} {
		if (i+1)%long.Draws(1, 2, 1) != 0 {
			continue // every second in the gate, of both kinds
		}
		seeds := *noiseSeeds
		var held []float64 // by parameter
		doubts := uint64(0)
		for seed := range seeds {
			moved := rec
			if strings.HasPrefix(c.name, "reversals") {
				moved = reversing
			}
			run := moved.noisy(seed, c.errors).run("log")
			run.Roles.DDQ = make([]string, 2)
			if c.errors.velocity == 0 {
				run = positionsOnly(run)
			}
			out := fit(t, r, c.cfg, run)
			if out.Result.Processing.Velocity != c.source {
				t.Fatalf("%s: velocities from %s: %v", c.name, out.Result.Processing.Velocity, out.Result.Processing.Reasons)
			}
			want := truth(out, r)
			held = append(held, make([]float64, len(want)-len(held))...)
			for i, p := range out.Result.BaseParameters {
				if p.Low95 <= want[i] && want[i] <= p.High95 {
					held[i] += 100 / float64(seeds)
				}
			}
			if doubted(out) {
				doubts++
			}
			if noise := out.Result.MotionNoise; c.errors.position > 0 && math.Abs(noise.Position[0]/c.errors.position-1) > 0.1 {
				t.Errorf("%s: measured as %g", c.name, noise.Position[0])
			}
		}
		share := stat.Mean(held, nil)
		// A doubted result says itself that its intervals do not hold.
		if share < 88 && doubts < seeds {
			t.Errorf("%s: intervals of 95 %% hold the truth in %.1f %%", c.name, share)
		}
		if c.doubt != (doubts > seeds/2) {
			t.Errorf("%s: motion-noise in %d of %d grades", c.name, doubts, seeds)
		}
		t.Logf("| %s | %.1f | %.1f | %.1f |", c.name, share, slices.Min(held), 100*float64(doubts)/float64(seeds))
	}
}

// A correction leaves the training rows explained as well as the estimate that it corrects, whatever the noise: the error
// of the fit is that of least squares, to the allowance. A slow log of coarse positions, mostly at rest, is where the
// moments that noise adds exceed those of the motion. (The signal paths of the two fits differ by less than 5 %.)
func TestCorrectionIsNeverWorse(t *testing.T) {
	r := arm(2)
	declined := 0
	for draw := range uint64(long.Draws(400, 40, 3)) {
		seed := draw + 35 // the second draw needs a correction that leaves sixteen times the squares
		rng := rand.New(rand.NewPCG(seed, 8))
		moves, smaller := newTrajectory(2, seed, 0.1), math.Pow(10, -rng.Float64())
		for k := range moves.a {
			for h := range moves.a[k] {
				moves.a[k][h] *= smaller
			}
		}
		exact := simulate(t, r, moves, steady(100, 20))
		rec := exact.noisy(seed, motionErrors{position: 5e-4, velocity: math.Pow(10, -0.5-1.5*rng.Float64())})
		rec.tau = exact.tau // all errors are of the motion
		cfg := Config{Path: observation.Path{Velocity: "measured"}, Rest: RestKeep}
		out := fit(t, r, cfg, rec.run("log"))
		cfg.Plain = true
		plain := fit(t, r, cfg, rec.run("log"))
		switch noise := out.Result.MotionNoise; {
		case noise.Declined != "" && noise.Left != nil:
			t.Fatal("declined and applied")
		case noise.Declined != "":
			declined++
		}
		squares := func(o *Outcome) (sum float64) { // as least squares weighs them
			for k, e := range o.Result.Fit.RMSE {
				sum += e * e / (out.Solution.Sigma[k] * out.Solution.Sigma[k])
			}
			return sum
		}
		if got, most := squares(out), squares(plain)*estimate.AllowedSquares(out.Solution); got > 1.05*most {
			t.Errorf("seed %d: the fit leaves %g squares of the training torques, least squares %g at most", seed, got, most)
		}
	}
	if declined == 0 {
		t.Error("no correction was declined: the draws test nothing")
	}
}
