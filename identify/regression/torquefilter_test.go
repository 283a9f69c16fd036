package regression

import (
	"math"
	"testing"

	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
)

// A joint about a vertical axis without Coulomb friction is linear in its motion, and the torque that goes through the
// motion's filter too gives its parameters back to rounding, whatever the filter has taken from the motion. Without
// that, the steps of a trapezoidal velocity that are gone from the regressor alone make the inertia wrong by more than a
// thousandth: that is below the share of a step's spectrum beyond the cut-off of 10 Hz.
func TestTorqueThroughMotion(t *testing.T) {
	r := arm(1)
	r.Links[0].Joint.Fs = 0
	terms := []regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fo}
	moves := newMoves(1, 1, 30, true)
	moves.ramp = 1e-6
	run := simulate(t, r, moves, steady(200, 30)).run("log")
	for _, plain := range []bool{false, true} {
		cfg := Config{Plain: plain, Path: observation.Path{Velocity: "measured", Acceleration: "measured"}, Rest: RestKeep}
		out, err := Fit(t.Context(), r, terms, []Run{run}, nil, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if off := away(estimates(out), truth(out, r)); plain && off < 1e-3 || !plain && off > 1e-9 {
			t.Errorf("plain %v: off by %g", plain, off)
		}
	}
}

// Small chunks overlap by as much as the torque's filter reaches. 1e-6 deviations are 1e-12 of the response, in tens of
// thousands of deviations that a parameter is away from zero.
func TestTorqueFilterInChunks(t *testing.T) {
	long.Only(t, "TestChunksAreWhole compares chunks with whole logs")
	r := arm(2)
	run := positionsOnly(simulate(t, r, newTrajectory(2, 2, 0.1), steady(200, 30)).noisy(2, motionErrors{position: 1e-3}).run("log"))
	cfg := Config{Rest: RestKeep, chunk: 1 << 30}
	whole := fit(t, r, cfg, run)
	if p := whole.Result.Processing; !(p.MotionCutoff < p.Cutoff) {
		t.Fatalf("motion up to %g Hz", p.MotionCutoff)
	}
	cfg.chunk = 1
	for i, p := range fit(t, r, cfg, run).Result.BaseParameters {
		want := whole.Result.BaseParameters[i]
		if e := math.Abs(p.Value-want.Value) / want.Sigma; !(e < 1e-6) {
			t.Errorf("%s differs by %g deviations", p.Name, e)
		}
	}
}
