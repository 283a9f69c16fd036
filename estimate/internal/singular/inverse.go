package singular

import (
	"math"

	"ident/internal/lanes"
)

// Inverse returns the inverse of an upper triangular n×n matrix, row-major, of which it reads no entry below the diagonal.
// A zero on the diagonal leaves entries that are not finite.
//
// Row i follows from those below it, of which it is a combination: r_ii·x_i = e_i − Σ_{k>i} r_ik·x_k. The result X has a small
// left residual, |X·R − I| ≤ c·n·ε·|X|·|R| (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002, §14.2).
func Inverse(r []float64, n int) []float64 {
	if len(r) != n*n {
		panic("singular: the matrix is not square")
	}
	x := make([]float64, n*n)
	rows := make([][]float64, n)
	multiples := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		rows[i] = x[i*n : (i+1)*n]
		diagonal := r[i*n+i]
		for k := i + 1; k < n; k++ {
			multiples[k] = -r[i*n+k] / diagonal
		}
		lanes.CombineFrom(rows[i][i+1:], multiples[i+1:], rows[i+1:], i+1)
		rows[i][i] = 1 / diagonal
	}
	return x
}

// ConditionBound returns an upper bound of the condition number of a matrix: the product of the Frobenius norms of the
// matrix and of its inverse. All entries count, also those below the diagonal. The bound is not finite if an entry is
// not.
func ConditionBound(r, inverse []float64) float64 {
	return frobenius(r) * frobenius(inverse)
}

// frobenius returns the root of the sum of squares, whose range serves columns near one.
func frobenius(a []float64) float64 { return math.Sqrt(lanes.SumSquares(a)) }
