package report

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The envelope keeps each bin's lowest and highest sample, takes only samples of
// the curve, in their order, at most four a bin.
func TestEnvelope(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 2000).Draw(t, "n")
		bins := rapid.IntRange(1, 40).Draw(t, "bins")
		seed := rapid.Uint64().Draw(t, "seed")
		ts, y := make([]float64, n), make([]float64, n)
		for k := range ts {
			ts[k] = float64(k)
			y[k] = math.Sin(float64(k)*float64(seed%97)/31) * float64(k%13)
		}
		cv := envelope(ts, y, 0, float64(n), bins)
		if len(cv) != 1 {
			t.Fatalf("%d pieces of an unbroken curve", len(cv))
		}
		if n > 3*bins && len(cv[0]) > 4*bins {
			t.Fatalf("%d points in %d bins", len(cv[0]), bins)
		}
		lo, hi := make(map[int]float64), make(map[int]float64)
		bin := func(x float64) int { return int(math.Floor(x * (float64(bins) / float64(n)))) }
		last := -1.0
		for _, p := range cv[0] {
			if p.x <= last || y[int(p.x)] != p.y {
				t.Fatalf("point %v is out of order or not a sample", p)
			}
			last = p.x
			b := bin(p.x)
			if v, ok := lo[b]; !ok || p.y < v {
				lo[b] = p.y
			}
			if v, ok := hi[b]; !ok || p.y > v {
				hi[b] = p.y
			}
		}
		for k, v := range y {
			if b := bin(ts[k]); v < lo[b] || v > hi[b] {
				t.Fatalf("sample %d (%g) outside its bin's envelope [%g, %g]", k, v, lo[b], hi[b])
			}
		}
	})
}

func TestEnvelopeLiftsPenAtNaN(t *testing.T) {
	ts, y := make([]float64, 1000), make([]float64, 1000)
	for k := range ts {
		ts[k] = float64(k)
	}
	y[500], y[700] = math.NaN(), math.Inf(1)
	for _, bins := range []int{10, 1000} {
		if cv := envelope(ts, y, 0, 1000, bins); len(cv) != 3 {
			t.Errorf("%d bins: %d pieces, want 3", bins, len(cv))
		}
	}
}
