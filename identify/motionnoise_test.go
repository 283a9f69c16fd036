package identify

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/result"
)

// noisy adds white noise to the motion of a record, and to its torques 0.2 N·m.
func (rec *record) noisy(seed uint64, position, velocity float64) *record {
	rng := rand.New(rand.NewPCG(seed*0x9e3779b97f4a7c15, 3))
	out := &record{robot: rec.robot, t: rec.t, ddq: rec.ddq}
	add := func(columns [][]float64, sigma float64) [][]float64 {
		var noisy [][]float64
		for _, x := range columns {
			x = slices.Clone(x)
			for i := range x {
				x[i] += sigma * rng.NormFloat64()
			}
			noisy = append(noisy, x)
		}
		return noisy
	}
	out.q, out.dq, out.tau = add(rec.q, position), add(rec.dq, velocity), add(rec.tau, 0.2)
	return out
}

// doubted tells whether the grade has the reason motion-noise.
func doubted(out *Outcome) bool {
	return slices.ContainsFunc(out.Result.Grade.Reasons, func(r result.Reason) bool { return r.ID == "motion-noise" })
}

// Encoder noise of a milliradian: the cut-off of the motion comes down, and the intervals hold the truth. The
// seeds draw some sixty independent intervals a case: 88 % of them is 2.5 standard deviations below 95 %.
func TestMotionNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("a dozen fits")
	}
	r := arm(2)
	rec := simulate(t, r, newTrajectory(2, 5, 0.1), steady(200, 30))
	const seeds = 12
	for _, c := range []struct {
		name               string
		position, velocity float64 // deviations; a velocity of zero is not logged
		cfg                Config
		source             string
		doubt              bool
	}{
		{"exact positions", 0, 0, Config{}, "position", false},
		{"positions of 1 mrad", 1e-3, 0, Config{}, "position", false},
		{"velocities of 0.05 rad/s over exact positions", 0, 0.05, Config{}, "position", false},
		{"good velocities over positions of 1 mrad", 1e-3, 1e-4, Config{}, "measured", false},
		{"a motion passed up to 50 Hz", 3e-4, 0, Config{MotionCutoff: 50}, "position", true},
		{"noisy velocities asked for", 0, 0.05, Config{Velocity: "measured"}, "measured", true},
	} {
		inside, all, doubts := 0.0, 0.0, 0
		for seed := range uint64(seeds) {
			run := rec.noisy(seed+1, c.position, c.velocity).run("log")
			run.Roles.DDQ = make([]string, 2)
			if c.velocity == 0 {
				run = positionsOnly(run)
			}
			out := fit(t, r, c.cfg, run)
			if out.Result.Processing.Velocity != c.source {
				t.Fatalf("%s: velocities from %s: %v", c.name, out.Result.Processing.Velocity, out.Result.Processing.Reasons)
			}
			want := truth(out, r)
			for i, p := range out.Result.BaseParameters {
				all++
				if p.Low95 <= want[i] && want[i] <= p.High95 {
					inside++
				}
			}
			if doubted(out) {
				doubts++
			}
			if noise := out.Result.MotionNoise; c.position > 0 && math.Abs(noise.Position[0]/c.position-1) > 0.1 {
				t.Errorf("%s: measured as %g", c.name, noise.Position[0])
			}
		}
		// A doubted result says itself that its intervals do not hold.
		if share := inside / all; share < 0.88 && doubts < seeds {
			t.Errorf("%s: intervals of 95 %% hold the truth in %.1f %%", c.name, 100*share)
		}
		if c.doubt != (doubts > seeds/2) {
			t.Errorf("%s: motion-noise in %d of %d grades", c.name, doubts, seeds)
		}
		t.Logf("%s: %.1f %% inside, %d doubts", c.name, 100*inside/all, doubts)
	}
}
