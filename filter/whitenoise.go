package filter

import "math"

// WhiteShare returns the part of the power of white noise at a sample rate, Hz, that passes the low-pass run forward and backward; 1
// without a cut-off below half of the rate. The response is 1/(1 + (f/F)²ⁿ), and the integral of its square
//
//	∫ df/(1 + (f/F)²ⁿ)² = F·(1 − 1/2n)·(π/2n)/sin(π/2n)
func (l LowPass) WhiteShare(rate float64) float64 {
	if !(l.Cutoff > 0) || !(2*l.Cutoff < rate) || l.Order < 1 {
		return 1
	}
	n2 := 2 * float64(l.Order)
	return min(2*l.Cutoff/rate*(1-1/n2)*(math.Pi/n2)/math.Sin(math.Pi/n2), 1)
}
