package regression

import (
	"errors"
	"math"
	"testing"

	"ident/estimate"
	"ident/internal/long"
	"ident/observation"
	"ident/regressor"
)

// A log that comes in by pieces of any length gives the estimate of the whole, and
// one whose robot changes gives the new robot once the old one is forgotten.
func TestFollow(t *testing.T) {
	long.Only(t, "cmd/ident.TestFollowInterrupted follows a log")
	r := arm(3)
	run := disturbed(t, 1, nil)
	cfg := Config{Path: observation.Path{Cutoff: 10, Trim: 0.5, Velocity: "measured", Acceleration: "velocity"}}
	want := fit(t, r, cfg, run)
	for _, piece := range []int{1, 37, 5000} {
		head := run
		head.Log, head.Last = run.Log.Slice(0, 500), 500
		q, err := NewOnline(t.Context(), r, regressor.DefaultTerms(), head, cfg, 0)
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < run.Log.Rows(); at += piece {
			if err := q.Add(run.Log.Slice(at, min(at+piece, run.Log.Rows()))); err != nil {
				t.Fatal(err)
			}
			if piece == 37 && at == 0 {
				if _, err := q.Estimate(); !errors.Is(err, estimate.ErrNoData) {
					t.Errorf("from %d rows: %v", piece, err)
				}
			}
		}
		if n := len(q.window[0]); n > 4*(q.source.Filters.Overlap()+q.blockLen)+2*piece+200 {
			t.Errorf("pieces of %d: %d rows are kept", piece, n)
		}
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
		now, err := q.Estimate()
		if err != nil {
			t.Fatal(err)
		}
		if now.Rows != float64(want.Result.Samples.Used) || now.Time != 59.995 {
			t.Errorf("pieces of %d: %g rows to %g s, want %d", piece, now.Rows, now.Time, want.Result.Samples.Used)
		}
		for i, v := range estimates(want) {
			if e := math.Abs(now.X[i]-v) / want.Result.BaseParameters[i].Sigma; !(e < 1e-6) {
				t.Errorf("pieces of %d: parameter %d differs by %.3g deviations", piece, i+1, e)
			}
		}
		if own := rowsPercent(want.Reduction, estimates(want)); !(math.Abs(now.Percent/own-1) < 1e-9) {
			t.Errorf("error %v, want %v", now.Percent, own)
		}
	}
	// From 30 s on, the last link weighs a kilogram more.
	heavy := arm(3)
	heavy.Links[2].Inertial[9]++
	a := simulate(t, r, newTrajectory(3, 1, 0.1), steady(200, 90))
	b := simulate(t, heavy, newTrajectory(3, 1, 0.1), steady(200, 90))
	for k := range a.tau {
		copy(a.tau[k][6000:], b.tau[k][6000:])
	}
	changed := a.run("changed")
	head := changed
	head.Log, head.Last = changed.Log.Slice(0, 500), 500
	q, err := NewOnline(t.Context(), r, regressor.DefaultTerms(), head, cfg, 5)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < changed.Log.Rows(); at += 100 {
		if err := q.Add(changed.Log.Slice(at, at+100)); err != nil {
			t.Fatal(err)
		}
	}
	now, err := q.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	out := &Outcome{Base: q.Set}
	// After eleven memories of 5 s, 1e-5 of the change is left.
	if e := distance(now.X, truth(out, heavy)); !(e < 1e-3) {
		t.Errorf("the heavier robot is off by %.3g", e)
	}
	if e := distance(truth(out, r), truth(out, heavy)); !(e > 0.05) {
		t.Errorf("the change is %.3g only", e)
	}
	// A gap in time cannot be bridged.
	var row *RowError
	if err := q.Add(changed.Log.Slice(0, 10)); !errors.As(err, &row) || row.Row != 18001 {
		t.Errorf("time that jumps: %v", err)
	}
}

// rowsPercent is the residual of a reduction's rows, ‖y − W·x‖/‖y‖ in percent.
func rowsPercent(r *estimate.Reduction, x []float64) float64 {
	var err2, y2 float64
	for _, b := range r.Blocks() {
		for k, f := range b.Joints {
			err2, y2 = err2+f.RSS, y2+f.YY
			for i, d := range f.Z {
				for j := i; j < f.N; j++ {
					d -= f.R[i*f.N+j] * x[r.Masks()[k][j]]
				}
				err2 += d * d
			}
		}
	}
	return 100 * math.Sqrt(err2/y2)
}
