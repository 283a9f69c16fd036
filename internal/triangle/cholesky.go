package triangle

import (
	"math"

	vectors "ident/internal/lanes"
)

// Vector is the number of entries of a whole vector register: rows with a multiple of it have no remainder.
const Vector = 16

// Cholesky replaces a symmetric matrix, of which rows hold the entries from the diagonal on, by its factor U: the matrix is UᵀU. It
// returns false if the matrix is not positive. Entries left of the diagonal are meaningless behind it. scratch must have an entry a
// row.
func Cholesky(rows [][]float64, scratch []float64) bool {
	n := len(rows)
	for i, row := range rows {
		for k := range i {
			scratch[k] = -rows[k][i]
		}
		from := i &^ (Vector - 1)
		vectors.CombineFrom(row[from:], scratch[:i], rows[:i], from)
		if !(row[i] > 0) {
			return false
		}
		by := 1 / math.Sqrt(row[i])
		for k := i; k < n; k++ {
			row[k] *= by
		}
	}
	return true
}

// SolveCholesky overwrites x with the solution of UᵀU·y = x.
func SolveCholesky(u [][]float64, x []float64) {
	n := len(u)
	for i := range n {
		x[i] /= u[i][i]
		vectors.Axpy(x[i+1:], -x[i], u[i][i+1:n])
	}
	for i := n - 1; i >= 0; i-- {
		s := x[i]
		for k, v := range u[i][i+1 : n] {
			s -= v * x[i+1+k]
		}
		x[i] = s / u[i][i]
	}
}

// Lower replaces the lower triangle of a small symmetric matrix by the factor L, row by row: the matrix is L·Lᵀ. root returns the
// diagonal entry of a row from its square, which is not positive if the matrix is not; behind a zero the column is zero.
func Lower(rows [][]float64, root func(row int, square float64) float64) {
	for i, row := range rows {
		for k, above := range rows[:i+1] {
			s := row[k]
			for l := range k {
				s -= row[l] * above[l]
			}
			switch {
			case k == i:
				row[i] = root(i, s)
			case above[k] == 0:
				row[k] = 0
			default:
				row[k] = s / above[k]
			}
		}
	}
}

// SolveLower overwrites x with the solution of L·Lᵀ·y = x.
func SolveLower(l [][]float64, x []float64) {
	for i, row := range l {
		for k, v := range row[:i] {
			x[i] -= v * x[k]
		}
		x[i] /= row[i]
	}
	for i := len(l) - 1; i >= 0; i-- {
		for k := i + 1; k < len(l); k++ {
			x[i] -= l[k][i] * x[k]
		}
		x[i] /= l[i][i]
	}
}

// SolveAll is SolveCholesky for many columns: row i of b holds the entries i of all of them. scratch must have an entry a row.
func SolveAll(u, b [][]float64, scratch []float64) {
	n := len(u)
	scale := func(i int) {
		by := 1 / u[i][i]
		for k := range b[i] {
			b[i][k] *= by
		}
	}
	for i := range n {
		for k := range i {
			scratch[k] = -u[k][i]
		}
		vectors.Combine(b[i], scratch[:i], b[:i])
		scale(i)
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			scratch[k] = -u[i][k]
		}
		vectors.Combine(b[i], scratch[i+1:n], b[i+1:])
		scale(i)
	}
}
