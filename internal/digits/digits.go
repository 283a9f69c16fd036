// Package digits prints numbers with the digits that they deserve: a value ends at the second digit of its standard
// deviation, a probability below a thousandth is only that, and rounding prints as 0.
package digits

import (
	"math"
	"strconv"
	"strings"
)

// None stands where there is no number to print.
const None = "–"

// Number prints v with digits significant digits, in plain decimals between
// 1e-4 and 1e6 and with an exponent outside.
func Number(v float64, digits int) string {
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

// Percent prints a percentage with three significant digits and at most
// three decimals.
func Percent(v float64) string {
	if s, ok := notFinite(v); ok {
		return s
	}
	if a := math.Abs(v); a < 0.01 && a > 0 {
		return "<0.01"
	}
	return Number(v, 3)
}

// Bias prints a mean residual to two digits of a tenth of the RMSE; smaller means are insignificant.
func Bias(v, rmse float64) string {
	s := Number(Noise(v), 2)
	if by := ScaleOf(v, rmse/10); !by.plain {
		s = by.Print(v)
	}
	if strings.Trim(s, "-0.") == "" {
		return "0"
	}
	return s
}

// Noise returns v, or zero if v is only rounding: standard parameters are sums of products of magnitudes up to 100
// with lengths, in float64, so that below 1e-12 of their units only rounding is left.
func Noise(v float64) float64 {
	if math.Abs(v) < 1e-12 {
		return 0
	}
	return v
}

// Chance prints a probability: below a thousandth its digits say nothing, since no residual is so normal that
// the tails of its statistics were known.
func Chance(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return "p " + Number(p, 2)
}

// Scale is how a value with a deviation is printed: decimals digits after the
// point, in units of ten to the shift. plain means that there is no deviation
// to go by.
type Scale struct {
	shift, decimals int
	plain           bool
}

// ScaleOf gives the deviation two significant digits and the value as many as
// reach there. Ordinary magnitudes have no shift.
func ScaleOf(v, sigma float64) Scale {
	if !finite(v) || !finite(sigma) || sigma <= 0 {
		return Scale{plain: true}
	}
	top := exponentOf(sigma, 2)
	last := top - 1 // decimal place of the last digit printed
	if v != 0 {
		top = max(top, exponentOf(v, 6))
	}
	s := Scale{}
	if top >= 6 || top < -4 || last > 0 {
		s.shift = top
	}
	// Fifteen decimals after the first digit a float64 holds no more.
	s.decimals = min(max(s.shift-last, 0), 15+s.shift-top)
	s.plain = s.shift < -300 || s.shift > 300 // no such power of ten to scale by
	return s
}

// Mantissa prints v in units of the scale.
func (s Scale) Mantissa(v float64) string {
	if t, bad := notFinite(v); bad {
		return t
	}
	if s.plain {
		return Number(v, 6)
	}
	return Fixed(v*math.Pow10(-s.shift), s.decimals)
}

// Exponent returns the power of ten after a mantissa.
func (s Scale) Exponent() string {
	if s.shift == 0 || s.plain {
		return ""
	}
	return "e" + strconv.Itoa(s.shift)
}

// Print prints v with its exponent.
func (s Scale) Print(v float64) string {
	if !finite(v) {
		return s.Mantissa(v)
	}
	return s.Mantissa(v) + s.Exponent()
}

// Deviation prints a deviation with two digits; a zero or missing one as a
// dash, since it says nothing.
func Deviation(sigma float64) string {
	if sigma == 0 {
		return None
	}
	return Number(sigma, 2)
}

// Measure prints a value and its deviation on one line.
func Measure(v, sigma float64) string {
	s := ScaleOf(v, sigma)
	switch {
	case s.plain && (!finite(v) || sigma == 0 || math.IsNaN(sigma)):
		return s.Mantissa(v)
	case s.plain:
		return s.Mantissa(v) + " ± " + Deviation(sigma)
	case s.shift != 0:
		return "(" + s.Mantissa(v) + " ± " + s.Mantissa(sigma) + ")" + s.Exponent()
	}
	return s.Mantissa(v) + " ± " + s.Mantissa(sigma)
}

// notFinite prints NaN and the infinities.
func notFinite(v float64) (string, bool) {
	switch {
	case math.IsNaN(v):
		return None, true
	case v >= math.MaxFloat64: // documents have it instead of infinity, for which JSON has no number
		return "∞", true
	case v <= -math.MaxFloat64:
		return "-∞", true
	}
	return "", false
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// exponentOf returns the decimal exponent of v after rounding to digits.
func exponentOf(v float64, digits int) int {
	s := strconv.FormatFloat(v, 'e', digits-1, 64)
	e, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	return e
}

// Fixed prints v with decimals digits after the point, without a negative zero.
func Fixed(v float64, decimals int) string {
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

// Tick prints a multiple of step with the decimals that step needs.
func Tick(v, step float64) string {
	if math.Abs(v) < step/2 {
		return "0"
	}
	e := int(math.Floor(math.Log10(step) + 1e-9))
	if top := math.Abs(v); top >= 1e6 || e < -4 {
		return tidyExponent(strconv.FormatFloat(v, 'e', max(0, exponentOf(v, 6)-e), 64))
	}
	return strconv.FormatFloat(v, 'f', max(0, -e), 64)
}

// Setting prints a setting such as a cut-off: short, without trailing zeros.
func Setting(v float64) string {
	if s, bad := notFinite(v); bad {
		return s
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// Hertz prints a frequency such as a cut-off with four digits.
func Hertz(v float64) string {
	if s, bad := notFinite(v); bad {
		return s
	}
	return strconv.FormatFloat(v, 'g', 4, 64) + " Hz"
}

// Figure prints the figure or the limit of a verdict: four digits, no trailing zeros, so that counts look like counts.
func Figure(v float64) string {
	s := Number(Noise(v), 4)
	if strings.Contains(s, ".") && !strings.Contains(s, "e") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Two returns x rounded to two significant digits, 0 if x is not positive.
func Two(x float64) float64 {
	if x <= 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	// Division by a whole number returns the float64 nearest to the decimal: 4.7, not 4.7000000000000002.
	if unit < 1 {
		return math.Round(x/unit) / math.Round(1/unit)
	}
	return math.Round(x/unit) * unit
}
