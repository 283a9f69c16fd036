package report

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Buckets have the extremes of their rows, in whatever batches the rows come.
func TestBuckets(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		rows, most, channels := rng.IntN(90), 1+rng.IntN(30), 1+rng.IntN(3)
		times, columns := make([]float64, rows), make([][]float64, channels)
		for c := range columns {
			columns[c] = make([]float64, rows)
			for k := range columns[c] {
				if times[k], columns[c][k] = float64(k), rng.NormFloat64(); rng.IntN(4) == 0 {
					columns[c][k] = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[rng.IntN(3)]
				}
			}
		}
		b := NewBuckets(channels, rows, most)
		for from := 0; from < rows; {
			to, batch := min(rows, from+1+rng.IntN(20)), make([][]float64, channels)
			for c := range batch {
				batch[c] = columns[c][from:to]
			}
			b.Add(times[from:to], batch)
			from = to
		}
		began, until := b.Times()
		for i := range began {
			from, to := i*b.Width(), min(rows, (i+1)*b.Width())
			if began[i] != times[from] || until[i] != times[to-1] {
				t.Fatalf("bucket %d is from %g to %g, want rows %d to %d", i, began[i], until[i], from, to-1)
			}
			for c := range columns {
				lo, hi := math.Inf(1), math.Inf(-1)
				for _, v := range columns[c][from:to] {
					if v-v == 0 {
						lo, hi = min(lo, v), max(hi, v)
					}
				}
				low, high := b.Values(c)
				if empty := lo > hi; empty != math.IsNaN(low[i]) || !empty && (low[i] != lo || high[i] != hi) {
					t.Fatalf("bucket %d of channel %d has %g to %g, want %g to %g", i, c, low[i], high[i], lo, hi)
				}
			}
		}
		if want := (rows + b.Width() - 1) / b.Width(); len(began) != want {
			t.Fatalf("%d buckets of %d rows, want %d", len(began), rows, want)
		}
	}
}
