package estimate

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TLS is total least squares: the smallest change of torques and regressor together that makes the equations exact,
// from the last right singular vector of [W y] (Golub and Van Loan 1980). It is consistent where every column has
// independent errors of the standard deviations given, and biased where only the torque has errors: least squares is
// unbiased then. Rows are weighted by joint. Columns are not scaled, because that would scale their errors too.
type TLS struct {
	// Noise is the standard deviation of each column's errors in units of the torque's. A column with zero is exact,
	// like that of a known payload (Van Huffel and Vandewalle 1991, chapter 3). Nil means ones.
	Noise []float64
}

// Name returns "tls".
func (TLS) Name() string { return "tls" }

// Estimate needs only the reduction: the singular values of [W y] are those of [R z; 0 √RSS].
func (t TLS) Estimate(_ context.Context, p *Problem) (*Solution, error) {
	n := p.Reduction.columns
	noise := t.Noise
	if noise == nil {
		noise = make([]float64, n)
		for i := range noise {
			noise[i] = 1
		}
	}
	if len(noise) != n {
		panic(fmt.Sprintf("estimate: errors of %d columns for %d", len(noise), n))
	}
	for i, v := range noise {
		if !(v >= 0) || math.IsInf(v, 0) {
			return nil, &VarianceError{What: fmt.Sprintf("the error of column %d", i+1), Value: v}
		}
	}
	s, err := p.Reduction.Solve(WLS, false)
	if err != nil {
		return nil, err
	}
	var order []int // exact columns first
	for i, v := range noise {
		if v == 0 {
			order = append(order, i)
		}
	}
	exact := len(order)
	if exact == n {
		return s, nil // errors in the torque alone: least squares
	}
	for i, v := range noise {
		if v > 0 {
			order = append(order, i)
		}
	}
	a := mat.NewDense(n+1, n+1, nil)
	for to, from := range order {
		for i := range from + 1 {
			a.Set(i, to, s.Stack.R[i*n+from])
		}
	}
	for i, v := range s.Stack.Z {
		a.Set(i, n, v)
	}
	a.Set(n, n, math.Sqrt(s.Stack.RSS))
	var qr mat.QR
	qr.Factorize(a)
	var r mat.Dense
	qr.RTo(&r)
	x := make([]float64, n) // in the new order
	tail, rss, cov, err := totalTail(&r, noise, order, exact)
	if err != nil {
		return nil, err
	}
	copy(x[exact:], tail)
	full := mat.NewDense(n, n, nil)
	rows := -n
	for _, k := range s.Rows {
		rows += k
	}
	variance := rss / float64(max(rows, 1))
	full.Slice(exact, n, exact, n).(*mat.Dense).Copy(cov(variance))
	if exact > 0 {
		backsolve(&r, x, full, exact, variance*(1+weightedSquares(tail, noise, order[exact:])))
	}
	for i, at := range order {
		s.X[at] = x[i]
		for j, to := range order {
			s.Covariance[at][to] = (full.At(i, j) + full.At(j, i)) / 2
		}
	}
	s.Recurrence, s.NoiseCovariance = nil, nil
	inflation := p.Reduction.totalInflation(s, noise, rss)
	for i := range s.Covariance {
		floats.Scale(inflation, s.Covariance[i])
		// A mean of n·B squares with three neighbours each has this many degrees of freedom.
		s.DegreesOfFreedom[i] = max(min(s.DegreesOfFreedom[i], float64(n*len(p.Reduction.blocks))/3), 1)
	}
	s.restateSigma(p.Reduction)
	s.Stack = nil
	s.Warnings = append(s.Warnings, "tls: the standard deviations hold where the columns have errors of the size assumed; from exact motion the estimate is biased")
	return s, nil
}

// errNoTotal: no exact equations nearby have a solution.
var errNoTotal = errors.New("total least squares has no solution: the smallest singular vector of [W y] has no component of the torque; use wls")

// totalTail solves for the columns with errors. rss is the squared change, cov the
// covariance for a variance of the errors (Gleser 1981, theorem 4.1):
//
//	σ²(1+xᵀx)·[A⁻¹ + n·σ²·A⁻¹(I+x·xᵀ)⁻¹A⁻¹],   A = RᵀR − rss·I
func totalTail(r *mat.Dense, noise []float64, order []int, exact int) (x []float64, rss float64, cov func(float64) *mat.Dense, err error) {
	n := len(order)
	m := n - exact
	b := mat.NewDense(m+1, m+1, nil)
	for j := range m + 1 {
		f := 1.0
		if j < m {
			f = 1 / noise[order[exact+j]]
		}
		for i := range m + 1 {
			b.Set(i, j, f*r.At(exact+i, exact+j))
		}
	}
	var svd mat.SVD
	if !svd.Factorize(b, mat.SVDFull) {
		return nil, 0, nil, errors.New("the singular values of [W y] did not converge")
	}
	var v mat.Dense
	svd.VTo(&v)
	values := svd.Values(nil)
	least := values[m]
	rss = least * least
	last := v.At(m, m)
	// If another singular value is equally small, any mixture would do; if the torque has no part in the smallest
	// direction, there is no estimate.
	if !(math.Abs(last) > 1e-12) || values[m-1]-least <= 1e-12*values[0] {
		return nil, 0, nil, errNoTotal
	}
	unit := make([]float64, m)
	for i := range unit {
		unit[i] = -v.At(i, m) / last
		x = append(x, unit[i]/noise[order[exact+i]])
	}
	cov = func(variance float64) *mat.Dense {
		out := mat.NewDense(m, m, nil)
		square := floats.Dot(unit, unit)
		var a, inv mat.Dense
		left := b.Slice(0, m+1, 0, m)
		a.Mul(left.T(), left)
		for i := range m {
			a.Set(i, i, a.At(i, i)-rss)
		}
		// Singular only if values[m−1] = least, which was refused above.
		_ = inv.Inverse(&a)
		// (I+x·xᵀ)⁻¹ = I − x·xᵀ/(1+xᵀx)
		var mid, second mat.Dense
		xx := mat.NewDense(m, 1, unit)
		mid.Mul(xx, xx.T())
		mid.Scale(-1/(1+square), &mid)
		for i := range m {
			mid.Set(i, i, mid.At(i, i)+1)
		}
		second.Product(&inv, &mid, &inv)
		second.Scale(rss, &second) // n·σ²
		out.Add(&inv, &second)
		out.Scale(variance*(1+square), out)
		for i := range m {
			for j := range m {
				out.Set(i, j, out.At(i, j)/noise[order[exact+i]]/noise[order[exact+j]])
			}
		}
		return out
	}
	return x, rss, cov, nil
}

// weightedSquares returns Σ (x·noise)².
func weightedSquares(x, noise []float64, order []int) float64 {
	sum := 0.0
	for i, v := range x {
		sum += v * v * noise[order[i]] * noise[order[i]]
	}
	return sum
}

// backsolve computes the parameters of the exact columns from the others, and their covariance: x₁ = R₁₁⁻¹(z₁ − R₁₂·x₂).
// variance is the variance of the rows' errors.
func backsolve(r *mat.Dense, x []float64, cov *mat.Dense, exact int, variance float64) {
	n := len(x)
	r11 := mat.NewTriDense(exact, mat.Upper, nil)
	for i := range exact {
		for j := i; j < exact; j++ {
			r11.SetTri(i, j, r.At(i, j))
		}
	}
	var inv mat.TriDense
	_ = inv.InverseTri(r11) // of full rank: the solver has judged it
	z := make([]float64, exact)
	for i := range z {
		z[i] = r.At(i, n)
		for j := exact; j < n; j++ {
			z[i] -= r.At(i, j) * x[j]
		}
	}
	for i := range exact {
		x[i] = 0
		for j := i; j < exact; j++ {
			x[i] += inv.At(i, j) * z[j]
		}
	}
	var own mat.Dense
	own.Mul(&inv, inv.T())
	own.Scale(variance, &own)
	if n > exact {
		var g, gc, gcg mat.Dense // g = −R₁₁⁻¹·R₁₂
		g.Mul(&inv, r.Slice(0, exact, exact, n))
		g.Scale(-1, &g)
		tail := mat.DenseCopyOf(cov.Slice(exact, n, exact, n))
		gc.Mul(&g, tail)
		gcg.Mul(&gc, g.T())
		own.Add(&own, &gcg)
		cov.Slice(0, exact, exact, n).(*mat.Dense).Copy(&gc)
		cov.Slice(exact, n, 0, exact).(*mat.Dense).Copy(gc.T())
	}
	cov.Slice(0, exact, 0, exact).(*mat.Dense).Copy(&own)
}
