package series

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A long run keeps the least and the largest value of every bucket exactly, ends buckets at a gap, and keeps the
// rows about the largest residual of each joint at full rate.
func TestLongRun(t *testing.T) {
	const joints, rows, gap = 2, 9000, 4321
	rng := rand.New(rand.NewPCG(5, 7))
	var all Rows
	for range joints {
		all.Measured, all.Predicted, all.File = append(all.Measured, nil), append(all.Predicted, nil), append(all.File, nil)
	}
	for i := range rows {
		time := float64(i) * 1e-3
		if i >= gap {
			time += 2
		}
		all.T = append(all.T, time)
		for k := range joints {
			all.Measured[k] = append(all.Measured[k], rng.NormFloat64())
			all.Predicted[k] = append(all.Predicted[k], rng.NormFloat64())
			all.File[k] = append(all.File[k], rng.NormFloat64())
		}
	}
	all.Measured[1][7777] = 50
	run := New(Plan{Joints: joints, Rows: rows, Limit: 1000, Runs: 32, Period: 1e-3, Seconds: 2 + (rows-1)*1e-3})
	for at := 0; at < rows; {
		end := min(rows, at+100+rng.IntN(900))
		if at < gap {
			end = min(end, gap) // a chunk is of one segment
		}
		var part Rows
		part.T = all.T[at:end]
		for k := range joints {
			part.Measured, part.Predicted, part.File = append(part.Measured, all.Measured[k][at:end]), append(part.Predicted, all.Predicted[k][at:end]), append(part.File, all.File[k][at:end])
		}
		run.Add(&part)
		at = end
	}
	got := run.Finish("log", "train")
	if got.Stride < 2 || got.Long == nil || got.Logged != nil || len(got.File) != joints {
		t.Fatalf("stride %d, long %v", got.Stride, got.Long != nil)
	}
	l, row := got.Long, 0
	for b := range l.From {
		first := row
		lo, hi, residual := math.Inf(1), math.Inf(-1), math.Inf(-1)
		for ; row < rows && all.T[row] <= l.To[b]; row++ {
			lo, hi = min(lo, all.Measured[0][row]), max(hi, all.Measured[0][row])
			residual = max(residual, all.Measured[0][row]-all.File[0][row])
		}
		if all.T[first] != l.From[b] || lo != l.Low.Measured[0][b] || hi != l.High.Measured[0][b] || residual != l.High.FileResidual[0][b] {
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
			found = found || time == all.T[7777] && b.Measured[1][i] == 50
		}
	}
	if !found || len(l.Blocks) != 2*blocksKept {
		t.Errorf("%d blocks, with the largest residual: %v", len(l.Blocks), found)
	}
}

// The rows kept of all runs together take a bounded memory, and a few runs of ordinary robots are kept as before.
func TestSeriesOfManyRuns(t *testing.T) {
	for _, c := range []struct{ joints, runs, least, most int }{
		{7, 1, 100_000, math.MaxInt}, {7, 4, 100_000, math.MaxInt}, {7, 1000, 256, 500}, {50, 1000, 256, 256}, {2, 1000, 1000, 2000},
	} {
		if n := MaxRows(c.joints, c.runs); n < c.least || n > c.most {
			t.Errorf("%d rows of each of %d runs of %d joints", n, c.runs, c.joints)
		}
	}
	run := New(Plan{Joints: 1, Rows: 299, Limit: 300, Runs: 1000})
	var part Rows
	for i := range 1000 {
		part.T = append(part.T, float64(i))
	}
	part.Measured, part.Predicted = [][]float64{part.T}, [][]float64{part.T}
	run.Add(&part)
	if got := run.Finish("log", "train"); len(got.T) != 250 || cap(got.Measured[0]) != 300 || got.Stride != 4 || got.Long != nil || got.T[249] != 996 {
		t.Errorf("%d rows, stride %d, memory of %d rows", len(got.T), got.Stride, cap(got.Measured[0]))
	}
}

// Thinned residuals are every stride-th of all, whatever the chunks.
func TestSeries(t *testing.T) {
	for _, chunk := range []int{1, 7, 1000} {
		s := New(Plan{Joints: 2, Rows: 50, Limit: 100, Runs: 1})
		for at := 0; at < 1000; at += chunk {
			part := Rows{Measured: make([][]float64, 2), Predicted: make([][]float64, 2)}
			for i := at; i < min(at+chunk, 1000); i++ {
				part.T = append(part.T, float64(i))
				for k := range 2 {
					part.Measured[k] = append(part.Measured[k], float64(10*i+k))
					part.Predicted[k] = append(part.Predicted[k], float64(-i))
				}
			}
			s.Add(&part)
		}
		if s.run.Stride != 16 || len(s.run.T) != 63 {
			t.Fatalf("chunks of %d: %d residuals with stride %d", chunk, len(s.run.T), s.run.Stride)
		}
		for i, v := range s.run.T {
			if v != float64(16*i) || s.run.Measured[1][i] != 10*v+1 || s.run.Predicted[0][i] != -v {
				t.Fatalf("chunks of %d: residual %d at %v", chunk, i, v)
			}
		}
	}
}

// The rows that are kept do not depend on how a run comes, and are every second, fourth and so on of it.
func TestKeptRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 13))
	for range 200 {
		rows, limit := 1+rng.IntN(300), 1+rng.IntN(40)
		run := New(Plan{Joints: 1, Rows: rows, Limit: limit, Runs: 32, Period: 1, Seconds: float64(rows)})
		for at := 0; at < rows; {
			end := min(rows, at+1+rng.IntN(60))
			part := Rows{Measured: make([][]float64, 1), Predicted: make([][]float64, 1)}
			for i := at; i < end; i++ {
				part.T = append(part.T, float64(i))
				part.Measured[0], part.Predicted[0] = append(part.Measured[0], float64(-i)), append(part.Predicted[0], float64(2*i))
			}
			run.Add(&part)
			at = end
		}
		got, stride := run.Finish("log", "train"), 1
		for (rows+stride-1)/stride > limit {
			stride *= 2
		}
		if got.Stride != stride || len(got.T) != (rows+stride-1)/stride {
			t.Fatalf("%d rows, at most %d: %d with a stride of %d, want %d", rows, limit, len(got.T), got.Stride, stride)
		}
		for i, v := range got.T {
			if v != float64(i*stride) || got.Measured[0][i] != -v || got.Predicted[0][i] != 2*v {
				t.Fatalf("row %d is that of %g, want %d", i, v, i*stride)
			}
		}
	}
}
