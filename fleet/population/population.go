// Package population compares robots of one model with each other: which parameters of which robot differ from those of the
// others by more than their intervals and the scatter between robots allow.
//
// # The statistic
//
// Of a parameter, θ_i with the standard deviation σ_i for robot i, the population's centre c is the median and its
// scatter τ the value at which half of the robots lie within 0.6745 of
//
//	z_i = (θ_i − c) / √(σ_i² + τ² + s²)
//
// as of a normal distribution, 0 where they do so without it: the model with random effects of DerSimonian and Laird
// (Controlled Clinical Trials 7, 1986), with the median absolute deviation instead of the variance, so that outliers,
// up to half of the robots, do not widen the scatter that they are compared with. s = 1.2533·√(τ² + median σ²)/√n is
// the standard deviation of a median.
//
// The scatter is an estimate too: z is compared with Student's t with 0.3675·(n − 1) degrees of freedom, as many as the
// median absolute deviation of n values is worth (Rousseeuw and Croux, Journal of the American Statistical Association 88, 1993: an
// efficiency of 36.75 %).
//
// # False alarms
//
// The tests are many, every parameter of every robot. A robot is an outlier where the two-sided probability of its z, times the
// number of all tests of the fleet, is at most the level: by Bonferroni's inequality the probability of any false alarm at all is
// at most the level, whatever the correlations. Fewer than Least robots are no population.
package population

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Least is the number of robots below which nothing is said: Student's t has fewer than 2.6 degrees of freedom then.
const Least = 8

const (
	quarter      = 0.6744897501960817 // upper quartile of the normal distribution
	medianFactor = 1.2533141373155003 // √(π/2), standard deviation of a median over that of a mean
	worth        = 0.3675             // of the median absolute deviation beside the standard deviation
)

// Parameter is the population of one parameter.
type Parameter struct {
	Centre, Scatter float64
	Error           float64 // standard deviation of the centre
	Robots          int
}

// Of returns the population of a parameter's estimates, with their standard deviations. Values that are not finite are
// left out.
func Of(values, sigmas []float64) Parameter {
	var x, v []float64
	for i := range values {
		if finite(values[i]) && finite(sigmas[i]) {
			x, v = append(x, values[i]), append(v, sigmas[i]*sigmas[i])
		}
	}
	p := Parameter{Robots: len(x)}
	if len(x) == 0 {
		return p
	}
	p.Centre = median(x)
	away := make([]float64, len(x))
	most := 0.0
	for i := range x {
		away[i] = math.Abs(x[i] - p.Centre)
		most = max(most, away[i])
	}
	z := make([]float64, len(x))
	wide := func(scatter float64) bool { // whether the scatter is too small
		for i := range x {
			z[i] = 0
			if d := math.Sqrt(v[i] + scatter*scatter); d > 0 {
				z[i] = away[i] / d
			} else if away[i] > 0 {
				z[i] = math.Inf(1)
			}
		}
		return median(z) > quarter
	}
	if wide(0) {
		low, high := 0.0, 2*most
		for range 60 { // to the last bit but a few
			if mid := (low + high) / 2; wide(mid) {
				low = mid
			} else {
				high = mid
			}
		}
		p.Scatter = high
	}
	p.Error = medianFactor * math.Sqrt(p.Scatter*p.Scatter+median(v)) / math.Sqrt(float64(len(x)))
	return p
}

// Z returns the distance of a robot's estimate from the centre in standard deviations, 0 if it is not known.
func (p Parameter) Z(value, sigma float64) float64 {
	d := math.Sqrt(sigma*sigma + p.Scatter*p.Scatter + p.Error*p.Error)
	if p.Robots < Least || !(d > 0) || !finite(value) {
		return 0
	}
	return (value - p.Centre) / d
}

// Probability returns the probability of a z at least as far from zero for a robot that is no outlier.
func (p Parameter) Probability(z float64) float64 {
	if p.Robots < Least {
		return 1
	}
	return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: worth * float64(p.Robots-1)}.Survival(math.Abs(z))
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// median of values, the mean of the two in the middle of an even number.
func median(x []float64) float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	n := len(s)
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}
