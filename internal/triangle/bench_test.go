package triangle

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkAdd reports the time per row for the column counts of a seven-joint
// arm and for a humanoid.
func BenchmarkAdd(b *testing.B) {
	const m = 1024
	for name, k := range kernels() {
		for _, n := range []int{11, 18, 25, 32, 39, 46, 47, 48, 60, 300} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				cols, y := sample(rand.New(rand.NewPCG(5, 6)), m, n)
				f, w := New(n), &Work{kern: k}
				f.Add(cols, y, w)
				b.ReportAllocs()
				for b.Loop() {
					f.Add(cols, y, w)
				}
				perRow := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / m
				b.ReportMetric(perRow, "ns/row")
				b.ReportMetric(2*float64(n)*float64(n+2)/perRow, "GFlop/s")
			})
		}
	}
}

// Benchmark7Joint reports the time per sample of a seven-joint arm, which
// gives each of seven factors one row.
func Benchmark7Joint(b *testing.B) {
	const m = 1024
	for name, k := range kernels() {
		b.Run(name, func(b *testing.B) {
			var cols [7][][]float64
			var y [7][]float64
			var f [7]*Factor
			for i, n := range []int{47, 46, 39, 32, 25, 18, 11} {
				cols[i], y[i] = sample(rand.New(rand.NewPCG(5, 6)), m, n)
				f[i] = New(n)
			}
			w := &Work{kern: k}
			for b.Loop() {
				for i := range f {
					f[i].Add(cols[i], y[i], w)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/m, "ns/sample")
		})
	}
}

func BenchmarkMerge(b *testing.B) {
	for name, k := range kernels() {
		for _, n := range []int{11, 47, 300} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				w := &Work{kern: k}
				cols, y := sample(rand.New(rand.NewPCG(5, 6)), 2*n, n)
				g := summary(cols, y, w)
				f := New(n)
				for b.Loop() {
					f.Merge(g, w)
				}
			})
		}
	}
}
