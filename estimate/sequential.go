package estimate

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/estimate/internal/singular"
	"ident/internal/triangle"
)

// Sequential estimates link by link, from the tip to the base: the rows of the outermost joint, which contain the
// fewest parameters, give those that they determine. These are then kept, and the rows of the next joint, together with
// the ones before, give the next parameters. A distal link's own equations are not mixed with the errors of the
// proximal drives; the price is a larger standard deviation, which contains that of the links before.
type Sequential struct{}

// Name returns "sequential".
func (Sequential) Name() string { return "sequential" }

// known is the largest distance from one of a parameter's resolution for which a step fixes the parameter; otherwise a
// part of it is left to later joints. Rounding of the decomposition is a millionth of this.
const known = 1e-8

// Estimate needs only the reduction. It stores every estimate as a linear map of the joints' factors, so that the
// covariance is exact for errors with the standard deviations and inflations of WLS.
func (q Sequential) Estimate(_ context.Context, p *Problem) (*Solution, error) {
	r := p.Reduction
	s, err := r.Solve(WLS, false)
	if err != nil {
		return nil, err
	}
	var work triangle.Work
	// Fewest columns first; with equal numbers, the outer joint first.
	order := make([]int, len(r.masks))
	for i := range order {
		order[i] = len(order) - 1 - i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(r.masks[a]) - len(r.masks[b]) })
	m := 0
	for _, mask := range r.masks {
		m += len(mask)
	}
	n := r.columns
	var rows mat.Dense                                                        // of the joints so far, weighted
	y := make([]float64, 0, m)                                                // their right-hand sides
	variance := make([]float64, 0, m)                                         // of those, for independent samples
	fixed, linear := make([]bool, n), mat.NewDense(max(n, 1), max(m, 1), nil) // x = linear·y
	for _, k := range order {
		f := r.Joint(k, &work).Embed(n, r.masks[k])
		f.Scale(s.Weights[k])
		at := len(y)
		next := mat.NewDense(at+len(r.masks[k]), n, nil)
		if at > 0 {
			next.Slice(0, at, 0, n).(*mat.Dense).Copy(&rows)
		}
		for i, c := range r.masks[k] {
			next.SetRow(at+i, f.R[c*n:(c+1)*n])
			y = append(y, f.Z[c])
			v := s.Sigma[k] * s.Weights[k]
			variance = append(variance, v*v*s.VarianceInflation[k])
		}
		rows.CloneFrom(next)
		var unknown []int
		for c := range n {
			if !fixed[c] {
				unknown = append(unknown, c)
			}
		}
		for _, c := range stepOut(&rows, unknown, linear) {
			fixed[c] = true
		}
	}
	for i := range n {
		s.X[i] = 0
		for j, v := range y {
			s.X[i] += linear.At(i, j) * v
		}
	}
	for i := range n {
		for j := range i + 1 {
			c := 0.0
			for l, v := range variance {
				c += linear.At(i, l) * v * linear.At(j, l)
			}
			s.Covariance[i][j], s.Covariance[j][i] = c, c
		}
	}
	if left := slices.Index(fixed, false); left >= 0 {
		return nil, fmt.Errorf("sequential: column %d is determined by all joints together only; use wls", left+1)
	}
	s.restateSigma(r)
	s.Recurrence, s.NoiseCovariance = nil, nil
	s.Stack = nil
	return s, nil
}

// stepOut solves the rows for the unknown columns, with the others given by linear, and writes the determined ones into
// linear.
func stepOut(rows *mat.Dense, unknown []int, linear *mat.Dense) []int {
	m, n := rows.Dims()
	if m == 0 || len(unknown) == 0 {
		return nil
	}
	f := &singular.Decomposition{N: len(unknown), Norms: make([]float64, len(unknown))}
	a := mat.NewDense(m, len(unknown), nil)
	for to, from := range unknown {
		f.Norms[to] = mat.Norm(rows.ColView(from), 2)
		if f.Norms[to] == 0 {
			f.Norms[to] = 1
		}
		for i := range m {
			a.Set(i, to, rows.At(i, from)/f.Norms[to])
		}
	}
	var svd mat.SVD
	svd.Factorize(a, mat.SVDThin) // of finite numbers: WLS has solved them
	svd.UTo(&f.U)
	svd.VTo(&f.V)
	f.Values = svd.Values(nil)
	// The residual of the rows: y − rows·(linear·y) over the known columns.
	left := mat.NewDense(m, m, nil)
	left.Mul(rows, linear.Slice(0, n, 0, m))
	left.Scale(-1, left)
	for i := range m {
		left.Set(i, i, left.At(i, i)+1)
	}
	var out []int
	for to, from := range unknown {
		resolution := 0.0
		gain := mat.NewDense(1, m, nil)
		for k := range f.Rank() {
			v := f.V.At(to, k)
			resolution += v * v
			for i := range m {
				gain.Set(0, i, gain.At(0, i)+v*f.U.At(i, k)/f.Values[k]/f.Norms[to])
			}
		}
		if resolution < 1-known {
			continue
		}
		var x mat.Dense
		x.Mul(gain, left)
		linear.Slice(from, from+1, 0, m).(*mat.Dense).Copy(&x)
		out = append(out, from)
	}
	return out
}
