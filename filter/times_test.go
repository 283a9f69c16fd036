package filter

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"
)

// Times gives back the appended times, to the bit, in parts and one by one, whatever the numbers.
func TestTimesToTheBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 5000).Draw(t, "rows")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		kind := rapid.IntRange(0, 2).Draw(t, "kind")
		want := make([]float64, n)
		for i := range want {
			switch kind {
			case 0:
				want[i] = float64(i) * 1e-3
			case 1:
				want[i] = 1e9 + float64(i)*1e-3 + 1e-4*rng.Float64()
			default:
				want[i] = math.Float64frombits(rng.Uint64())
			}
		}
		times := new(Times)
		for at := 0; at < n; {
			to := min(n, at+rapid.IntRange(1, 3000).Draw(t, "batch"))
			times.Append(want[at:to]...)
			at = to
		}
		same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
		if times.Len() != n || !slices.EqualFunc(times.All(), want, same) {
			t.Fatal("other times")
		}
		from := rapid.IntRange(0, n).Draw(t, "from")
		to := rapid.IntRange(from, n).Draw(t, "to")
		part := times.Slice(from, to)
		if !slices.EqualFunc(part.All(), want[from:to], same) {
			t.Fatalf("other times in rows %d to %d", from, to)
		}
		if from < to {
			k := rapid.IntRange(0, to-from-1).Draw(t, "row")
			if !same(part.At(k), want[from+k]) {
				t.Fatalf("time %v at row %d of a part, want %v", part.At(k), k, want[from+k])
			}
		}
		if kind < 2 {
			time := rapid.Float64Range(-1, 6).Draw(t, "time")
			if kind == 1 {
				time += 1e9
			}
			if got, want := part.Search(time), sort.SearchFloat64s(want[from:to], time); got != want {
				t.Fatalf("row %d has the first time from %v on, want %d", got, time, want)
			}
		}
	})
}

// A steady clock takes two bytes a row at most, printed times with jitter six.
func TestTimesAreSmall(t *testing.T) {
	size := func(v []float64) float64 {
		n := 0
		for _, b := range NewTimes(v).blocks {
			n += 8 + len(b.rest)
		}
		return float64(n) / float64(len(v))
	}
	steady, jittery := make([]float64, 1<<18), make([]float64, 1<<18)
	for i := range steady {
		steady[i] = float64(i) / 1000
		jittery[i] = math.Round((float64(i)/1000+1e-4*rand.Float64())*1e6) / 1e6
	}
	if a, b := size(steady), size(jittery); a > 2 || b > 6.5 {
		t.Errorf("%.2f bytes a row of a steady clock, %.2f of one with jitter", a, b)
	}
}
