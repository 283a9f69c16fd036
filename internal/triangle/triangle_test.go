package triangle

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// sample draws m rows of n columns and a right-hand side.
func sample(rng *rand.Rand, m, n int) (cols [][]float64, y []float64) {
	draw := func() []float64 {
		c := make([]float64, m)
		for i := range c {
			c[i] = rng.NormFloat64()
		}
		return c
	}
	for range n {
		cols = append(cols, draw())
	}
	return cols, draw()
}

// feed adds the rows from..to.
func feed(f *Factor, cols [][]float64, y []float64, from, to int, w *Work) {
	part := make([][]float64, len(cols))
	for j, c := range cols {
		part[j] = c[from:to]
	}
	f.Add(part, y[from:to], w)
}

// summary returns the factor of all rows, added at once.
func summary(cols [][]float64, y []float64, w *Work) *Factor {
	f := New(len(cols))
	feed(f, cols, y, 0, len(y), w)
	return f
}

// gram returns the inner products of the columns and y, y last.
func gram(cols [][]float64, y []float64) *mat.SymDense {
	all := append(append([][]float64(nil), cols...), y)
	g := mat.NewSymDense(len(all), nil)
	for i, a := range all {
		for j := i; j < len(all); j++ {
			s := 0.0
			for k := range a {
				s += a[k] * all[j][k]
			}
			g.SetSym(i, j, s)
		}
	}
	return g
}

// gramOf returns the same of a factor's rows.
func gramOf(f *Factor) *mat.SymDense {
	n := f.N
	cols := make([][]float64, n)
	for j := range cols {
		cols[j] = make([]float64, n+1)
		for i := 0; i <= j; i++ {
			cols[j][i] = f.R[i*n+j]
		}
	}
	z := append(append([]float64(nil), f.Z...), math.Sqrt(f.RSS))
	return gram(cols, z)
}

// apart returns the largest difference of two Gram matrices, each entry
// relative to the norms of its two columns in a.
func apart(a, b *mat.SymDense) float64 {
	worst := 0.0
	for i := range a.SymmetricDim() {
		for j := i; j < a.SymmetricDim(); j++ {
			d := math.Abs(a.At(i, j) - b.At(i, j))
			if s := math.Sqrt(a.At(i, i) * a.At(j, j)); s > 0 {
				d /= s
			}
			if !(d <= worst) {
				worst = d
			}
		}
	}
	return worst
}

// kernels lists the kernels of this processor.
func kernels() map[string]kernel {
	ks := map[string]kernel{"portable": portable}
	if bestKernel() == avx2 {
		ks["avx2"] = avx2
	}
	return ks
}

func TestGramAndSolution(t *testing.T) {
	for name, k := range kernels() {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 11, 12, 18, 25, 47, 48, 61, 130} {
				for _, m := range []int{1, 2, 7, 8, 9, 64, 127, 128, 129, 500} {
					cols, y := sample(rng, m, n)
					w := &Work{kern: k}
					f := summary(cols, y, w)
					if d := apart(gram(cols, y), gramOf(f)); !(d < 1e-13) {
						t.Errorf("m=%d n=%d: Gram matrices differ by %g", m, n, d)
					}
					if m < 2*n {
						continue
					}
					a := mat.NewDense(m, n, nil)
					for j := range cols {
						a.SetCol(j, cols[j])
					}
					var qr mat.QR
					qr.Factorize(a)
					var want mat.VecDense
					if err := qr.SolveVecTo(&want, false, mat.NewVecDense(m, y)); err != nil {
						t.Fatal(err)
					}
					var r mat.Dense
					qr.RTo(&r)
					for i := range n {
						for j := i; j < n; j++ {
							// Householder QR without the sign rule of a Factor.
							want := math.Copysign(1, r.At(i, i)) * r.At(i, j)
							if d := math.Abs(f.R[i*n+j] - want); !(d < 1e-12) {
								t.Errorf("m=%d n=%d: R[%d,%d] differs by %g", m, n, i, j, d)
							}
						}
					}
					got, ok := f.Solve()
					if !ok {
						t.Errorf("m=%d n=%d: not solved", m, n)
					}
					for j := range got {
						if d := math.Abs(got[j] - want.AtVec(j)); !(d < 1e-12) {
							t.Errorf("m=%d n=%d: x[%d] differs by %g", m, n, j, d)
						}
					}
				}
			}
		})
	}
}
