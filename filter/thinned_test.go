package filter

import (
	"math"
	"testing"
)

// A signal of up to 40 Hz at every fifth sample of 1 kHz has the rows of all samples behind a low-pass of 10 Hz: what the
// response passes above 160 Hz, where its first image lies, is (10/160)⁴, 1.5e-5.
func TestThinnedDecimator(t *testing.T) {
	s, err := Butterworth(2, 10, 1000)
	if err != nil {
		t.Fatal(err)
	}
	const n, every, step = 4000, 40, 5
	x := make([]float64, n)
	var thin []float64
	for k := range x {
		at := float64(k) / 1000
		x[k] = math.Sin(2*math.Pi*1.3*at+0.2) + 0.5*math.Cos(2*math.Pi*9*at) + 0.3*math.Sin(2*math.Pi*40*at)
		if k%step == 0 {
			thin = append(thin, x[k])
		}
	}
	rows := func(d *Decimator, x []float64) []float64 {
		moments, out := make([]float64, d.Moments(n/every)), make([]float64, n/every)
		d.Block(moments, x, n/every, 0)
		d.Rows(out, moments, Ends{First: x[0], Last: x[len(x)-1], Samples: len(x), ReflectedFirst: true, ReflectedLast: true})
		return out
	}
	whole, some := rows(NewDecimator(s, every), x), rows(NewThinnedDecimator(s, every/step, step), thin)
	tail := s.Tail(1e-6)/every + 1
	for k := tail; k < len(whole)-tail; k++ {
		if d := math.Abs(whole[k] - some[k]); d > 1.8*1.5e-5 {
			t.Fatalf("row %d is %g of all samples and %g of every fifth", k, whole[k], some[k])
		}
	}
}
