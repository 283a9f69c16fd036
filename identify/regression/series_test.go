package regression

import (
	"math"
	"testing"
)

// On a motion without noise, of a robot whose file has the true parameters, the file predicts the same torques as the
// estimate; without a filter the torque as logged is the measured one. A row that was left out is a stretch that was
// interpolated.
func TestDrawnCurves(t *testing.T) {
	r := arm(2)
	rec := simulate(t, r, newTrajectory(2, 1, 0.1), steady(100, 30))
	rec.tau[1][1500] = math.NaN()
	cfg := exact()
	cfg.DropBad, cfg.Cutoff = true, NoFilter
	out := fit(t, r, cfg, rec.run("a"))
	run := out.Residuals[0]
	if len(run.Position) != 2 || len(run.File) != 2 || len(run.Logged) != 2 {
		t.Fatalf("%d positions, %d predictions of the file, %d torques as logged", len(run.Position), len(run.File), len(run.Logged))
	}
	for k := range run.Measured {
		for i, m := range run.Measured[k] {
			if run.Logged[k][i] != m {
				t.Fatalf("joint %d, row %d: %g as logged, %g without a filter", k+1, i, run.Logged[k][i], m)
			}
			// Both differ from the torque by the error of derivatives of a motion at 0.1 Hz sampled at 100 Hz,
			// and of the row that was left out; far below the torques of some N·m.
			if d := run.File[k][i] - run.Predicted[k][i]; !(math.Abs(d) < 1e-2) {
				t.Fatalf("joint %d, row %d: %g by the file, %g by the estimate", k+1, i, run.File[k][i], run.Predicted[k][i])
			}
		}
	}
	if len(run.Doubtful) != 1 || math.Abs(run.Doubtful[0].From-14.99) > 1e-9 || math.Abs(run.Doubtful[0].To-15.01) > 1e-9 || run.Doubtful[0].Why != "interpolated" {
		t.Errorf("doubtful stretches %v, want 14.99 to 15.01 s", run.Doubtful)
	}
}
