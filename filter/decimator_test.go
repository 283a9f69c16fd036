package filter

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// noisyRamp is white noise on a slope, so that the ends have a direction.
func noisyRamp(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64() + 3*float64(i)/float64(n) - 1
	}
	return x
}

// rowsOf are a Decimator's rows of a signal, its moments taken in parts of some blocks.
func rowsOf(d *Decimator, x []float64, part int, reflectedFirst, reflectedLast bool) []float64 {
	k := d.every
	blocks := (len(x) + k - 1) / k
	moments := make([]float64, d.Moments(blocks))
	for at := 0; at < blocks; at += part {
		d.Block(moments, x[at*k:min((at+part)*k, len(x))], blocks, at)
	}
	rows := make([]float64, blocks)
	d.Rows(rows, moments, Ends{First: x[0], Last: x[len(x)-1], Samples: len(x), ReflectedFirst: reflectedFirst, ReflectedLast: reflectedLast})
	return rows
}

// Rows are samples of ZeroPhase. Far from the ends the two differ by rounding: a sum of
// some thousand products, each with the rounding of its power of a pole. At reflected
// ends ZeroPhase goes over to a constant where its one-way response has decayed to
// settled. Where an end is cut off, rows further away than Tail(tol) differ by tol.
func TestDecimator(t *testing.T) {
	const rate, tol = 1000.0, 1e-12
	for order := 1; order <= 6; order++ {
		for _, c := range []struct {
			cutoff float64
			every  int
		}{{10, 40}, {2, 200}, {4, 8}, {45, 8}} {
			t.Run(fmt.Sprintf("order %d %g Hz every %d", order, c.cutoff, c.every), func(t *testing.T) {
				sos, err := Butterworth(order, c.cutoff, rate)
				if err != nil {
					t.Fatal(err)
				}
				d := NewDecimator(sos, c.every)
				reach := sos.Tail(tol)
				for _, rest := range []int{0, 1, c.every / 2, c.every - 1} {
					x := noisyRamp(4*reach+17*c.every+rest, uint64(rest))
					want := slices.Clone(x)
					sos.ZeroPhase(want, want, nil)
					largest := 2 * slices.Max(x) // of the reflection
					whole, cut := rowsOf(d, x, 7, true, true), rowsOf(d, x, 5, false, false)
					for r := range whole {
						at := r * c.every
						// Residues of poles that lie close together are larger than the response.
						far := 64 * tol * largest
						if e := math.Abs(whole[r] - want[at]); e > 8*settled*largest {
							t.Fatalf("row %d of %d: %g, ZeroPhase %g", r, len(whole), whole[r], want[at])
						}
						if at <= reach || at >= len(x)-reach {
							continue
						}
						for _, got := range []float64{whole[r], cut[r]} {
							if !(math.Abs(got-want[at]) <= far) {
								t.Fatalf("row %d of %d, far from the ends: %g, ZeroPhase differs by %.2g", r, len(whole), got, got-want[at])
							}
						}
					}
				}
			})
		}
	}
}

// A constant comes back times the gain at zero frequency, to its ends.
func TestDecimatorOfAConstant(t *testing.T) {
	sos, err := Butterworth(2, 10, 1000)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 1013)
	for i := range x {
		x[i] = 3
	}
	for _, reflected := range []bool{false, true} {
		for r, y := range rowsOf(NewDecimator(sos, 40), x, 3, reflected, reflected) {
			if math.Abs(y-3) > 1e-12 {
				t.Errorf("row %d is %g", r, y)
			}
		}
	}
}

// BenchmarkDecimator filters 221 columns in blocks that stay in the second-level cache,
// as a pass does with the columns of a seven-joint arm.
func BenchmarkDecimator(b *testing.B) {
	const columns, n = 221, 320
	sos, err := Butterworth(2, 10, 1000)
	if err != nil {
		b.Fatal(err)
	}
	d := NewDecimator(sos, 40)
	cols := make([][]float64, columns)
	for c := range cols {
		cols[c] = noisyRamp(n, uint64(c))
	}
	const parts = 50
	blocks := parts * n / d.every
	moments, rows := make([]float64, columns*d.Moments(blocks)), make([]float64, blocks)
	b.ReportAllocs()
	for b.Loop() {
		for at := range parts {
			for c, x := range cols {
				d.Block(moments[c*d.Moments(blocks):], x, blocks, at*n/d.every)
			}
		}
		for c, x := range cols {
			d.Rows(rows, moments[c*d.Moments(blocks):], Ends{First: x[0], Last: x[n-1], Samples: parts * n})
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/columns/n/parts, "ns/column-sample")
}

// Rows of several signals at once are those of each alone, to the bit.
func TestRowsOfSeveralSignals(t *testing.T) {
	for order := 1; order <= 5; order++ {
		sos, err := Butterworth(order, 10, 1000)
		if err != nil {
			t.Fatal(err)
		}
		d := NewDecimator(sos, 16)
		for _, reflected := range []bool{false, true} {
			const samples, signals = 16*30 + 5, 7
			const blocks = (samples + 15) / 16
			var moments, got, want [][]float64
			var ends []Ends
			for s := range signals {
				x := noisyRamp(samples, uint64(s))
				own := make([]float64, d.Moments(blocks))
				d.Block(own, x, blocks, 0)
				e := Ends{First: x[0], Last: x[samples-1], Samples: samples, ReflectedFirst: reflected}
				alone := make([]float64, blocks)
				d.Rows(alone, own, e)
				moments, ends = append(moments, own), append(ends, e)
				got, want = append(got, make([]float64, blocks)), append(want, alone)
			}
			d.RowsOf(got, moments, ends)
			for s := range want {
				if !slices.Equal(got[s], want[s]) {
					t.Errorf("order %d, reflected %v: other rows of signal %d", order, reflected, s+1)
				}
			}
		}
	}
}
