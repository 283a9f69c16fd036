package triangle

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSpan: projections and coordinates are those of the plain formula for any number of vectors and columns, with rows
// at the end where the first vectors are zero.
func TestSpan(t *testing.T) {
	const rows = 333 // more than stay near at once
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
		for _, columns := range []int{0, 1, 3, 4, 6, 16, 19} {
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
			within := make([]float64, columns)
			s.Within(within, cols)
			for c := range cols {
				if sum := dot(at[c], at[c]); !(math.Abs(within[c]-sum) < 1e-10) { // a sum of some hundred, of up to eleven coordinates
					t.Fatalf("%d vectors, column %d of %d: the part within has the square %g, want %g", len(q), c, columns, within[c], sum)
				}
			}
			products, taken := make([][]float64, columns), make([][]float64, columns)
			for c := range cols {
				products[c], taken[c] = make([]float64, len(q)), append([]float64(nil), cols[c]...)
			}
			s.Products(products, cols)
			s.Subtract(taken, products)
			for c := range cols {
				for k, d := range at[c] {
					if !(math.Abs(products[c][k]-d) < 1e-12) {
						t.Fatalf("%d vectors, column %d: product %d is %g, want %g", len(q), c, k, products[c][k], d)
					}
				}
				for i := range taken[c] {
					if !(math.Abs(taken[c][i]-want[c][i]) < 1e-12) {
						t.Fatalf("%d vectors, column %d of %d: row %d without them is %g, want %g", len(q), c, columns, i, taken[c][i], want[c][i])
					}
				}
			}
			s.Project(cols, coef, 1)
			// Vectors are orthogonal to a few units of rounding, columns have a norm of eighteen.
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
		for _, from := range []int{0, 3, 8, 41, 300, 332} {
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
		for i := range min(rows, 10+37*len(q)) {
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
	for range 11 {
		check(s, q)
		q = grow(s, q)
	}
	check(s, q)
}

// TestProductsAndMultiples: the kernels of products and multiples agree with sums over rows, for all processors.
func TestProductsAndMultiples(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	drawn := func(n int) []float64 {
		x := aligned(n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		return x
	}
	for name, k := range kernels() {
		for _, strips := range []int{1, 2, 7} {
			for groups := 1; groups < 4; groups++ {
				stride := (strips + 1) * cell
				v, c, sums, multiples := drawn(strips*cell), drawn(groups*stride), drawn(groups*width*width), drawn(groups*width*width)
				wantSums, want := append([]float64(nil), sums...), append([]float64(nil), c...)
				for p := range groups {
					for row := range strips * lanes {
						at := row/lanes*cell + row%lanes
						for i := range width {
							for j := range width {
								wantSums[p*width*width+i*width+j] += v[at+i*lanes] * c[p*stride+at+j*lanes]
								want[p*stride+at+j*lanes] += v[at+i*lanes] * multiples[p*width*width+i*width+j]
							}
						}
					}
				}
				k.products(v, c, stride, sums)
				k.combine(v, c, stride, multiples)
				// Sums of up to 57 terms of order ten at most.
				for i := range sums {
					if math.Abs(sums[i]-wantSums[i]) > 1e-12 {
						t.Fatalf("%s, %d strips, %d groups: product %d is %g, want %g", name, strips, groups, i, sums[i], wantSums[i])
					}
				}
				for i := range c {
					if math.Abs(c[i]-want[i]) > 1e-13*50 {
						t.Fatalf("%s, %d strips, %d groups: number %d is %g, want %g", name, strips, groups, i, c[i], want[i])
					}
				}
			}
		}
	}
}
