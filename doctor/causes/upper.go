package causes

import (
	"ident/internal/lanes"
	"ident/internal/triangle"
)

// upper is the upper triangle U of a normal matrix UᵀU, row by row. Rows have strideOf(n) entries so that vector
// registers take whole rows; entries left of the diagonal and after the last column are meaningless.
type upper struct {
	n    int
	a    []float64
	rows [][]float64
	coef []float64
}

// strideOf returns the stored row length of a matrix with n columns.
func strideOf(n int) int { return (n + triangle.Vector - 1) &^ (triangle.Vector - 1) }

func newUpper(n int) upper {
	m := strideOf(n)
	u := upper{n: n, a: make([]float64, n*m), rows: make([][]float64, n), coef: make([]float64, n)}
	for i := range u.rows {
		u.rows[i] = u.a[i*m : (i+1)*m]
	}
	return u
}

// regular factors total minus less, with a sufficiently large ridge from the diagonal of total. Columns that are zero in
// total get a one.
func (u *upper) regular(total, less []float64) {
	for by := ridge; by < 1; by = max(100*by, 1e-5) {
		m := strideOf(u.n)
		for c, row := range u.rows {
			from := c &^ (triangle.Vector - 1) // a vector begins there
			copy(row[from:], total[c*m+from:(c+1)*m])
			if less != nil {
				lanes.Axpy(row[from:], -1, less[c*m+from:(c+1)*m])
			}
			if v := total[c*m+c]; v == 0 {
				row[c] = 1
			} else {
				row[c] += by * v
			}
		}
		if triangle.Cholesky(u.rows, u.coef) {
			return
		}
	}
}

// solve overwrites b with the solution x of UᵀU·x = b, for all columns.
func (u *upper) solve(b matrix) {
	if b.cols == 1 {
		triangle.SolveCholesky(u.rows, b.data)
		return
	}
	rows := make([][]float64, u.n)
	for i := range rows {
		rows[i] = b.row(i)
	}
	triangle.SolveAll(u.rows, rows, u.coef)
}
