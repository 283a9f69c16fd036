package report

import (
	"math"
	"strconv"
	"strings"
)

// noNumber stands where there is no number to print.
const noNumber = "–"

// number prints v with digits significant digits, in plain decimals between
// 1e-4 and 1e6 and with an exponent outside.
func number(v float64, digits int) string {
	if s, ok := notFinite(v); ok {
		return s
	}
	if v == 0 {
		return "0"
	}
	// The exponent after rounding: 9.996 to three digits is 10.0.
	e := exponentOf(v, digits)
	if e < -4 || e >= 6 {
		return tidyExponent(strconv.FormatFloat(v, 'e', digits-1, 64))
	}
	return strconv.FormatFloat(v, 'f', max(digits-1-e, 0), 64)
}

// percent prints a percentage with three significant digits and at most
// three decimals.
func percent(v float64) string {
	if s, ok := notFinite(v); ok {
		return s
	}
	if a := math.Abs(v); a < 0.01 && a > 0 {
		return "<0.01"
	}
	return number(v, 3)
}

// bias prints a mean residual with two digits of a tenth of the RMSE, below which a mean says nothing beside it.
func bias(v, rmse float64) string {
	s := number(noise(v), 2)
	if by := scaleOf(v, rmse/10); !by.plain {
		s = by.print(v)
	}
	if strings.Trim(s, "-0.") == "" {
		return "0"
	}
	return s
}

// noise is v, or zero where it is rounding: standard parameters are sums of products of magnitudes up to 100
// with lengths, in float64, so that below 1e-12 of their units only rounding is left.
func noise(v float64) float64 {
	if math.Abs(v) < 1e-12 {
		return 0
	}
	return v
}

// chance prints a probability: below a thousandth its digits say nothing, since no residual is so normal that
// the tails of its statistics were known.
func chance(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return "p " + number(p, 2)
}

// scale is how a value with a deviation is printed: decimals digits after the
// point, in units of ten to the shift. plain means that there is no deviation
// to go by.
type scale struct {
	shift, decimals int
	plain           bool
}

// scaleOf gives the deviation two significant digits and the value as many as
// reach there. Ordinary magnitudes have no shift.
func scaleOf(v, sigma float64) scale {
	if !finite(v) || !finite(sigma) || sigma <= 0 {
		return scale{plain: true}
	}
	top := exponentOf(sigma, 2)
	last := top - 1 // decimal place of the last digit printed
	if v != 0 {
		top = max(top, exponentOf(v, 6))
	}
	s := scale{}
	if top >= 6 || top < -4 || last > 0 {
		s.shift = top
	}
	// Fifteen decimals after the first digit a float64 holds no more.
	s.decimals = min(max(s.shift-last, 0), 15+s.shift-top)
	s.plain = s.shift < -300 || s.shift > 300 // no such power of ten to scale by
	return s
}

// mantissa prints v in units of the scale.
func (s scale) mantissa(v float64) string {
	if t, bad := notFinite(v); bad {
		return t
	}
	if s.plain {
		return number(v, 6)
	}
	return fixed(v*math.Pow10(-s.shift), s.decimals)
}

// exponent is the power of ten after a mantissa.
func (s scale) exponent() string {
	if s.shift == 0 || s.plain {
		return ""
	}
	return "e" + strconv.Itoa(s.shift)
}

// print prints v with its exponent.
func (s scale) print(v float64) string {
	if !finite(v) {
		return s.mantissa(v)
	}
	return s.mantissa(v) + s.exponent()
}

// deviation prints a deviation with two digits; a zero or missing one as a
// dash, since it says nothing.
func deviation(sigma float64) string {
	if sigma == 0 {
		return noNumber
	}
	return number(sigma, 2)
}

// measure prints a value and its deviation on one line.
func measure(v, sigma float64) string {
	s := scaleOf(v, sigma)
	switch {
	case s.plain && (!finite(v) || sigma == 0 || math.IsNaN(sigma)):
		return s.mantissa(v)
	case s.plain:
		return s.mantissa(v) + " ± " + deviation(sigma)
	case s.shift != 0:
		return "(" + s.mantissa(v) + " ± " + s.mantissa(sigma) + ")" + s.exponent()
	}
	return s.mantissa(v) + " ± " + s.mantissa(sigma)
}

// notFinite prints NaN and the infinities.
func notFinite(v float64) (string, bool) {
	switch {
	case math.IsNaN(v):
		return noNumber, true
	case math.IsInf(v, 1):
		return "∞", true
	case math.IsInf(v, -1):
		return "-∞", true
	}
	return "", false
}

// exponentOf is the decimal exponent of v after rounding to digits.
func exponentOf(v float64, digits int) int {
	s := strconv.FormatFloat(v, 'e', digits-1, 64)
	e, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	return e
}

// fixed prints v with decimals digits after the point, without a negative zero.
func fixed(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.HasPrefix(s, "-") && strings.Trim(s, "-0.") == "" {
		return s[1:]
	}
	return s
}

// tidyExponent turns 1.2e-07 into 1.2e-7.
func tidyExponent(s string) string {
	i := strings.IndexByte(s, 'e')
	e, _ := strconv.Atoi(s[i+1:])
	return s[:i] + "e" + strconv.Itoa(e)
}

// at returns the i-th entry of a per-joint list, NaN where there is none.
func at(v []float64, i int) float64 {
	if i < 0 || i >= len(v) {
		return math.NaN()
	}
	return v[i]
}
