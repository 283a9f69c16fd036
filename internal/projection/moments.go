package projection

import "math"

// MagnitudeQuantile is the upper edge of the binary interval of magnitudes that the part q of the counted ones
// does not pass.
func MagnitudeQuantile(count *[2048]int, q float64) float64 {
	total := 0
	for _, n := range count {
		total += n
	}
	need, sum := q*float64(total), 0
	for e, n := range count {
		sum += n
		if n > 0 && float64(sum) >= need {
			if e == 0 {
				return 0
			}
			return math.Ldexp(1, min(e-1022, 1023))
		}
	}
	return 0
}

// Moments are the sums of a batch of values and of their squares about an origin among
// them.
type Moments struct {
	Rows               int
	Origin, Sum, Total float64
}

// Add takes one more value.
func (b *Moments) Add(v float64) {
	d := v - b.Origin
	b.Rows++
	b.Sum += d
	b.Total += d * d
}
