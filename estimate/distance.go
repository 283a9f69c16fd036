package estimate

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// NoiseOnly returns the covariance of the estimate if the model is true: Covariance without the widening for errors that
// recur with the motion. The caller must not change the matrix.
func (s *Solution) NoiseOnly() [][]float64 {
	if s.NoiseCovariance != nil {
		return s.NoiseCovariance
	}
	return s.Covariance
}

// leastFreedom is the number of degrees of freedom from which the variance of an F-distributed variable exists.
const leastFreedom = 5

// DistanceQuantile returns the 95 % quantile of the Mahalanobis distance, in the metric of NoiseOnly, from
// the estimate to the true parameters. With a known covariance its square is χ² distributed; here the variance of
// joint j, on which lev_j parameters rest, is known to ν_j = 2/InflationSpread_j degrees of freedom, and
// the square is about a sum of lev_j·F(lev_j, ν_j). Its mean and variance are matched by those of
// a multiple of χ² (Box 1954).
func (s *Solution) DistanceQuantile() float64 {
	mean, variance := 0.0, 0.0
	for k, p := range s.Leverage {
		if p <= 0 {
			continue
		}
		factor, square := 1.0, 2*p
		if k < len(s.InflationSpread) && s.InflationSpread[k] > 0 {
			v := max(2/s.InflationSpread[k], leastFreedom)
			factor = v / (v - 2)
			square = 2 * p * v * v * (p + v - 2) / ((v - 2) * (v - 2) * (v - 4))
		}
		mean += p * factor
		variance += square
	}
	if !(mean > 0) {
		mean, variance = float64(max(s.Rank, 1)), 2*float64(max(s.Rank, 1))
	}
	scale := variance / (2 * mean)
	return math.Sqrt(scale * distuv.ChiSquared{K: mean / scale}.Quantile(0.95))
}
