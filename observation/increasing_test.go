package observation

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The kept entries increase, and no choice of entries that increases is longer:
// all choices are tried.
func TestIncreasingIsLongest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 9), func(i int) float64 { return float64(i) }), 0, 12).Draw(t, "times")
		up := func(v []float64) bool {
			for i := 1; i < len(v); i++ {
				if v[i] <= v[i-1] {
					return false
				}
			}
			return true
		}
		var kept []float64
		var bad []int
		for i, k := range increasing(x) {
			if k {
				kept = append(kept, x[i])
			} else {
				bad = append(bad, i)
			}
		}
		if !up(kept) {
			t.Fatalf("kept %v of %v", kept, x)
		}
		longest := 0
		for set := range 1 << len(x) {
			var v []float64
			for i := range x {
				if set>>i&1 == 1 {
					v = append(v, x[i])
				}
			}
			if up(v) {
				longest = max(longest, len(v))
			}
		}
		if len(kept) != longest {
			t.Fatalf("kept %d of %v, %d are possible", len(kept), x, longest)
		}
		// With a row left out before, rows are counted over both.
		times, _, rows := ordered(slices.Clone(x), nil, []int{0})
		if len(times) != longest || len(rows) != 1+len(bad) {
			t.Fatalf("ordered %v, rows %v", times, rows)
		}
		for i, b := range bad {
			if rows[i+1] != b+1 {
				t.Fatalf("rows %v, want those of %v one later", rows, bad)
			}
		}
	})
}
