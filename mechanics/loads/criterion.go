package loads

import (
	"fmt"
	"math"
)

// Efficiency returns how far a quantity that should be small, such as the time or the energy of a task, satisfies: 0 at worst and beyond, 1 at
// best and below, in proportion between (Vukobratović and Potkonjak 1985, 5.2.1). It panics unless worst is above best.
func Efficiency(value, worst, best float64) float64 {
	if !(worst > best) {
		panic(fmt.Sprintf("loads: the worst value %g of a criterion must be above its best, %g", worst, best))
	}
	return math.Min(1, math.Max(0, (worst-value)/(worst-best)))
}

// Combined returns the mean of two efficiencies with weights that add up to one,
//
//	G = (w₁·a₁ʳ + w₂·a₂ʳ)^(1/r)
//
// which is the smaller one for r = −∞, the geometric mean for r = 0, the arithmetic one for r = 1 and the larger one for r = +∞ (5.2.4). For
// r ≤ 0 both must be above zero for a G above zero. It has no difference of numbers that are alike at any r. It panics for efficiencies
// outside 0 … 1, negative weights, and weights with another sum.
func Combined(a1, a2, r, w1, w2 float64) float64 {
	if !(a1 >= 0 && a1 <= 1 && a2 >= 0 && a2 <= 1) || !(w1 >= 0 && w2 >= 0 && math.Abs(w1+w2-1) < 1e-9) || math.IsNaN(r) {
		panic(fmt.Sprintf("loads: efficiencies %g and %g must lie in 0 … 1, weights %g and %g must not be negative and add up to one, and the exponent %g must be a number", a1, a2, w1, w2, r))
	}
	switch {
	case w1 == 0:
		return a2
	case w2 == 0:
		return a1
	case math.IsInf(r, -1) || r <= 0 && math.Min(a1, a2) == 0:
		return math.Min(a1, a2)
	case math.IsInf(r, 1):
		return math.Max(a1, a2)
	case a1 == 0 || a2 == 0: // r > 0
		if a1 == 0 {
			a1, w1 = a2, w2
		}
		return a1 * math.Exp(math.Log(w1)/r)
	}
	l1, l2 := math.Log(a1), math.Log(a2)
	if r == 0 {
		return math.Exp(w1*l1 + w2*l2)
	}
	// The larger power is taken out, so that the others are between 0 and 1.
	top := math.Max(r*l1, r*l2)
	rest := math.Log1p(w1*math.Expm1(r*l1-top) + w2*math.Expm1(r*l2-top))
	return math.Exp((top + rest) / r)
}

// Conjunction returns the degree c = 2 − 3·Ḡ(r) to which Combined with equal weights asks for both efficiencies: 1 for the smaller one, ½ for
// the arithmetic mean, 0 for the larger one. Ḡ is the mean of G over all pairs.
func Conjunction(r float64) float64 {
	if math.IsInf(r, 0) {
		return map[bool]float64{true: 0, false: 1}[r > 0]
	}
	// G is homogeneous: its mean over the square is ⅔·∫G(t, 1) dt. By t = s³ the slope at 0 is bounded for the factors of use; Simpson's rule.
	const n = 4000
	sum := 0.0
	for i := range n + 1 {
		s := float64(i) / n
		w := 2.0
		switch {
		case i == 0 || i == n:
			w = 1
		case i%2 == 1:
			w = 4
		}
		sum += w * Combined(s*s*s, 1, r, 0.5, 0.5) * 3 * s * s
	}
	return 2 - 3*(2.0/3)*sum/(3*n)
}

// AveragingFactor returns the factor r of a degree of conjunction c, 0 … 1: −∞ at 1, +∞ at 0.
func AveragingFactor(c float64) (float64, error) {
	switch {
	case !(c >= 0 && c <= 1):
		return 0, fmt.Errorf("loads: a degree of conjunction of %g: give 0 (either will do) to 1 (both are needed)", c)
	case c == 1:
		return math.Inf(-1), nil
	case c == 0:
		return math.Inf(1), nil
	}
	low, high := -1.0, 1.0
	for Conjunction(low) < c && low > -1e6 {
		low *= 2
	}
	for Conjunction(high) > c && high < 1e6 {
		high *= 2
	}
	for range 60 {
		if mid := (low + high) / 2; Conjunction(mid) > c {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2, nil
}
