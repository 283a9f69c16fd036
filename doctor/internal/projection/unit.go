package projection

import (
	"math"
	"slices"
)

// unitShare is the percentage of steps that must be multiples of a unit; unitDoubt is the fraction of a unit by which
// they may differ from one.
const (
	unitShare = 95
	unitDoubt = 0.02
)

// Unit returns the quantum of which nearly all of the given positive steps are multiples, 0 if there is none. It is the
// smallest step, or a half, a third or a quarter of it, because the smallest step seen may be a few quanta.
func Unit(steps []float64) float64 {
	smallest := slices.Min(steps)
	for parts := 1.0; parts <= 4; parts++ {
		unit, misses := smallest/parts, len(steps)-len(steps)*unitShare/100
		for _, d := range steps {
			if r := d / unit; !(math.Abs(r-math.RoundToEven(r)) < unitDoubt) {
				if misses--; misses < 0 {
					break
				}
			}
		}
		if misses >= 0 {
			return unit
		}
	}
	return 0
}
