package estimate

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/estimate/internal/singular"
	"ident/internal/triangle"
)

// MAP is the estimate of greatest posterior probability for a Gaussian prior of
// the base parameters, such as Prior.Base gives:
//
//	min Σ_j ‖W_j·x − y_j‖²/(κ_j·σ_j²) + w·(x − m)ᵀC⁻¹(x − m)
//
// where σ_j and κ_j are the standard deviation and the inflation of joint j's residuals in WLS. The inflation includes
// errors that repeat with the motion. So data and prior are weighted by their information, and correlated samples count
// less than independent ones. The covariance is that of the posterior. Its intervals hold for truths drawn from the
// prior. For a single truth the estimate is biased towards the prior mean, by Solution.Bias as far as the estimate itself
// can tell. PriorShare says which parameters the prior decided.
type MAP struct {
	Mean       []float64
	Covariance *mat.SymDense
	Weight     float64 // weight of the prior; 0 means 1
}

// Name returns "map".
func (MAP) Name() string { return "map" }

// Estimate needs only the reduction and works at any rank: the prior decides directions that the data do not determine.
func (m MAP) Estimate(_ context.Context, p *Problem) (*Solution, error) {
	n := p.Reduction.columns
	if len(m.Mean) != n || m.Covariance == nil || m.Covariance.SymmetricDim() != n {
		panic(fmt.Sprintf("estimate: a prior that is not of %d parameters", n))
	}
	if m.Weight == 0 {
		m.Weight = 1
	}
	if !(m.Weight > 0) || math.IsInf(m.Weight, 0) {
		return nil, &VarianceError{What: "the weight of the prior", Value: m.Weight}
	}
	prior, err := m.factor()
	if err != nil {
		return nil, err
	}
	plain, err := p.Reduction.Solve(WLS, true)
	if err != nil {
		return nil, err
	}
	weights, _ := plain.independent()
	s, err := p.Reduction.solve(fixedWeights(weights), prior, false)
	if err != nil {
		return nil, err
	}
	s.ConditionScaled, s.ConditionRaw = plain.ConditionScaled, plain.ConditionRaw // of the regressor, which the prior does not change
	solver, err := singular.Decompose(s.Stack, singular.ColumnNorms(s.Stack))
	if err != nil {
		return nil, err
	}
	s.NoiseCovariance = nil
	var posterior mat.SymDense
	posterior.SymOuterK(1, solver.Root())
	for i := range n {
		for j := range n {
			s.Covariance[i][j] = posterior.At(i, j)
		}
	}
	s.regularised(prior)
	return s, nil
}

// factor returns the prior as rows of an experiment.
func (m MAP) factor() (*triangle.Factor, error) {
	n := len(m.Mean)
	cov := make([][]float64, n)
	for i := range cov {
		if v := m.Covariance.At(i, i); !(v > 0) || math.IsInf(v, 0) {
			return nil, &VarianceError{What: fmt.Sprintf("the prior variance of parameter %d", i+1), Value: v}
		}
		cov[i] = make([]float64, n)
		for j := range cov[i] {
			cov[i][j] = m.Covariance.At(i, j) / m.Weight
		}
	}
	inv, err := inverseRoot(cov)
	if err != nil {
		return nil, fmt.Errorf("the covariance of the prior: %w", err)
	}
	prior := triangle.New(n)
	columns, y := make([][]float64, n), make([]float64, n)
	for j := range columns {
		columns[j] = make([]float64, n)
		for i := range n {
			columns[j][i] = inv[i][j]
			y[i] += inv[i][j] * m.Mean[j]
		}
	}
	prior.Add(columns, y, new(triangle.Work))
	return prior, nil
}

// independent returns the weights with which every joint's rows count as independent samples of unit variance, and the
// number of these samples.
func (s *Solution) independent() (weights []float64, count float64) {
	weights = make([]float64, len(s.Weights))
	for k, w := range s.Weights {
		weights[k] = w
		inflation := s.VarianceInflation[k]
		if s.Recurrence != nil {
			inflation *= s.Recurrence[k]
		}
		if s.Sigma[k] > 0 {
			weights[k] = 1 / (s.Sigma[k] * math.Sqrt(inflation))
		}
		count += float64(s.Rows[k]) / inflation
	}
	return weights, count
}
