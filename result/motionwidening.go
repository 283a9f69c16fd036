package result

import (
	"math"
	"slices"

	"ident/estimate"
	"ident/internal/orderstat"
)

// WidenFrom is the bias, in standard deviations, from which intervals are widened: below it they lose a hundredth of
// their coverage.
const WidenFrom = 0.3

// clearBias is the bias, in standard errors, from which a parameter is corrected: below it, in one parameter of six, the
// correction would add more error than it removes.
const clearBias = 2

// corrected reports whether a parameter is corrected.
func (m *MotionNoise) corrected(i int) bool {
	return i >= len(m.BiasError) || math.Abs(m.Bias[i]) > clearBias*m.BiasError[i]
}

// Correction returns the bias of the estimate in the parameters' units.
func (m *MotionNoise) Correction(sol *estimate.Solution) []float64 {
	out := make([]float64, len(m.Bias))
	for i, b := range m.Bias {
		if m.corrected(i) {
			out[i] = b * math.Sqrt(sol.Covariance[i][i])
		}
	}
	return out
}

// uneven returns the factor on the standard deviation of a parameter with more than the median share of the motion
// noise. The residuals contain the noise too, and the covariance spreads their variance evenly over all parameters, so
// it already includes the median share. Position noise acts as acceleration noise at the upper end of the band, where
// inertias have their columns and gravity has none.
func (m *MotionNoise) uneven(i int) float64 {
	if i >= len(m.Deviation) {
		return 1
	}
	usual := orderstat.Median(m.Deviation)
	if more := m.Deviation[i]*m.Deviation[i] - usual*usual; more > WidenFrom*WidenFrom {
		return math.Sqrt(1 + more)
	}
	return 1
}

// Widen increases standard deviations by the bias where intervals would otherwise lose coverage, by the error of its
// correction, and by an uneven share of the noise.
func (m *MotionNoise) Widen(sol *estimate.Solution) {
	bias, within := m.Bias, []float64(nil)
	if m.Left != nil {
		bias, within = m.Left, m.BiasError
	}
	worst, _ := m.Worst()
	m.Widened = worst > WidenFrom && worst < math.MaxFloat64
	factor := make([]float64, len(bias))
	for i, b := range bias {
		factor[i] = m.uneven(i)
		if m.Widened {
			factor[i] = math.Hypot(factor[i], b)
		}
		if within != nil && m.corrected(i) {
			factor[i] = math.Hypot(factor[i], within[i])
		}
	}
	sol.Covariance = slices.Clone(sol.Covariance)
	for i := range factor {
		sol.Covariance[i] = slices.Clone(sol.Covariance[i])
		for j := range factor {
			sol.Covariance[i][j] *= factor[i] * factor[j]
		}
	}
}
