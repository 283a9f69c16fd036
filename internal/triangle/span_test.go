package triangle

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSpan: projections and coordinates are those of the plain formula for any number of vectors and columns, with rows
// at the end where the first vectors are zero, and a clone grows by itself.
func TestSpan(t *testing.T) {
	const rows = 77
	rng := rand.New(rand.NewPCG(3, 4))
	dot := func(a, b []float64) (s float64) {
		for i := range a {
			s += a[i] * b[i]
		}
		return s
	}
	var q [][]float64
	s := new(Span)
	check := func(s *Span, q [][]float64) {
		t.Helper()
		for columns := range 6 {
			cols, coef, want, at := make([][]float64, columns), make([][]float64, columns), make([][]float64, columns), make([][]float64, columns)
			for c := range cols {
				cols[c], coef[c] = make([]float64, rows), make([]float64, len(q))
				for i := range cols[c] {
					cols[c][i] = rng.NormFloat64()
				}
				want[c] = append([]float64(nil), cols[c]...)
				for _, v := range q {
					d := dot(v, cols[c])
					at[c] = append(at[c], d)
					for i := range v {
						want[c][i] -= d * v[i]
					}
				}
			}
			s.Project(cols, coef, 1)
			// Vectors are orthogonal to a few units of rounding, columns have a norm of nine.
			for c := range cols {
				for i := range want[c] {
					if !(math.Abs(cols[c][i]-want[c][i]) < 1e-12) {
						t.Fatalf("%d vectors, column %d of %d: row %d is %g, want %g", len(q), c, columns, i, cols[c][i], want[c][i])
					}
				}
				for k := range at[c] {
					if !(math.Abs(coef[c][k]-at[c][k]) < 1e-12) {
						t.Fatalf("%d vectors, column %d: coordinate %d is %g, want %g", len(q), c, k, coef[c][k], at[c][k])
					}
				}
			}
		}
		for _, from := range []int{0, 3, 8, 41, 76} {
			x := make([]float64, min(20, rows-from))
			for i := range x {
				x[i] = rng.NormFloat64()
			}
			coef := make([]float64, len(q))
			s.Coordinates(coef, from, x)
			for k, v := range q {
				if want := dot(v[from:from+len(x)], x); !(math.Abs(coef[k]-want) < 1e-12) {
					t.Fatalf("%d vectors, rows from %d: coordinate %d is %g, want %g", len(q), from, k, coef[k], want)
				}
			}
		}
	}
	grow := func(s *Span, q [][]float64) [][]float64 {
		v := make([]float64, rows)
		for i := range min(rows, 10+7*len(q)) {
			v[i] = rng.NormFloat64()
		}
		for range 2 {
			for _, u := range q {
				d := dot(u, v)
				for i := range v {
					v[i] -= d * u[i]
				}
			}
		}
		norm := math.Sqrt(dot(v, v))
		for i := range v {
			v[i] /= norm
		}
		s.Append(v)
		return append(q[:len(q):len(q)], v)
	}
	for range 9 {
		check(s, q)
		c := s.Clone()
		check(c, grow(c, q))
		q = grow(s, q)
	}
	check(s, q)
}
