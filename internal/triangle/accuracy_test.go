package triangle

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// conditioned draws m×n columns with singular values from 1 down to 1/cond,
// and their products with a vector of ones.
func conditioned(rng *rand.Rand, m, n int, cond float64) (cols [][]float64, y []float64) {
	orthonormal := func(m int) *mat.Dense {
		c, _ := sample(rng, m, n)
		a := mat.NewDense(m, n, nil)
		for j := range c {
			a.SetCol(j, c[j])
		}
		var svd mat.SVD
		svd.Factorize(a, mat.SVDThin)
		var u mat.Dense
		svd.UTo(&u)
		return &u
	}
	u, v := orthonormal(m), orthonormal(n)
	for j := range n {
		s := math.Pow(cond, -float64(j)/float64(n-1))
		for i := range m {
			u.Set(i, j, s*u.At(i, j))
		}
	}
	var a mat.Dense
	a.Mul(u, v.T())
	y = make([]float64, m)
	for j := range n {
		c := mat.Col(nil, j, &a)
		for i := range y {
			y[i] += c[i]
		}
		cols = append(cols, c)
	}
	return cols, y
}

// offOnes returns the largest |x[j] − 1|.
func offOnes(x []float64) float64 {
	worst := 0.0
	for _, v := range x {
		worst = math.Max(worst, math.Abs(v-1))
	}
	return worst
}

// TestIllConditioned: with condition 1e10, QR loses ten of sixteen digits and
// the normal equations all of them.
func TestIllConditioned(t *testing.T) {
	const m, n, cond = 3000, 24, 1e10
	cols, y := conditioned(rand.New(rand.NewPCG(7, 8)), m, n, cond)
	var chol mat.Cholesky
	g := gram(cols, y)
	rhs := mat.NewVecDense(n, nil)
	for j := range n {
		rhs.SetVec(j, g.At(j, n))
	}
	normal := math.Inf(1)
	if chol.Factorize(g.SliceSym(0, n)) {
		var x mat.VecDense
		if chol.SolveVecTo(&x, rhs) == nil {
			normal = offOnes(x.RawVector().Data)
		}
	}
	for name, k := range kernels() {
		w := &Work{kern: k}
		whole := summary(cols, y, w)
		// The same through a tree of merges.
		merged := New(n)
		for at := 0; at < m; at += 500 {
			part := New(n)
			feed(part, cols, y, at, at+500, w)
			merged.Merge(part, w)
		}
		for how, f := range map[string]*Factor{"added": whole, "merged": merged} {
			x, ok := f.Solve()
			if !ok {
				t.Errorf("%s, %s: not solved", name, how)
			}
			off := offOnes(x)
			if !(off < 10*cond*0x1p-52) {
				t.Errorf("%s, %s: solution off by %g, QR should be within %g", name, how, off, 10*cond*0x1p-52)
			}
			if !(100*off < normal) {
				t.Errorf("%s, %s: solution off by %g, the normal equations by %g only", name, how, off, normal)
			}
			if rss := math.Sqrt(f.RSS / f.YY); !(rss < 1e-14) {
				t.Errorf("%s, %s: relative residual %g of an exact fit", name, how, rss)
			}
		}
	}
}

// TestLongStream: a hundred thousand rows in uneven parts keep the identity
// ‖y‖² = ‖Z‖² + RSS and the truth.
func TestLongStream(t *testing.T) {
	const n, part, parts = 13, 997, 100
	for name, k := range kernels() {
		rng := rand.New(rand.NewPCG(9, 10))
		f, w := New(n), &Work{kern: k}
		var noise float64
		for range parts {
			cols, e := sample(rng, part, n)
			y := make([]float64, part)
			for i := range y {
				y[i] = 1e-3 * e[i]
				noise += y[i] * y[i]
				for j := range cols {
					y[i] += cols[j][i]
				}
			}
			f.Add(cols, y, w)
		}
		zz := 0.0
		for _, z := range f.Z {
			zz += z * z
		}
		if d := math.Abs(zz+f.RSS-f.YY) / f.YY; !(d < 1e-13) {
			t.Errorf("%s: ‖Z‖² + RSS differs from ‖y‖² by %g of it", name, d)
		}
		if f.Rows != part*parts {
			t.Errorf("%s: %d rows", name, f.Rows)
		}
		// RSS/noise is 1 − n/m on average with deviation √(2n)/m.
		if d := 1 - f.RSS/noise; !(d > 0 && d < 4*n/float64(part*parts)) {
			t.Errorf("%s: the fit took %g of the noise", name, d)
		}
		x, ok := f.Solve()
		if off := offOnes(x); !ok || !(off < 5*1e-3/math.Sqrt(part*parts)) {
			t.Errorf("%s: solution off by %g (ok %v)", name, off, ok)
		}
	}
}

// TestKernelsAgree compares the factors themselves, not only their products.
func TestKernelsAgree(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 11, 18, 25, 32, 39, 46, 47, 60, 260} {
		cols, y := sample(rand.New(rand.NewPCG(11, uint64(n))), 3*n+1, n)
		more := summary(cols, y, &Work{kern: portable})
		run := func(k kernel) *Factor {
			w := &Work{kern: k}
			f := summary(cols, y, w)
			f.Merge(more, w)
			return f
		}
		want := run(portable)
		for name, k := range kernels() {
			got := run(k)
			for i := range n {
				// Relative to the column, whose norm is near √(6n).
				for j := i; j < n; j++ {
					if d := math.Abs(got.R[i*n+j]-want.R[i*n+j]) / math.Sqrt(6*float64(n)); !(d < 1e-13) {
						t.Errorf("%s, n=%d: R[%d,%d] differs by %g", name, n, i, j, d)
					}
				}
				if d := math.Abs(got.Z[i]-want.Z[i]) / math.Sqrt(want.YY); !(d < 1e-13) {
					t.Errorf("%s, n=%d: Z[%d] differs by %g", name, n, i, d)
				}
			}
			if d := math.Abs(got.RSS-want.RSS) / want.YY; !(d < 1e-13) {
				t.Errorf("%s, n=%d: RSS differs by %g", name, n, d)
			}
			if d := math.Abs(got.YY-want.YY) / want.YY; !(d < 1e-13) {
				t.Errorf("%s, n=%d: YY differs by %g", name, n, d)
			}
		}
	}
}

// TestSameBits: the result depends neither on the address of the memory, nor on
// the workspace's size or earlier use.
func TestSameBits(t *testing.T) {
	const m, n = 700, 27
	for name, k := range kernels() {
		rng := rand.New(rand.NewPCG(13, 14))
		cols, y := sample(rng, m, n)
		other, z := sample(rng, 311, 61)
		want := summary(cols, y, &Work{kern: k})
		for shift := range 9 {
			w := &Work{kern: k}
			summary(other, z, w)
			w.tile = w.tile[shift:]
			w.top = w.top[shift:]
			moved := make([][]float64, n)
			for j := range cols {
				moved[j] = append(make([]float64, shift), cols[j]...)[shift:]
			}
			got := summary(moved, append(make([]float64, shift), y...)[shift:], w)
			same(t, name, got, want)
		}
	}
}

// same fails unless two factors agree to the bit, NaN being like NaN.
func same(t *testing.T, what string, got, want *Factor) {
	t.Helper()
	bits := func(f *Factor) []float64 {
		return append(append([]float64{f.RSS, f.YY, float64(f.Rows), float64(f.N)}, f.Z...), f.R...)
	}
	a, b := bits(got), bits(want)
	if len(a) != len(b) {
		t.Fatalf("%s: %d columns, want %d", what, got.N, want.N)
	}
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) && a[i] != b[i] && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
			t.Errorf("%s: number %d is %v, want %v", what, i, a[i], b[i])
			return
		}
	}
}
