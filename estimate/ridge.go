package estimate

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"ident/estimate/internal/singular"
	"ident/internal/triangle"
)

// Ridge is least squares with a penalty on the size of the estimate,
//
//	min ‖R·x − z‖² + λ·‖D·x‖²
//
// with WLS rows and D the norms of their columns, so that λ has no unit and
// columns may be in any (Hoerl and Kennard 1970). It shrinks poorly determined parameters
// towards zero: the standard deviations get smaller and the estimate
// biased, by −λ(RᵀR + λD²)⁻¹D²·x, of which the estimate's own value is reported.
type Ridge struct {
	// Lambda is the weight of the penalty. Zero chooses the weight of least generalised cross-validation error (Golub,
	// Heath and Wahba 1979), with the number of independent samples in place of rows.
	Lambda float64
}

// Name returns "ridge".
func (Ridge) Name() string { return "ridge" }

// Estimate needs only the reduction and works at any rank.
func (g Ridge) Estimate(_ context.Context, p *Problem) (*Solution, error) {
	if !(g.Lambda >= 0) || math.IsInf(g.Lambda, 0) {
		return nil, &VarianceError{What: "the ridge weight", Value: g.Lambda}
	}
	plain, err := p.Reduction.Solve(WLS, true)
	if err != nil {
		return nil, err
	}
	n := plain.Stack.N
	norms := singular.ColumnNorms(plain.Stack)
	solver, err := singular.Decompose(plain.Stack, norms) // replaces zeros by ones
	if err != nil {
		return nil, err
	}
	lambda := g.Lambda
	if lambda == 0 {
		lambda = crossValidated(plain, solver)
	}
	prior := triangle.New(n)
	for i, d := range norms {
		prior.R[i*n+i] = math.Sqrt(lambda) * d
	}
	s, err := p.Reduction.solve(fixedWeights(plain.Weights), prior, false)
	if err != nil {
		return nil, err
	}
	s.ConditionScaled, s.ConditionRaw = plain.ConditionScaled, plain.ConditionRaw // of the regressor, which the penalty does not change
	s.regularised(prior)
	s.Remarks = append(s.Remarks, fmt.Sprintf("ridge: penalty %.3g of unit columns", lambda))
	return s, nil
}

// regularised computes the prior's share and the bias that it causes. The stack must hold the rows of prior, which pull
// to zero, below those of the data. Both follow from H = (RᵀR)⁻¹·PᵀP of the whole stack: its diagonal is the share; H
// times the distance from the prior is the bias.
func (s *Solution) regularised(prior *triangle.Factor) {
	n := s.Stack.N
	solver, err := singular.Decompose(s.Stack, singular.ColumnNorms(s.Stack))
	if err != nil {
		return // the same matrix has been decomposed before
	}
	root := solver.Root()
	s.PriorShare, s.Bias = make([]float64, n), make([]float64, n)
	pull := make([]float64, n) // PᵀP·x − Pᵀz
	gram := make([][]float64, n)
	for j := range n {
		gram[j] = make([]float64, n)
		for i := range n {
			for k := range min(i, j) + 1 {
				gram[j][i] += prior.R[k*n+i] * prior.R[k*n+j]
			}
		}
		pull[j] = floats.Dot(gram[j], s.X)
		for k := range j + 1 {
			pull[j] -= prior.R[k*n+j] * prior.Z[k]
		}
	}
	for i := range n {
		row := make([]float64, n) // of (RᵀR)⁻¹
		for j := range n {
			row[j] = floats.Dot(root.RawRowView(i), root.RawRowView(j))
		}
		s.PriorShare[i] = min(max(floats.Dot(row, gram[i]), 0), 1)
		s.Bias[i] = -floats.Dot(row, pull)
	}
}

// crossValidated returns the λ that minimises
//
//	(RSS + Σ (λ/(v²+λ))²·c²) / (n − Σ v²/(v²+λ))²
//
// over the singular values v of unit columns and the parts c of the torques along
// their directions. n is the number of independent samples, RSS that of
// n/κ samples of variance κ·σ². The grid of a tenth of a decade is
// finer than the minimum is sharp.
func crossValidated(s *Solution, solver *singular.Decomposition) float64 {
	c := make([]float64, solver.N)
	for k := range c {
		for i := range c {
			c[k] += solver.U.At(i, k) * s.Stack.Z[i]
		}
	}
	n := 0.0
	for k, rows := range s.Rows {
		n += float64(rows) / s.VarianceInflation[k]
	}
	rss := s.RSS - solver.Unexplained(s.Stack.Z)
	best, least := 0.0, math.Inf(1)
	for d := -160; d <= 20; d++ {
		lambda := math.Pow(10, float64(d)/10)
		loss, freedom := rss, n
		for k, v := range solver.Values {
			keep := v * v / (v*v + lambda)
			loss += (1 - keep) * (1 - keep) * c[k] * c[k]
			freedom -= keep
		}
		if score := loss / (freedom * freedom); freedom > 0 && score < least {
			best, least = lambda, score
		}
	}
	return best
}
