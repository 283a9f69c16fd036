package estimate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"ident/estimate/internal/singular"
	"ident/internal/triangle"
)

// Essential keeps the parameters that the data tell apart from zero. From the
// weighted estimate it removes the parameter of the largest relative standard deviation and
// estimates the others again, as long as that standard deviation is Ratio times the
// smallest and the F test does not refuse the removals so far (Gautier
// and Khalil; Pham, Gautier and Poignet 2001). The test knows the correlation of
// the samples: rows count by the inverse of their joint's inflation,
//
//	F = ((ρ₂ᵀρ₂ − ρ₁ᵀρ₁)/(c₁−c₂)) / (ρ₁ᵀρ₁/(r−c₁))
//
// with r independent samples. A removed parameter is zero in the estimate, which biases
// the others by as much as they share with it; its standard deviation stays that of the
// whole estimate. Intervals know nothing of the choice.
type Essential struct {
	Ratio float64 // 0 is 30
	Level float64 // significance level of the F test; 0 means 0.05
}

// Name returns "essential".
func (Essential) Name() string { return "essential" }

// Estimate needs only the reduction.
func (e Essential) Estimate(_ context.Context, p *Problem) (*Solution, error) {
	if e.Ratio == 0 {
		e.Ratio = 30
	}
	if e.Level == 0 {
		e.Level = 0.05
	}
	if !(e.Level > 0 && e.Level < 1) || !(e.Ratio >= 1) {
		return nil, fmt.Errorf("essential parameters: level %g and ratio %g: the level of a test lies between 0 and 1, the ratio above 1", e.Level, e.Ratio)
	}
	s, count, err := independentRows(p)
	if err != nil {
		return nil, err
	}
	n := s.Stack.N
	kept := make([]int, n)
	for i := range kept {
		kept[i] = i
	}
	whole := subset(s.Stack, kept)
	free := count - float64(n)
	variance := s.RSS / max(free, 1)
	now := whole
	for len(kept) > 1 {
		worst, largest, smallest := 0, -1.0, math.Inf(1)
		for i := range kept {
			r := math.Sqrt(now.square[i]) / math.Abs(now.x[i])
			if r > largest || math.IsNaN(r) {
				worst, largest = i, r
			}
			smallest = min(smallest, r)
		}
		if !(largest >= e.Ratio*smallest) {
			break
		}
		fewer := slices.Delete(slices.Clone(kept), worst, worst+1)
		next := subset(s.Stack, fewer)
		d := float64(n - len(fewer))
		if variance > 0 && free > 0 {
			f := (next.rss - whole.rss) / d / variance
			if f > (distuv.F{D1: d, D2: free}).Quantile(1-e.Level) {
				break
			}
		} else if next.rss > whole.rss {
			break // without noise every parameter that acts is essential
		}
		kept, now = fewer, next
	}
	s.NoiseCovariance = nil
	s.X, s.Removed = make([]float64, n), make([]bool, n)
	for i := range s.Removed {
		s.Removed[i] = true
	}
	for i := range n {
		for j := range n {
			if i != j {
				s.Covariance[i][j] = 0
			}
		}
	}
	for i, at := range kept {
		s.X[at], s.Removed[at] = now.x[i], false
		for j, to := range kept {
			s.Covariance[at][to] = variance * now.inverse.At(i, j)
		}
	}
	s.restateSigma(p.Reduction)
	s.Stack = nil
	if len(kept) < n {
		s.Remarks = append(s.Remarks, fmt.Sprintf("essential: %d of %d parameters cannot be told apart from zero and were set to zero; the standard deviations of the others do not account for this", n-len(kept), n))
	}
	return s, nil
}

// independentRows weights every joint's rows by the standard deviation of an independent sample and counts these
// samples.
func independentRows(p *Problem) (*Solution, float64, error) {
	plain, err := p.Reduction.Solve(WLS, p.MinimumNorm)
	if err != nil {
		return nil, 0, err
	}
	weights, count := plain.independent()
	s, err := p.Reduction.SolveWeighted(weights, p.MinimumNorm)
	return s, count, err
}

// fewerColumns is the least-squares solution with some of a factor's columns.
type fewerColumns struct {
	x, square []float64 // estimate, and diagonal of inverse
	inverse   *mat.SymDense
	rss       float64
}

func subset(f *triangle.Factor, columns []int) fewerColumns {
	n, m := f.N, len(columns)
	a := mat.NewDense(n, m, nil)
	for to, from := range columns {
		for i := range from + 1 {
			a.Set(i, to, f.R[i*n+from])
		}
	}
	out := fewerColumns{inverse: mat.NewSymDense(m, nil), square: make([]float64, m), x: make([]float64, m)}
	norms := make([]float64, m)
	for j := range norms {
		norms[j] = mat.Norm(a.ColView(j), 2)
		if norms[j] == 0 {
			norms[j] = 1
		}
		for i := range n {
			a.Set(i, j, a.At(i, j)/norms[j])
		}
	}
	var svd mat.SVD
	svd.Factorize(a, mat.SVDThin) // of finite numbers: the stack has been decomposed
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	values := svd.Values(nil)
	left := append([]float64(nil), f.Z...)
	root := mat.NewDense(m, m, nil)
	for k, value := range values {
		if !(value > singular.Tolerance*values[0]) {
			break
		}
		c := 0.0
		for i := range n {
			c += u.At(i, k) * f.Z[i]
		}
		for i := range n {
			left[i] -= c * u.At(i, k)
		}
		for j := range m {
			root.Set(j, k, v.At(j, k)/value/norms[j])
			out.x[j] += root.At(j, k) * c
		}
	}
	out.inverse.SymOuterK(1, root)
	for j := range m {
		out.square[j] = out.inverse.At(j, j)
	}
	out.rss = f.RSS
	for _, v := range left {
		out.rss += v * v
	}
	return out
}
