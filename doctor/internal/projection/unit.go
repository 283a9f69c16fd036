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

// unitReach is the factor by which the multiples grow from which a unit is found ever more exactly: a unit known within unitDoubt of
// itself tells which of the first unitReach multiples a step is.
const unitReach = 20.0

// Unit returns the quantum of which nearly all of the given positive steps are multiples, 0 if there is none. It is the
// smallest step, or a half, a third or a quarter of it, because the smallest step seen may be a few quanta. A printed step has an error,
// and a long one tells the unit better: it is found by least squares from ever longer steps.
func Unit(steps []float64) float64 {
	smallest, largest := slices.Min(steps), slices.Max(steps)
	for parts := 1.0; parts <= 4; parts++ {
		if unit, ok := refinedUnit(steps, smallest/parts, largest); ok {
			return unit
		}
	}
	return 0
}

// refinedUnit returns the unit near a first estimate; ok is false if not nearly all steps are multiples of it.
func refinedUnit(steps []float64, unit, largest float64) (refined float64, ok bool) {
	for reach := unitReach; ; reach *= unitReach {
		sum, squares := 0.0, 0.0
		count, misses, most := 0, 0, (reach+0.5)*unit
		for _, d := range steps {
			if d > most {
				continue
			}
			r := d / unit
			k := math.RoundToEven(r)
			if !(math.Abs(r-k) < unitDoubt*max(1, k)) {
				misses++
			}
			count++
			sum += d * k
			squares += k * k
		}
		if 100*misses > (100-unitShare)*count || squares == 0 {
			return 0, false
		}
		if unit = sum / squares; most >= largest {
			break
		}
	}
	misses := len(steps) - len(steps)*unitShare/100
	for _, d := range steps {
		if r := d / unit; !(math.Abs(r-math.RoundToEven(r)) < unitDoubt) {
			if misses--; misses < 0 {
				return 0, false
			}
		}
	}
	return unit, true
}
