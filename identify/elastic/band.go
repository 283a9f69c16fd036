package elastic

import "ident/filter"

// band returns the frequency below which 99 % of a signal's power lies, Hz.
func band(x []float64, rate float64) float64 {
	const part, segment = 0.99, 1024
	return filter.Welch(x, rate, min(segment, len(x))).Below(part)
}
