package filter

import (
	"fmt"
	"testing"
)

func BenchmarkZeroPhase(b *testing.B) {
	for _, order := range []int{2, 4, 5, 8} {
		b.Run(fmt.Sprintf("order=%d", order), func(b *testing.B) {
			s, _ := Butterworth(order, 20, 1000)
			x := make([]float64, 10000)
			for i := range x {
				x[i] = float64(i % 37)
			}
			var w Work
			for b.Loop() {
				s.ZeroPhase(x, x, &w)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/sample")
		})
	}
}

func BenchmarkZeroPhaseColumns(b *testing.B) {
	for _, order := range []int{2, 4, 5, 8} {
		b.Run(fmt.Sprintf("order=%d", order), func(b *testing.B) {
			s, _ := Butterworth(order, 20, 1000)
			cols := make([][]float64, 12)
			for j := range cols {
				cols[j] = make([]float64, 2000)
				for i := range cols[j] {
					cols[j][i] = float64(i % 37)
				}
			}
			var w Work
			for b.Loop() {
				s.ZeroPhaseColumns(cols, &w)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(cols)*len(cols[0])), "ns/sample")
		})
	}
}
