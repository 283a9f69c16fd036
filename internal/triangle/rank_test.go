package triangle

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// What Determined says is true of the singular values, and it says so where they are twenty times N above the limit: the two
// norms are at most √N of their values each.
func TestDetermined(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	said, clear := 0, 0
	for range 400 {
		n := 1 + r.IntN(30)
		f := New(n)
		norms, scaled := make([]float64, n), mat.NewDense(n, n, nil)
		for j := range n {
			norms[j] = math.Pow(10, 4*r.Float64()-2)
			small := math.Pow(10, -12*r.Float64()*r.Float64())
			for i := range j + 1 {
				f.R[i*n+j] = r.NormFloat64()
			}
			f.R[j*n+j] = math.Abs(f.R[j*n+j]) * small
			for i := range j + 1 {
				scaled.Set(i, j, f.R[i*n+j]/norms[j])
			}
		}
		var svd mat.SVD
		if !svd.Factorize(scaled, mat.SVDNone) {
			t.Fatal("no singular values")
		}
		const part = 1e-8
		ratio := 1 / svd.Cond()
		if f.Determined(norms, part) {
			if said++; ratio < part {
				t.Errorf("%d columns with values down to %g of the largest are said to be above %g", n, ratio, part)
			}
		} else if ratio > 20*float64(n)*part {
			t.Errorf("%d columns with values down to %g of the largest are not said to be above %g", n, ratio, part)
		}
		if ratio > part {
			clear++
		}
	}
	if said < clear/2 || said == 400 {
		t.Errorf("said of %d factors, true of %d", said, clear)
	}
	for _, bad := range []float64{0, math.NaN(), math.Inf(1)} {
		f := New(2)
		f.R[0], f.R[3] = 1, bad
		if f.Determined([]float64{1, 1}, 1e-8) {
			t.Errorf("a diagonal of 1 and %g is said to be determined", bad)
		}
	}
	if !New(0).Determined(nil, 1) {
		t.Error("no column is said to be lost")
	}
}

func BenchmarkDetermined(b *testing.B) {
	const n = 69
	f, norms := New(n), make([]float64, n)
	for j := range n {
		f.R[j*n+j], norms[j] = 1+float64(j), 1
	}
	for b.Loop() {
		f.Determined(norms, 1e-8)
	}
}
