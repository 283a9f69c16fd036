package causes

import (
	"math"

	"ident/internal/lanes"
)

// upper is the upper triangle U of a normal matrix UᵀU, row by row. Rows have strideOf(n) entries so that vector
// registers take whole rows; entries left of the diagonal and after the last column are meaningless.
type upper struct {
	n    int
	a    []float64
	rows [][]float64
	coef []float64
}

const vector = 16

// strideOf returns the stored row length of a matrix with n columns.
func strideOf(n int) int { return (n + vector - 1) &^ (vector - 1) }

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
		copy(u.a, total)
		if less != nil {
			lanes.Axpy(u.a, -1, less)
		}
		for c := range u.n {
			if v := total[c*strideOf(u.n)+c]; v == 0 {
				u.rows[c][c] = 1
			} else {
				u.rows[c][c] += by * v
			}
		}
		if u.factor() {
			return
		}
	}
}

// factor replaces the matrix by its factor, row after row. It returns false if the matrix is not positive.
func (u *upper) factor() bool {
	for i := range u.n {
		for k := range i {
			u.coef[k] = -u.rows[k][i]
		}
		from := i &^ (vector - 1)
		lanes.CombineFrom(u.rows[i][from:], u.coef[:i], u.rows[:i], from)
		if !(u.rows[i][i] > 0) {
			return false
		}
		row, by := u.rows[i][i:u.n], 1/math.Sqrt(u.rows[i][i])
		for k := range row {
			row[k] *= by
		}
	}
	return true
}

// solve overwrites b with the solution x of UᵀU·x = b, for all columns.
func (u *upper) solve(b matrix) {
	if b.cols == 1 {
		u.solveOne(b.data)
		return
	}
	rows := make([][]float64, u.n)
	for i := range rows {
		rows[i] = b.row(i)
	}
	scale := func(i int) {
		by := 1 / u.rows[i][i]
		for k := range rows[i] {
			rows[i][k] *= by
		}
	}
	for i := range u.n {
		for k := range i {
			u.coef[k] = -u.rows[k][i]
		}
		lanes.Combine(rows[i], u.coef[:i], rows[:i])
		scale(i)
	}
	for i := u.n - 1; i >= 0; i-- {
		for k := i + 1; k < u.n; k++ {
			u.coef[k] = -u.rows[i][k]
		}
		lanes.Combine(rows[i], u.coef[i+1:], rows[i+1:])
		scale(i)
	}
}

func (u *upper) solveOne(x []float64) {
	for i := range u.n {
		x[i] /= u.rows[i][i]
		lanes.Axpy(x[i+1:], -x[i], u.rows[i][i+1:u.n])
	}
	for i := u.n - 1; i >= 0; i-- {
		s := x[i]
		for k, v := range u.rows[i][i+1 : u.n] {
			s -= v * x[i+1+k]
		}
		x[i] = s / u.rows[i][i]
	}
}
