package projection

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Take stops at the first value that is out of the ordinary, and its figures are those of the values before it; sums of at most a
// hundred values below a million, in another order, to rounding.
func TestNeighbours(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-3, 3), 0, 100).Draw(rt, "x")
		for range rapid.IntRange(0, 2).Draw(rt, "others") {
			if len(x) > 0 {
				x[rapid.IntRange(0, len(x)-1).Draw(rt, "place")] = rapid.SampledFrom([]float64{0, 1, -1, 1e9, math.NaN(), math.Inf(1)}).Draw(rt, "other")
			}
		}
		excursion := rapid.Float64Range(0, 4).Draw(rt, "excursion")
		last, step := rapid.Float64Range(-3, 3).Draw(rt, "last"), rapid.Float64Range(-3, 3).Draw(rt, "step")
		const bound, origin = 1e6, 0.25
		got := Neighbours{Moments: Moments{Origin: origin}, Min: last, Max: last, Last: last, LastStep: step, Size: new([2048]int), Step: new([2048]int)}
		want := got
		want.Size, want.Step = new([2048]int), new([2048]int)
		n := 0
		for _, v := range x {
			d := v - want.Last
			if !(math.Abs(v) <= bound) || v == 0 || d == 0 || d*want.LastStep < 0 && min(math.Abs(d), math.Abs(want.LastStep)) > excursion {
				break
			}
			want.Add(v)
			want.Min, want.Max = min(want.Min, v), max(want.Max, v)
			want.Size[math.Float64bits(v)>>52&0x7ff]++
			want.Step[math.Float64bits(d)>>52&0x7ff]++
			want.Last, want.LastStep = v, d
			n++
		}
		if k := got.Take(x, bound, excursion); k != n {
			rt.Fatalf("%d values in place of %d", k, n)
		}
		if *got.Size != *want.Size || *got.Step != *want.Step {
			rt.Fatal("counts differ")
		}
		got.Size, got.Step, want.Size, want.Step = nil, nil, nil, nil
		// Terms of a sum of n terms are rounded n times at most, in any order.
		if e := math.Abs(got.Sum - want.Sum); e > 0x1p-45*float64(n)*4 {
			rt.Fatalf("sum off by %g", e)
		}
		if e := math.Abs(got.Total - want.Total); e > 0x1p-45*float64(n)*16 {
			rt.Fatalf("sum of squares off by %g", e)
		}
		got.Sum, got.Total = want.Sum, want.Total
		if got != want {
			rt.Fatalf("%v in place of %v", got, want)
		}
	})
}

func BenchmarkNeighbours(b *testing.B) {
	x := make([]float64, 4096)
	for i := range x {
		x[i] = math.Sin(float64(i)/100) + 1e-4*math.Cos(1e5*float64(i))
	}
	s := Neighbours{Size: new([2048]int), Step: new([2048]int)}
	for b.Loop() {
		s.Take(x, 10, 1)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(x)), "ns/value")
}
