package excite

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// PriorRowsFrom converts the covariance Σ of an earlier estimate to rows of unit noise for Problem.PriorRows, for a
// model with the given number of columns; covariance row i belongs to column index[i]. With Σ = L·Lᵀ the rows are L⁻¹,
// with the Gram matrix Σ⁻¹. It returns an error if the covariance is not positive definite.
func PriorRowsFrom(covariance [][]float64, index []int, columns int) ([][]float64, error) {
	n := len(covariance)
	if len(index) != n {
		panic(fmt.Sprintf("excite: a covariance of %d parameters for %d columns", n, len(index)))
	}
	// Scaled to unit diagonal: standard deviations of very different size would cost the
	// factor digits.
	scale := make([]float64, n)
	for i := range n {
		if scale[i] = math.Sqrt(covariance[i][i]); !(scale[i] > 0) || math.IsInf(scale[i], 0) {
			return nil, fmt.Errorf("excite: entry %d of the covariance's diagonal is %g: it must be positive and finite", i+1, covariance[i][i])
		}
	}
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for k := range i + 1 {
			sym.SetSym(i, k, (covariance[i][k]+covariance[k][i])/2/(scale[i]*scale[k]))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(sym) {
		return nil, fmt.Errorf("excite: the covariance is not positive definite")
	}
	var l, inv mat.TriDense
	chol.LTo(&l)
	if err := inv.InverseTri(&l); err != nil {
		return nil, fmt.Errorf("excite: the covariance is nearly singular: %w", err)
	}
	rows := grid(n, columns)
	for i := range n {
		for k := range i + 1 {
			rows[i][index[k]] = inv.At(i, k) / scale[k]
		}
	}
	return rows, nil
}
