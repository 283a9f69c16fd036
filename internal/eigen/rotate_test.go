package eigen

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Rotations in vector registers have the bits of the portable loop.
func TestRotate(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{2, 5, 16, 17, 43} {
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
		for _, span := range [][2]int{{0, n - 1}, {n / 2, n - 1}, {1, 1}, {0, 1}} {
			if !a.rotateVectors(span[0], span[1]) {
				t.Skip("no vector registers")
			}
			b.rotatePortably(span[0], span[1])
			for i := range a.rows {
				if math.Float64bits(a.rows[i]) != math.Float64bits(b.rows[i]) {
					t.Fatalf("%d rows, rotations %v: number %d is %v and %v", n, span, i, a.rows[i], b.rows[i])
				}
			}
		}
	}
}
