//go:build !purego

package eigen

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/vectorunit"
)

// A processor with AVX-512 has the other registers too, and all give the same bits.
func TestRotateAVX2(t *testing.T) {
	if vectorunit.Best() == vectorunit.Portable {
		t.Skip("no vector registers")
	}
	rng := rand.New(rand.NewPCG(7, 8))
	const n = together // one group of columns
	var a, b Symmetric
	a.resize(n)
	b.resize(n)
	for i := range a.rows {
		a.rows[i] = rng.NormFloat64()
	}
	copy(b.rows, a.rows)
	for i := range n {
		a.sine[i], a.cosine[i] = math.Sincos(rng.Float64())
	}
	copy(b.sine, a.sine)
	copy(b.cosine, a.cosine)
	rotateAVX2(&a.rows[(n-1)*a.stride], 8*a.stride, &a.cosine[n-2], &a.sine[n-2], n-1)
	b.rotatePortably(0, n-1)
	for i := range a.rows {
		if math.Float64bits(a.rows[i]) != math.Float64bits(b.rows[i]) {
			t.Fatalf("number %d is %v and %v", i, a.rows[i], b.rows[i])
		}
	}
}
