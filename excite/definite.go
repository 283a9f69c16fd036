package excite

import (
	"fmt"
	"math"

	"ident/internal/lanes"
)

// definiteInverse inverts symmetric positive definite matrices of some tens of rows, again and again in the same memory.
//
// Criteria that are sums over all eigenvalues, as Σ 1/λ and Σ ln λ, do not need the eigenvalues: they are traces and
// determinants, and their derivatives by the matrix are A⁻² and A⁻¹. With A = L·Lᵀ of Cholesky and X = L⁻¹, the inverse is
// Xᵀ·X, its trace Σ X² and the determinant Π L². Together they are n³ multiplications, a tenth of those of a decomposition
// with eigenvectors, and none waits for a division but the n of the diagonal. All work is sums of multiples of rows, which stay
// in vector registers from the first row to the last (internal/lanes), with the same bits on every processor.
//
// L and X have no other pivots than the diagonal, so that the relative error of the inverse is some n roundings times the
// condition number of A (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 10.1): the product of both
// traces, which bounds that number, tells a caller where to take another way.
//
// It holds one inverse, and the memory of the next one of the same size. The zero value is ready.
type definiteInverse struct {
	Rows           [][]float64 // of A⁻¹, both triangles
	Trace          float64     // of A⁻¹
	LogDeterminant float64     // of A

	n      int
	upper  [][]float64 // Lᵀ
	x      [][]float64 // L⁻¹
	square [][]float64
	coef   []float64
}

// Invert inverts the n×n matrix whose upper triangle a holds, row-major; a is only read. It returns false where the matrix is
// not positive definite to rounding, or a number is not finite. It panics where a has another size.
func (v *definiteInverse) Invert(a []float64, n int) bool {
	if len(a) != n*n {
		panic(fmt.Sprintf("definite: %d numbers of a matrix of %d rows", len(a), n))
	}
	v.resize(n)
	v.Trace, v.LogDeterminant = 0, 0
	for k := range n {
		// Rows k of Lᵀ and of L⁻¹ are the remainders of those of A and of the identity behind the rows before.
		coef := v.coef[:k]
		for i := range coef {
			coef[i] = -v.upper[i][k]
		}
		u, x := v.upper[k], v.x[k][:k+1]
		copy(u[k:], a[k*n+k:(k+1)*n])
		lanes.CombineFrom(u[k:], coef, v.upper[:k], k)
		pivot := u[k]
		if !(pivot > 0) || math.IsInf(pivot, 0) {
			return false
		}
		clear(x)
		x[k] = 1
		lanes.Combine(x, coef, v.x[:k])
		root := math.Sqrt(pivot)
		v.LogDeterminant += math.Log(pivot)
		scaleBy(u[k:], 1/root)
		scaleBy(x, 1/root)
		v.Trace += lanes.SumSquares(x)
	}
	for j := range n {
		row, coef := v.Rows[j][:j+1], v.coef[:n-j]
		for i := range coef {
			coef[i] = v.x[j+i][j]
		}
		clear(row)
		lanes.Combine(row, coef, v.x[j:])
	}
	mirrorLower(v.Rows)
	return !math.IsNaN(v.Trace) && !math.IsInf(v.Trace, 0)
}

// Square returns A⁻², rows of both triangles, in memory that the next call overwrites.
func (v *definiteInverse) Square() [][]float64 {
	for j, row := range v.square {
		clear(row[:j+1])
		lanes.Combine(row[:j+1], v.Rows[j], v.Rows)
	}
	mirrorLower(v.square)
	return v.square
}

func (v *definiteInverse) resize(n int) {
	if n == v.n && v.coef != nil {
		return
	}
	*v = definiteInverse{n: n, Rows: zeroRows(n), upper: zeroRows(n), x: zeroRows(n), square: zeroRows(n), coef: make([]float64, n)}
}

// zeroRows returns n rows of n zeros in one memory. Rows begin at whole vectors, where registers are filled quickest.
func zeroRows(n int) [][]float64 {
	const vector = 8
	stride := (n + vector - 1) / vector * vector
	memory, out := make([]float64, n*stride), make([][]float64, n)
	for i := range out {
		out[i] = memory[i*stride:][:n:stride]
	}
	return out
}

// mirrorLower copies the lower triangle to the upper one.
func mirrorLower(rows [][]float64) {
	for j, row := range rows {
		for i, x := range row[:j] {
			rows[i][j] = x
		}
	}
}

func scaleBy(x []float64, by float64) {
	for i := range x {
		x[i] *= by
	}
}
