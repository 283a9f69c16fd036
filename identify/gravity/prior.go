package gravity

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/estimate"
)

// freeSigmas is the standard deviation of combinations that rest does not tell, as a multiple of the size of the
// parameters: data then determine them, and rounding leaves ten digits of the known ones.
const freeSigmas = 1e3

// Posterior returns the estimator of a second stage whose model has columns base parameters, those of the set of the
// first: the estimate of greatest posterior probability with the first stage as its prior. scale is the size of each of
// its parameters, as the robot file's, 0 where unknown: then that of the largest known one is taken.
func (e *Estimate) Posterior(columns int, scale []float64) estimate.MAP {
	largest := 1.0
	for _, x := range e.X {
		largest = max(largest, math.Abs(x))
	}
	mean, cov := make([]float64, columns), mat.NewSymDense(columns, nil)
	for c := range columns {
		s := largest
		if scale != nil && scale[c] != 0 {
			s = max(math.Abs(scale[c]), 1e-3*largest)
		}
		s *= freeSigmas
		cov.SetSym(c, c, s*s)
	}
	// X = K[kept] + Beta·K[dependent], with the dependent ones free: K[kept] = X − Beta·K[dependent].
	for i, c := range e.Columns {
		mean[c] = e.X[i]
		for j := i; j < len(e.Columns); j++ {
			v := e.Covariance.At(i, j)
			for d, at := range e.Dependent {
				v += e.Beta[i][d] * e.Beta[j][d] * cov.At(at, at)
			}
			cov.SetSym(c, e.Columns[j], v)
		}
	}
	for d, at := range e.Dependent {
		for i, c := range e.Columns {
			cov.SetSym(c, at, -e.Beta[i][d]*cov.At(at, at))
		}
	}
	return estimate.MAP{Mean: mean, Covariance: cov, Weight: 1}
}
