package filter

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// columnRows are the rows of signals of whole blocks by a ColumnDecimator.
func columnRows(d *Decimator, signals [][]float64, c *ColumnDecimator) [][]float64 {
	blocks := len(signals[0]) / d.every
	rows, side := make([][]float64, len(signals)), make([][]float64, len(signals))
	for s := range rows {
		rows[s], side[s] = make([]float64, blocks), make([]float64, d.Group())
	}
	c.Begin(d, rows)
	for at := 0; at < blocks; at += abreast {
		n := min(abreast, blocks-at)
		for s, x := range signals {
			d.SideBySide(side[s], x[at*d.every:(at+n)*d.every])
		}
		c.Add(side, n)
	}
	c.Finish()
	return rows
}

// A ColumnDecimator gives the rows of a Decimator for any number of signals and blocks, whose inner products it rounds in
// another order, and cuts the response where it is 1e-12 of its sum; in vector registers and in Go the same bits.
func TestColumnDecimator(t *testing.T) {
	for order := 1; order <= 5; order++ {
		for _, every := range []int{8, 16, 40} {
			t.Run(fmt.Sprintf("order %d, every %d", order, every), func(t *testing.T) {
				sos, err := Butterworth(order, 200/float64(every), 1000)
				if err != nil {
					t.Fatal(err)
				}
				d := NewDecimator(sos, every)
				var work ColumnDecimator
				for i, blocks := range []int{1, 15, 16, 2*d.tail + 67, 5 * d.tail} {
					signals := make([][]float64, []int{1, 16, 17, 5, 33}[i])
					for s := range signals {
						signals[s] = noisyRamp(blocks*every, uint64(s))
					}
					got := columnRows(d, signals, &work)
					for s, x := range signals {
						want, largest := rowsOf(d, x, blocks, false, false), 0.0
						for _, v := range x {
							largest = max(largest, math.Abs(v))
						}
						for r := range want {
							// As in TestDecimator: residues of close poles are larger than the response.
							if e := math.Abs(got[s][r] - want[r]); !(e <= 64*cutTail*largest) {
								t.Fatalf("signal %d, row %d of %d: %g, off by %.2g", s, r, blocks, got[s][r], e)
							}
						}
					}
					inGo := *d
					inGo.kernels = kernels{}
					for s, rows := range columnRows(&inGo, signals, new(ColumnDecimator)) {
						if !slices.Equal(rows, got[s]) {
							t.Fatalf("%d blocks: signal %d has other bits in Go", blocks, s)
						}
					}
				}
			})
		}
	}
}

// 221 signals of 256 samples at a time, as of an arm of seven joints with friction.
func BenchmarkColumnDecimator(b *testing.B) {
	sos, err := Butterworth(2, 10, 1000)
	if err != nil {
		b.Fatal(err)
	}
	d := NewDecimator(sos, 16)
	const signals, groups = 221, 128
	side, rows := make([][]float64, signals), make([][]float64, signals)
	for s := range side {
		side[s], rows[s] = make([]float64, d.Group(), d.Group()+8), make([]float64, groups*abreast)
		d.SideBySide(side[s], noisyRamp(d.Group(), uint64(s)))
	}
	var c ColumnDecimator
	for b.Loop() {
		c.Begin(d, rows)
		for range groups {
			c.Add(side, abreast)
		}
		c.Finish()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(groups*d.Group()*signals), "ns/column-sample")
}

// BenchmarkSideBySide takes groups of columns that come from beyond the second-level cache.
func BenchmarkSideBySide(b *testing.B) {
	const columns, samples = 21, 32768
	sos, err := Butterworth(2, 10, 1000)
	if err != nil {
		b.Fatal(err)
	}
	d := NewDecimator(sos, 16)
	group, cols, dst := d.Group(), make([][]float64, columns), make([]float64, d.Group())
	for k := range cols {
		cols[k] = make([]float64, samples+3*k)
	}
	for b.Loop() {
		for at := 0; at < samples; at += group {
			for _, x := range cols {
				d.SideBySide(dst, x[at:at+group])
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/columns/samples, "ns/value")
}
