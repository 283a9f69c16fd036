package estimate

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Squares returns the sum of squares ‖y − W·x‖² of the rows with these moments (see [Reduction.Moments]).
func Squares(moments *mat.SymDense, x []float64) float64 {
	n := len(x)
	v := mat.NewVecDense(n+1, nil)
	for i, c := range x {
		v.SetVec(i, -c)
	}
	v.SetVec(n, 1)
	return max(mat.Inner(v, moments, v), 0)
}

// AllowedSquares returns the factor on the sum of squares of an estimate's rows up to which a correction of the estimate
// counts as no worse: 1 + 2√(2/n), n being the number of independent samples of the rows. A sum of n squares of noise has
// the relative standard deviation √(2/n).
func AllowedSquares(s *Solution) float64 {
	return 1 + 2*math.Sqrt(2/max(independentSamples(s), 1))
}

// independentSamples returns the number of rows of all joints, each over the variance factor of its correlation.
func independentSamples(s *Solution) float64 {
	n := 0.0
	for k, rows := range s.Rows {
		n += float64(rows) / s.VarianceInflation[k]
	}
	return n
}

// LargestPart returns the largest eigenvalue of part against whole, the largest v·part·v / v·whole·v over all directions v
// of parameters. Both are moments; their last row and column, of the measurement vector, do not count. It returns false
// unless whole is positive definite.
func LargestPart(part, whole *mat.SymDense) (float64, bool) {
	c, scale, ok := scaledCholesky(whole)
	if !ok {
		return 0, false
	}
	n := len(scale)
	b := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			b.Set(i, j, part.At(i, j)*scale[i]*scale[j])
		}
	}
	var l mat.TriDense
	c.LTo(&l)
	// L⁻¹·B·L⁻ᵀ, in two steps: B is symmetric.
	var half, both mat.Dense
	if half.Solve(&l, b) != nil || both.Solve(&l, half.T()) != nil {
		return 0, false // a condition number at rounding
	}
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (both.At(i, j)+both.At(j, i))/2)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(s, false) {
		return 0, false
	}
	values := eigen.Values(nil)
	return values[n-1], true
}
