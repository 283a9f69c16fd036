package filter

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func gainOf(f FIR, frequency float64) float64 {
	g := f.Taps[f.Half()]
	for i := 1; i <= f.Half(); i++ {
		g += 2 * f.Taps[f.Half()+i] * math.Cos(2*math.Pi*frequency*float64(i))
	}
	return g
}

// The decimation filters keep the figures that their documentation states.
func TestDecimationFIR(t *testing.T) {
	for _, factor := range []int{2, 3, 5, 10, 37, 100} {
		f := DecimationFIR(factor)
		if len(f.Taps)%2 != 1 {
			t.Fatalf("factor %d: %d taps", factor, len(f.Taps))
		}
		mirrored := slices.Clone(f.Taps)
		slices.Reverse(mirrored)
		if !slices.Equal(mirrored, f.Taps) {
			t.Errorf("factor %d: not symmetric", factor)
		}
		if f.Half() > 10*factor {
			t.Errorf("factor %d: %d taps on a side", factor, f.Half())
		}
		nyquist := 0.5 / float64(factor)
		ripple := math.Pow(10, -DecimationAttenuation/20)
		for k := 0; k <= 2000; k++ {
			at := 0.5 * float64(k) / 2000
			g := gainOf(f, at)
			if at <= DecimationPass*nyquist && math.Abs(g-1) > 2*ripple {
				t.Errorf("factor %d: gain %g at %g of the new Nyquist frequency", factor, g, at/nyquist)
			}
			if at >= nyquist && math.Abs(g) > 1.1*ripple {
				t.Errorf("factor %d: gain %g at %g of the new Nyquist frequency", factor, g, at/nyquist)
			}
		}
	}
	if f := DecimationFIR(1); len(f.Taps) != 1 || f.Taps[0] != 1 {
		t.Errorf("decimation by one is %v", f.Taps)
	}
}

func TestDecimateIsItsSum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		factor := rapid.IntRange(1, 12).Draw(t, "factor")
		f := DecimationFIR(rapid.IntRange(1, 12).Draw(t, "design"))
		half := f.Half()
		first := half + rapid.IntRange(0, 20).Draw(t, "late")
		n := rapid.IntRange(0, 2*half+200).Draw(t, "n")
		x := noise(n, uint64(n))
		dst := make([]float64, n+1)
		count := f.Decimate(dst, x, first, factor)
		if count != f.Count(n, first, factor) {
			t.Fatalf("%d outputs, Count says %d", count, f.Count(n, first, factor))
		}
		if centre := first + count*factor; centre+half < n {
			t.Fatalf("an output at %d of %d is missing", centre, n)
		}
		for k := range count {
			sum := 0.0
			for i, tap := range f.Taps {
				sum += tap * x[first+k*factor+i-half]
			}
			if math.Abs(sum-dst[k]) > 1e-14*largest(x) {
				t.Fatalf("output %d is %g, want %g", k, dst[k], sum)
			}
		}
		if count > 1 {
			if short := f.Decimate(dst[:count-1], x, first, factor); short != count-1 {
				t.Fatalf("%d outputs into room for %d", short, count-1)
			}
		}
	})
}

// Blocks that overlap by Half give the same bits as the whole.
func TestDecimateBlocks(t *testing.T) {
	f := DecimationFIR(7)
	half := f.Half()
	x := noise(3000, 5)
	whole := make([]float64, f.Count(len(x), half, 7))
	f.Decimate(whole, x, half, 7)
	var got []float64
	next := half // the centre of the next output
	for s := range blocks(len(x), 210, half) {
		out := make([]float64, 40)
		if next-half < s.lo || next >= s.last {
			continue
		}
		room := (s.last - 1 - next) / 7
		n := f.Decimate(out[:room+1], x[s.lo:s.hi], next-s.lo, 7)
		got = append(got, out[:n]...)
		next += 7 * n
	}
	if !slices.Equal(got, whole) {
		t.Errorf("%d outputs block by block, %d at once", len(got), len(whole))
	}
}

func BenchmarkDecimate(b *testing.B) {
	for _, factor := range []int{5, 10, 100} {
		b.Run(fmt.Sprintf("factor=%d", factor), func(b *testing.B) {
			f := DecimationFIR(factor)
			x := noise(20000, 1)
			dst := make([]float64, len(x))
			for b.Loop() {
				f.Decimate(dst, x, f.Half(), factor)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/input")
		})
	}
}
