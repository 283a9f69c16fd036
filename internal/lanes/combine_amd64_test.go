//go:build !purego

package lanes

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/vectorunit"
)

// A processor with AVX-512 has the other registers too, and all give the same bits.
func TestCombineAVX2(t *testing.T) {
	if vectorunit.Best() == vectorunit.Portable {
		t.Skip("no vector registers")
	}
	rng := rand.New(rand.NewPCG(9, 10))
	const n, count, from = 64, 5, 3
	got, want, coef, cols := make([]float64, n), make([]float64, n), make([]float64, count), make([][]float64, count)
	for i := range cols {
		coef[i], cols[i] = rng.NormFloat64(), make([]float64, from+n)
		for k := range cols[i] {
			cols[i][k] = rng.NormFloat64()
		}
		for k := range want {
			want[k] = math.FMA(coef[i], cols[i][from+k], want[k])
		}
	}
	combineAVX2(&got[0], n/atOnce, &coef[0], &cols[0], count, 8*from)
	for k := range want {
		if math.Float64bits(got[k]) != math.Float64bits(want[k]) {
			t.Fatalf("entry %d is %v, want %v", k, got[k], want[k])
		}
	}
}
