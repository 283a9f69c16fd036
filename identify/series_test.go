package identify

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/observation"
)

// A long run keeps the least and the largest value of every bucket exactly, ends buckets at a gap, and keeps the
// rows about the largest residual of each joint at full rate.
func TestLongRun(t *testing.T) {
	const joints, rows, gap = 2, 9000, 4321
	rng := rand.New(rand.NewPCG(5, 7))
	all := newSums(joints)
	for range joints {
		all.measured, all.predicted, all.file = append(all.measured, nil), append(all.predicted, nil), append(all.file, nil)
	}
	for i := range rows {
		time := float64(i) * 1e-3
		if i >= gap {
			time += 2
		}
		all.t = append(all.t, time)
		for k := range joints {
			all.measured[k] = append(all.measured[k], rng.NormFloat64())
			all.predicted[k] = append(all.predicted[k], rng.NormFloat64())
			all.file[k] = append(all.file[k], rng.NormFloat64())
		}
	}
	all.measured[1][7777] = 50
	run := series{limit: 1000, long: newLongRun(rows, 32, 1, []observation.Segment{{T0: 0, DT: 1e-3, N: gap}, {T0: 2 + gap*1e-3, DT: 1e-3, N: rows - gap}})}
	for at := 0; at < rows; {
		end := min(rows, at+100+rng.IntN(900))
		if at < gap {
			end = min(end, gap) // a chunk is of one segment
		}
		part := newSums(joints)
		part.t = all.t[at:end]
		for k := range joints {
			part.measured, part.predicted, part.file = append(part.measured, all.measured[k][at:end]), append(part.predicted, all.predicted[k][at:end]), append(part.file, all.file[k][at:end])
		}
		run.add(&part)
		at = end
	}
	got := run.finish()
	if got.Stride < 2 || got.Long == nil || got.Logged != nil || len(got.File) != joints {
		t.Fatalf("stride %d, long %v", got.Stride, got.Long != nil)
	}
	l, row := got.Long, 0
	for b := range l.From {
		first := row
		lo, hi, residual := math.Inf(1), math.Inf(-1), math.Inf(-1)
		for ; row < rows && all.t[row] <= l.To[b]; row++ {
			lo, hi = min(lo, all.measured[0][row]), max(hi, all.measured[0][row])
			residual = max(residual, all.measured[0][row]-all.file[0][row])
		}
		if all.t[first] != l.From[b] || lo != l.Low.Measured[0][b] || hi != l.High.Measured[0][b] || residual != l.High.FileResidual[0][b] {
			t.Fatalf("bucket %d from row %d: %g to %g, want %g to %g", b, first, l.Low.Measured[0][b], l.High.Measured[0][b], lo, hi)
		}
		if n := row - first; n > l.Rows || n < l.Rows && row != gap && row != rows || first < gap && row > gap {
			t.Errorf("bucket %d has rows %d to %d of at most %d, the gap is before row %d", b, first, row, l.Rows, gap)
		}
	}
	if row != rows {
		t.Errorf("%d of %d rows are in buckets", row, rows)
	}
	found := false
	for _, b := range l.Blocks {
		for i, time := range b.T {
			found = found || time == all.t[7777] && b.Measured[1][i] == 50
		}
	}
	if !found || len(l.Blocks) != 2*blocksKept {
		t.Errorf("%d blocks, with the largest residual: %v", len(l.Blocks), found)
	}
}

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

// The rows kept of all runs together take a bounded memory, and a few runs of ordinary robots are kept as before.
func TestSeriesOfManyRuns(t *testing.T) {
	for _, c := range []struct{ joints, runs, least, most int }{
		{7, 1, 100_000, math.MaxInt}, {7, 4, 100_000, math.MaxInt}, {7, 1000, 256, 500}, {50, 1000, 256, 256}, {2, 1000, 1000, 2000},
	} {
		if n := seriesRows(c.joints, c.runs); n < c.least || n > c.most {
			t.Errorf("%d rows of each of %d runs of %d joints", n, c.runs, c.joints)
		}
	}
	run := series{limit: 300, room: 300}
	part := newSums(1)
	for i := range 1000 {
		part.t = append(part.t, float64(i))
	}
	part.measured, part.predicted = [][]float64{part.t}, [][]float64{part.t}
	run.add(&part)
	if got := run.finish(); len(got.T) != 250 || cap(got.Measured[0]) != 300 || got.Stride != 4 || got.Long != nil || got.T[249] != 996 {
		t.Errorf("%d rows, stride %d, memory of %d rows", len(got.T), got.Stride, cap(got.Measured[0]))
	}
}
