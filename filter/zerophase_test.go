package filter

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/long"
	"ident/internal/vectorunit"
)

func noise(n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

func distance(a, b []float64) float64 {
	d := 0.0
	for i := range a {
		d = max(d, math.Abs(a[i]-b[i]))
	}
	return d
}

func largest(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

// The integrator form against the direct form in 400 bits. At a cut-off of 1/2000
// of the rate a direct form in float64 has no digits left at order 10.
func TestZeroPhaseAgainstDirectForm(t *testing.T) {
	for order := 1; order <= MaxOrder; order += long.Of(1, 3) {
		for _, fraction := range []float64{0.01, 0.45, 0.0005, 0.1, 0.3}[:long.Of(5, 2)] {
			warp := math.Tan(math.Pi * fraction)
			b, a := transfer(butterworthCircle(order), warp, 1)
			s, err := Butterworth(order, fraction, 1)
			if err != nil {
				t.Fatal(err)
			}
			x := noise(150, uint64(order))
			for i := range x {
				x[i] += 10
			}
			for _, pad := range []int{0, 3 * order, 149, 400} {
				want := naiveFiltfilt(b, a, 1, x, pad)
				got := make([]float64, len(x))
				s.zeroPhasePadded(got, x, pad, nil)
				if d := distance(got, want) / largest(want); d > 2e-13 {
					t.Errorf("order %d at %g of the rate, pad %d: differs by %g", order, fraction, pad, d)
				}
			}
		}
	}
}

// Away from the ends a sinusoid keeps its phase and is multiplied by |H|².
func TestZeroPhaseOnSinusoids(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := 1000.0
		order := rapid.IntRange(1, MaxOrder).Draw(t, "order")
		cutoff := rapid.Float64Range(20, 450).Draw(t, "cutoff")
		f := rapid.Float64Range(1, 490).Draw(t, "f")
		phase := rapid.Float64Range(0, 2*math.Pi).Draw(t, "phase")
		s, err := Butterworth(order, cutoff, rate)
		if err != nil {
			t.Fatal(err)
		}
		end := s.Tail(1e-13)
		x := make([]float64, 2*end+50)
		for i := range x {
			x[i] = math.Sin(2*math.Pi*f*float64(i)/rate + phase)
		}
		y := make([]float64, len(x))
		s.ZeroPhase(y, x, nil)
		gain := math.Pow(cmplx.Abs(s.Response(f, rate)), 2)
		for i := end; i < len(x)-end; i++ {
			if math.Abs(y[i]-gain*x[i]) > 1e-11 {
				t.Fatalf("sample %d: %g, want %g", i, y[i], gain*x[i])
			}
		}
	})
}

// A constant comes back to the bit, whatever the filter.
func TestZeroPhaseKeepsConstants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _, _, _ := anyFilter(t)
		v := rapid.Float64Range(1, 10).Draw(t, "v") * math.Pow10(rapid.IntRange(-100, 100).Draw(t, "exponent"))
		x := make([]float64, rapid.IntRange(1, 600).Draw(t, "n"))
		for i := range x {
			x[i] = v
		}
		s.ZeroPhase(x, x, nil)
		for i := range x {
			if x[i] != v {
				t.Fatalf("sample %d of a constant %v is %v", i, v, x[i])
			}
		}
	})
}

// A straight line is its own point reflection: away from the ends it passes
// unchanged.
func TestZeroPhaseKeepsLines(t *testing.T) {
	s, err := Butterworth(4, 50, 1000)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 500)
	for i := range x {
		x[i] = 3 + 0.25*float64(i)
	}
	y := make([]float64, len(x))
	s.ZeroPhase(y, x, nil)
	if d := distance(x, y); d > 1e-4 {
		t.Errorf("a line bends by %g", d)
	}
	if d := distance(x[200:300], y[200:300]); d > 1e-12*largest(x) {
		t.Errorf("a line bends by %g in its middle", d)
	}
}

func TestZeroPhaseColumnsSameBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _, _, _ := anyFilter(t)
		n := rapid.IntRange(0, 700).Draw(t, "n")
		cols := make([][]float64, rapid.IntRange(0, 40).Draw(t, "columns"))
		want := make([][]float64, len(cols))
		var work Work
		for j := range cols {
			cols[j] = noise(n, uint64(j))
			want[j] = make([]float64, n)
			s.ZeroPhase(want[j], cols[j], nil)
		}
		s.ZeroPhaseColumns(cols, &work)
		for j := range cols {
			if !slices.Equal(cols[j], want[j]) {
				t.Fatalf("column %d of %d differs by %g", j, len(cols), distance(cols[j], want[j]))
			}
		}
	})
}

// Filtering block by block with an overlap of Tail(1e-12) is filtering the whole.
func TestBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.IntRange(1, MaxOrder).Draw(t, "order")
		fraction := rapid.Float64Range(0.004, 0.45).Draw(t, "cutoff/rate")
		s, err := Butterworth(order, fraction, 1)
		if err != nil {
			t.Fatal(err)
		}
		overlap := s.Tail(1e-12)
		n := rapid.IntRange(1, 6*overlap+300).Draw(t, "n")
		x := noise(n, uint64(n))
		level := 0.0
		for i := range x {
			level += 0.3 * x[i] // a random walk on top, so that ends matter
			x[i] += level
		}
		whole := make([]float64, n)
		s.ZeroPhase(whole, x, nil)
		block := rapid.IntRange(max(1, n/20), n).Draw(t, "block")
		got := make([]float64, n)
		var work Work
		for p := range blocks(n, block, overlap) {
			y := slices.Clone(x[p.lo:p.hi])
			s.ZeroPhase(y, y, &work)
			copy(got[p.first:p.last], y[p.first-p.lo:p.last-p.lo])
		}
		if d := distance(got, whole); d > 1e-11*largest(x) {
			t.Fatalf("blocks of %d of %d with %d overlap differ by %g", block, n, overlap, d/largest(x))
		}
	})
}

func TestZeroPhaseShortSignals(t *testing.T) {
	s, err := Butterworth(4, 5, 1000)
	if err != nil {
		t.Fatal(err)
	}
	s.ZeroPhase(nil, nil, nil)
	x := []float64{7}
	if s.ZeroPhase(x, x, nil); x[0] != 7 {
		t.Errorf("one sample became %g", x[0])
	}
	for _, x := range [][]float64{{1, 2}, {1, 2, 3}, {1, 4, 0, 4}, {1, 0, 0, 0, 5}} {
		y := make([]float64, len(x))
		s.ZeroPhase(y, x, nil)
		n := len(x) - 1
		for i, v := range y {
			line := x[0] + (x[n]-x[0])*float64(i)/float64(n)
			if math.Abs(v-line) > 1e-3*largest(x) {
				t.Errorf("%v became %v, not a line from end to end", x, y)
				break
			}
		}
	}
	var none SOS
	x = []float64{1, -2, 3}
	if none.ZeroPhase(x, x, nil); !slices.Equal(x, []float64{1, -2, 3}) {
		t.Errorf("the zero filter made %v", x)
	}
}

// After a pulse the states die out completely instead of staying subnormal.
func TestStatesVanish(t *testing.T) {
	s, err := Butterworth(4, 100, 1000)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 20000)
	x[10] = 1
	s.zeroPhasePadded(x, x, 0, nil)
	for i := 10000; i < len(x); i++ {
		if x[i] != 0 {
			t.Fatalf("sample %d is %g", i, x[i])
		}
	}
}

func TestZeroPhaseAllocatesNothing(t *testing.T) {
	s, err := Butterworth(5, 100, 1000)
	if err != nil {
		t.Fatal(err)
	}
	cols := [][]float64{noise(300, 1), noise(300, 2), noise(300, 3)}
	var work Work
	s.ZeroPhaseColumns(cols, &work)
	if a := testing.AllocsPerRun(10, func() {
		s.ZeroPhase(cols[0], cols[0], &work)
		s.ZeroPhaseColumns(cols, &work)
	}); a != 0 {
		t.Errorf("%g allocations", a)
	}
}

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
			cols := make([][]float64, 14)
			for j := range cols {
				cols[j] = make([]float64, 10000)
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

// Columns side by side and back again are the same, in every order of samples.
func TestInterleave(t *testing.T) {
	for _, k := range []kernels{{}, {vectors: vectorunit.AVX2()}} {
		for _, n := range []int{1, 7, 8, 9, 64, 71} {
			var cols, back [abreast][]float64
			for c := range cols {
				cols[c], back[c] = noise(n, uint64(c)), make([]float64, n)
			}
			side := make([]float64, abreast*n)
			k.interleave(side, &cols, 8)
			for c, x := range cols {
				for i, v := range x {
					if side[i*abreast+c] != v {
						t.Fatalf("vectors %t, %d samples: column %d, sample %d is %g, not %g", k.vectors, n, c, i, side[i*abreast+c], v)
					}
				}
			}
			k.separate(&back, side)
			for c := range cols {
				if !slices.Equal(back[c], cols[c]) {
					t.Fatalf("vectors %t, %d samples: column %d comes back as another", k.vectors, n, c)
				}
			}
		}
	}
}
