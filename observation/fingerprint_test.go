package observation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// plain are the fingerprints of rows by their definition, row by row.
func plain(cols [][]float64, positions int, gains []float64, rows int) []uint64 {
	var hashes, out []uint64
	last := make([]float64, positions)
	for i := range cols[0] {
		h, moved := uint64(0xcbf29ce484222325), false
		for c, col := range cols {
			v := col[i]
			if c < positions {
				moved = moved || v != last[c]
				last[c] = v
			} else if gains != nil {
				v *= gains[c-positions]
			}
			h = mix(h ^ rounded(v))
		}
		hashes = append(hashes, h)
		if len(hashes) < rows || !moved {
			continue
		}
		sum := uint64(0)
		for _, h := range hashes[len(hashes)-rows:] {
			sum = mix(sum ^ h)
		}
		out = append(out, sum)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Batches of any length give the fingerprints of the definition, and those above a bound are
// left out.
func TestBatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		joints, n := rapid.IntRange(1, 5).Draw(t, "joints"), rapid.IntRange(1, 200).Draw(t, "rows")
		cols := make([][]float64, 2*joints)
		for c := range cols {
			cols[c] = rapid.SliceOfN(rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, 1.5, -2, 1e-9, math.NaN(), math.Inf(1)}), n, n).Draw(t, "values")
		}
		var gains []float64
		if rapid.Bool().Draw(t, "gains") {
			gains = rapid.SliceOfN(rapid.Float64Range(0.1, 10), joints, joints).Draw(t, "gain")
		}
		bound := rapid.Uint64().Draw(t, "bound")
		s := newCommonSample(2*joints, joints, gains, bound)
		for at := 0; at < n; {
			to := min(n, at+rapid.IntRange(1, n).Draw(t, "batch"))
			part := make([][]float64, len(cols))
			for c := range cols {
				part[c] = cols[c][at:to]
			}
			s.Add(part)
			at = to
		}
		want := slices.DeleteFunc(plain(cols, joints, gains, s.rows), func(h uint64) bool { return h > bound })
		if got := s.Kept(); !slices.Equal(got, want) {
			t.Fatalf("%d fingerprints, want %d", len(got), len(want))
		}
	})
}

// noise is a log of so many channels, the first of which stands still now and then.
func noise(channels, rows int) [][]float64 {
	rng := rand.New(rand.NewPCG(2, 3))
	cols := make([][]float64, channels)
	for c := range cols {
		for i := range rows {
			v := rng.NormFloat64()
			if c == 0 && i > 0 && rng.IntN(3) == 0 {
				v = cols[c][i-1]
			}
			cols[c] = append(cols[c], v)
		}
	}
	return cols
}

// Long batches give the fingerprints of the definition too.
func TestLongBatches(t *testing.T) {
	for _, channels := range []int{2, 5, 14, 40} {
		cols := noise(channels, 7001)
		s := newCommonSample(channels, 1, nil, math.MaxUint64/3)
		for _, part := range [][2]int{{0, 5000}, {5000, 5003}, {5003, 7001}} {
			batch := make([][]float64, channels)
			for c := range cols {
				batch[c] = cols[c][part[0]:part[1]]
			}
			s.Add(batch)
		}
		want := slices.DeleteFunc(plain(cols, 1, nil, s.rows), func(h uint64) bool { return h > math.MaxUint64/3 })
		if got := s.Kept(); len(want) < 500 || !slices.Equal(got, want) {
			t.Fatalf("%d channels: %d fingerprints, want %d", channels, len(got), len(want))
		}
	}
}

// BenchmarkAdd takes the rows of seven joints, of which few are kept.
func BenchmarkAdd(b *testing.B) {
	cols := noise(14, 2048)
	s := newCommonSample(14, 7, nil, math.MaxUint64/1000)
	for b.Loop() {
		s.Add(cols)
		s.out = s.out[:0]
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2048, "ns/row")
}
