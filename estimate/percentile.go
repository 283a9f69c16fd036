package estimate

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// StudentQuantile returns the 97.5 % quantile of Student's distribution, +Inf without degrees of freedom.
func StudentQuantile(freedom float64) float64 {
	if !(freedom > 0) {
		return math.Inf(1)
	}
	if freedom > 1e6 {
		return 1.959963984540054
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}.Quantile(0.975)
}

// Percentile returns the p-th quantile of sorted numbers, interpolated; p is from 0 to 1.
func Percentile(x []float64, p float64) float64 {
	at := p * float64(len(x)-1)
	i := int(at)
	if i+1 >= len(x) {
		return x[len(x)-1]
	}
	return x[i] + (at-float64(i))*(x[i+1]-x[i])
}
