package project

import (
	"context"
	"fmt"
	"slices"

	"ident/baseparams"
	"ident/estimate"
	"ident/identify/outputerror"
	"ident/identify/regression"
	"ident/robot"
)

// outputErrorEstimator returns an estimator that gives back e, the output-error estimate, instead of a fit of the rows. The rows,
// with the torques of the controller's law, then serve for errors and residual tests only.
func outputErrorEstimator(e *outputerror.Estimate) regression.Choice {
	return func(_ *robot.Robot, set *baseparams.Set) (estimate.Estimator, error) {
		for i := range set.Base {
			if i >= e.Base || e.Names[i] != set.Name(i) {
				return nil, fmt.Errorf("the base parameters of the estimate without torques and of the rows differ at number %d, %s", i+1, set.Name(i))
			}
		}
		return foundEstimator{e}, nil
	}
}

// foundEstimator is an estimator that returns an estimate made before.
type foundEstimator struct{ at *outputerror.Estimate }

// Name returns the name of the output-error estimator.
func (f foundEstimator) Name() string { return outputerror.Name }

// Estimate returns the estimate with the figures of the rows.
func (f foundEstimator) Estimate(_ context.Context, p *estimate.Problem) (*estimate.Solution, error) {
	sol, err := p.Reduction.Solve(estimate.WLS, true)
	if err != nil {
		return nil, err
	}
	s := *sol
	s.X = slices.Clone(f.at.X[:f.at.Base])
	s.Covariance = nil
	for i := range f.at.Base {
		s.Covariance = append(s.Covariance, slices.Clone(f.at.Covariance[i][:f.at.Base]))
	}
	s.DegreesOfFreedom = slices.Clone(f.at.DegreesOfFreedom[:f.at.Base])
	s.Rank, s.Stack = f.at.Base, nil
	s.Recurrence, s.NoiseCovariance = nil, nil
	s.Iterations, s.MotionFree = f.at.Iterations, true
	return &s, nil
}
