package projection

import "math"

// MagnitudeQuantile returns an upper bound of the q-quantile of the counted magnitudes: the upper edge of its bin. Bins
// are powers of two.
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

// SmallestStep returns the step of a coarse channel's values: the 0.1 % quantile of the counted steps between different
// neighbours, rounded down to a power of two.
func SmallestStep(count [2048]int) float64 {
	count[0] = 0
	return MagnitudeQuantile(&count, 1e-3) / 2
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

// Join adds the batch to the mean and the squares about it of the values before (Chan, Golub and LeVeque 1983). rows is
// the number of all values, batch included.
func (b *Moments) Join(rows int, mean, squares *float64) {
	if b.Rows == 0 {
		return
	}
	shift := b.Sum / float64(b.Rows)
	before, all := float64(rows-b.Rows), float64(rows)
	d := b.Origin + shift - *mean
	*squares += max(b.Total-b.Sum*shift, 0) + d*d*before*float64(b.Rows)/all
	*mean += d * float64(b.Rows) / all
}
