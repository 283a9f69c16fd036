package triangle

import (
	"fmt"
	"math"
	"slices"
)

// Factor is the triangular summary of rows [W y] with N columns in W.
// The zero Factor is a summary with no columns; use New.
type Factor struct {
	// N is the number of columns of W.
	N int
	// R is the upper triangular factor, N×N, row-major: R[i*N+j] is row i,
	// column j. Entries below the diagonal are zero and are never read;
	// diagonal entries are not negative. It can be handed to gonum as
	// mat.NewTriDense(N, mat.Upper, R).
	R []float64
	// Z is Qᵀy, N long.
	Z []float64
	// RSS is the sum of squares of y that no choice of x explains:
	// min ‖W·x − y‖².
	RSS float64
	// YY is Σy², or, if a known part was moved from the measured side to the model's, the sum of squares of the side
	// before that: what the errors are per cents of.
	YY float64
	// Rows is the number of rows summarised.
	Rows int
}

// New returns the summary of no rows with n columns. It panics if n is
// negative.
func New(n int) *Factor {
	if n < 0 {
		panic(fmt.Sprintf("triangle: %d columns", n))
	}
	return &Factor{N: n, R: make([]float64, n*n), Z: make([]float64, n)}
}

// Clone returns a copy of f that shares no memory with it.
func (f *Factor) Clone() *Factor {
	c := *f
	c.R = slices.Clone(f.R)
	c.Z = slices.Clone(f.Z)
	return &c
}

// Reset makes f the summary of no rows, with the same columns.
func (f *Factor) Reset() {
	clear(f.R)
	clear(f.Z)
	f.RSS, f.YY, f.Rows = 0, 0, 0
}

// Scale makes f the summary of its rows times s, both sides: a weight of
// 1/σ on rows whose noise has standard deviation σ. The sign of s has no
// effect on a summary. Rows is unchanged.
func (f *Factor) Scale(s float64) {
	s = math.Abs(s)
	for i := range f.R {
		f.R[i] *= s
	}
	for i := range f.Z {
		f.Z[i] *= s
	}
	f.RSS *= s * s
	f.YY *= s * s
}

// Embed returns the summary of the same rows seen as rows with n columns:
// column j of f is column index[j] of the result, and the others are zero.
// It is exact. Embed panics if index is not N long, strictly ascending and
// within 0..n-1.
func (f *Factor) Embed(n int, index []int) *Factor {
	checkIndex(f.N, n, index)
	e := New(n)
	e.RSS, e.YY, e.Rows = f.RSS, f.YY, f.Rows
	// Row i of f starts at its own diagonal, which goes to column index[i]:
	// as row index[i] of the result it starts at the diagonal again.
	for i, to := range index {
		e.Z[to] = f.Z[i]
		for j := i; j < f.N; j++ {
			e.R[to*n+index[j]] = f.R[i*f.N+j]
		}
	}
	return e
}

// checkIndex panics unless index tells the places of some columns among n.
func checkIndex(columns, n int, index []int) {
	if len(index) != columns {
		panic(fmt.Sprintf("triangle: %d columns to embed, but %d indices", columns, len(index)))
	}
	for j, k := range index {
		if k < 0 || k >= n || j > 0 && k <= index[j-1] {
			panic(fmt.Sprintf("triangle: embedding into %d columns by index[%d] = %d: indices must ascend within range", n, j, k))
		}
	}
}

// Solve returns the x that minimises ‖W·x − y‖, by back substitution. Where a
// column depends on those before it to working accuracy, |R[j,j]| ≤
// N·ε·‖W[:,j]‖, or where a number involved is not finite, ok is false and x
// means nothing.
func (f *Factor) Solve() (x []float64, ok bool) {
	const eps = 0x1p-52
	n := f.N
	x = slices.Clone(f.Z)
	ok = true
	for i := n - 1; i >= 0; i-- {
		norm := 0.0
		for k := 0; k <= i; k++ {
			norm = math.Hypot(norm, f.R[k*n+i])
		}
		if !(math.Abs(f.R[i*n+i]) > float64(n)*eps*norm) {
			ok = false
		}
		s := x[i]
		for j := i + 1; j < n; j++ {
			s -= f.R[i*n+j] * x[j]
		}
		x[i] = s / f.R[i*n+i]
		if math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
			ok = false
		}
	}
	return x, ok
}
