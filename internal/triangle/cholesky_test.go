package triangle

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The factor of a positive matrix multiplies to the matrix, and solves its equations, for one column and for many alike. A matrix with a
// negative direction is refused.
func TestCholesky(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, columns := rapid.IntRange(1, 40).Draw(t, "n"), rapid.IntRange(1, 5).Draw(t, "columns")
		number := rapid.Float64Range(-1, 1)
		g := make([][]float64, n)
		for i := range g {
			g[i] = make([]float64, n)
			for k := range g[i] {
				g[i][k] = number.Draw(t, "g")
			}
		}
		a, u, x := make([][]float64, n), make([][]float64, n), make([][]float64, n)
		for i := range n { // a = GᵀG + 1, whose least eigenvalue is one
			a[i], u[i], x[i] = make([]float64, n), make([]float64, n), make([]float64, columns)
			for k := range n {
				for l := range n {
					a[i][k] += g[l][i] * g[l][k]
				}
			}
			a[i][i]++
			copy(u[i], a[i])
			for k := range columns {
				x[i][k] = number.Draw(t, "x")
			}
		}
		scratch := make([]float64, n)
		if !Cholesky(u, scratch) {
			t.Fatal("a positive matrix is refused")
		}
		b, one := make([][]float64, n), make([]float64, n)
		for i := range n {
			b[i] = make([]float64, columns)
			for k := range n {
				for c := range columns {
					b[i][c] += a[i][k] * x[k][c]
				}
			}
			one[i] = b[i][0]
		}
		lower, small := make([][]float64, n), slices.Clone(one)
		for i := range lower {
			lower[i] = slices.Clone(a[i][:i+1])
		}
		Lower(lower, func(_ int, square float64) float64 { return math.Sqrt(square) })
		SolveLower(lower, small)
		SolveAll(u, b, scratch)
		SolveCholesky(u, one)
		// Backward stable: the error is a small multiple of n·ε times the condition number, at most 1 + n·n here.
		bound := 1e-15 * float64(n) * float64(1+n*n)
		for i := range n {
			for k := i; k < n; k++ {
				sum := 0.0
				for l := range i + 1 {
					sum += u[l][i] * u[l][k]
				}
				if math.Abs(sum-a[i][k]) > 1e-15*float64(n)*float64(1+n) {
					t.Fatalf("UᵀU differs by %g at %d, %d", sum-a[i][k], i, k)
				}
			}
			if math.Abs(one[i]-x[i][0]) > bound || math.Abs(small[i]-x[i][0]) > bound {
				t.Fatalf("x[%d] = %g and %g, want %g", i, one[i], small[i], x[i][0])
			}
			for c := range columns {
				if math.Abs(b[i][c]-x[i][c]) > bound {
					t.Fatalf("x[%d][%d] = %g, want %g", i, c, b[i][c], x[i][c])
				}
			}
		}
		for i := range n {
			copy(u[i], a[i])
		}
		at := rapid.IntRange(0, n-1).Draw(t, "at")
		u[at][at] -= a[at][at] + 0.5 // eᵀ·a·e < 0
		if Cholesky(u, scratch) {
			t.Fatal("a matrix that is not positive is factored")
		}
	})
}

// The factor of a matrix of rank one is its column, with columns of zero behind it.
func TestLowerOfRankOne(t *testing.T) {
	v := []float64{0, 2, -1, 3}
	rows := make([][]float64, len(v))
	for i, x := range v {
		for _, y := range v[:i+1] {
			rows[i] = append(rows[i], x*y)
		}
	}
	Lower(rows, func(_ int, square float64) float64 { return math.Sqrt(square) })
	for i, row := range rows {
		for k, got := range row {
			if want := v[i]; k == 1 && got != want || k != 1 && got != 0 {
				t.Errorf("row %d is %v", i, row)
			}
		}
	}
}
