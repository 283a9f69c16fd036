package triangle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"
)

// Dots are the products one by one, up to rounding of sums of their length.
func TestDots(t *testing.T) {
	for name, k := range kernels() {
		t.Run(name, func(t *testing.T) {
			work := &Work{kern: k}
			rapid.Check(t, func(t *rapid.T) {
				rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
				m := rapid.IntRange(1, 600).Draw(t, "length")
				a, _ := sample(rng, m, rapid.IntRange(0, 13).Draw(t, "on the left"))
				b, _ := sample(rng, m, rapid.IntRange(0, 13).Draw(t, "on the right"))
				stride := len(b) + rapid.IntRange(0, 2).Draw(t, "more")
				got := make([]float64, len(a)*stride)
				work.Dots(got, stride, a, b)
				for i, x := range a {
					for j, y := range b {
						limit := float64(m) * 0x1p-52 * floats.Norm(x, 2) * floats.Norm(y, 2)
						if d := got[i*stride+j] - floats.Dot(x, y); !(math.Abs(d) <= limit) {
							t.Fatalf("vectors %d and %d of %d numbers: off by %g, of %g at most", i, j, m, d, limit)
						}
					}
				}
			})
		})
	}
}

// BenchmarkDots is the product of two square matrices.
func BenchmarkDots(b *testing.B) {
	for _, n := range []int{11, 47, 300} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			x, _ := sample(rng, n, n)
			y, _ := sample(rng, n, n)
			dst := make([]float64, n*n)
			var w Work
			for b.Loop() {
				w.Dots(dst, n, x, y)
			}
			b.ReportMetric(2*float64(n*n*n)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GFlop/s")
		})
	}
}
