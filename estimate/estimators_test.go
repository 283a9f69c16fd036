package estimate_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/estimate"
	"ident/internal/estimatortest"
)

func fixed(e estimate.Estimator) func(estimatortest.View) estimate.Estimator {
	return func(estimatortest.View) estimate.Estimator { return e }
}

// widePrior is one whose mean is off by a deviation, written as the view asks.
func widePrior(v estimatortest.View) estimate.Estimator {
	m := estimate.MAP{Covariance: mat.NewSymDense(estimatortest.Columns, nil)}
	for i, x := range estimatortest.Truth() {
		f := v.Torque / v.Columns[i]
		m.Mean = append(m.Mean, f*(x+0.1))
		m.Covariance.SetSym(i, i, f*f*0.01)
	}
	return m
}

// Every estimator keeps the invariances of its documentation. Tolerances: an estimator that solves
// once follows a change of writing to rounding, 1e-16 times a condition number of
// some tens over deviations of a hundredth; one that iterates, to where its steps
// end.
//
// Every trait that is missing has its reason. WLS divides by rows less parameters,
// so every row twice shifts the joints' weights by a part in the number of rows;
// generalised least squares, ridge, MAP, and the tests of essential parameters
// count samples as well. Total least squares knows the errors of columns in their
// units.
func TestConformance(t *testing.T) {
	const rounding, iterated = 1e-9, 1e-4
	type traits = estimatortest.Traits
	for name, tr := range map[string]traits{
		"ols": {New: fixed(estimate.Linear{Weighting: estimate.OLS}), Exact: true, Units: true, Joints: true, Merging: true,
			Duplicates: true, Columns: true, Smallest: true, Tolerance: rounding},
		"wls": {New: fixed(estimate.Linear{Weighting: estimate.WLS}), Exact: true, Units: true, Joints: true, Merging: true,
			Columns: true, Smallest: true, Tolerance: rounding},
		"wls-cross": {New: fixed(estimate.Cross{}), Exact: true, Units: true, Joints: true, Merging: true,
			Duplicates: true, Columns: true, Smallest: true, Passes: true, Tolerance: iterated},
		"gls": {New: fixed(estimate.GLS{}), Exact: true, Units: true, Joints: true, Merging: true,
			Columns: true, Smallest: true, Passes: true, Tolerance: iterated},
		"irls": {New: fixed(estimate.IRLS{}), Exact: true, Units: true, Joints: true, Merging: true,
			Duplicates: true, Columns: true, Smallest: true, Passes: true, Tolerance: iterated},
		"irls bisquare": {New: fixed(estimate.IRLS{Loss: estimate.Bisquare}), Exact: true, Units: true, Joints: true, Merging: true,
			Duplicates: true, Columns: true, Smallest: true, Passes: true, Tolerance: iterated},
		"ridge": {New: fixed(estimate.Ridge{}), Exact: true, Units: true, Joints: true, Merging: true,
			Columns: true, AnyRank: true, Tolerance: rounding},
		"map": {New: widePrior, Exact: true, Units: true, Joints: true, Merging: true,
			Columns: true, AnyRank: true, Tolerance: rounding},
		"tls": {New: fixed(estimate.TLS{}), Exact: true, Joints: true, Merging: true, Tolerance: rounding},
		"tls, exact columns": {New: fixed(estimate.TLS{Noise: make([]float64, estimatortest.Columns)}), Exact: true, Units: true, Joints: true, Merging: true,
			Columns: true, Tolerance: rounding},
		"gains": {New: fixed(estimate.Gains{Columns: []int{0}}), Exact: true, Units: true, Joints: true, Merging: true,
			Columns: true, Tolerance: iterated},
		"essential": {New: fixed(estimate.Essential{}), Exact: true, Units: true, Joints: true, Merging: true,
			Columns: true, Tolerance: rounding},
		"sequential": {New: fixed(estimate.Sequential{}), Exact: true, Units: true, Joints: true, Merging: true,
			Columns: true, Tolerance: rounding},
		"recursive": {New: fixed(estimate.Forgetting{Memory: 200}), Exact: true, Units: true, Joints: true, Merging: true,
			Columns: true, Smallest: true, Tolerance: rounding},
	} {
		t.Run(name, func(t *testing.T) { estimatortest.Run(t, tr) })
	}
}
