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

// measure prints a value and its standard deviation to the same decimal: the
// deviation with two significant digits, the value as far as that reaches.
// Both share an exponent, which is empty for ordinary magnitudes. A deviation
// that is absent, zero or not finite leaves the value with six digits.
func measure(v, sigma float64) (value, deviation, exponent string) {
	if s, bad := notFinite(v); bad {
		return s, number(sigma, 2), ""
	}
	if s, bad := notFinite(sigma); bad || sigma <= 0 {
		if !bad {
			s = noNumber
		}
		return number(v, 6), s, ""
	}
	last := exponentOf(sigma, 2) - 1 // decimal place of the last digit printed
	top := exponentOf(sigma, 2)
	if v != 0 {
		top = max(top, exponentOf(v, 6))
	}
	shift := 0
	if top >= 6 || top < -3 || last > 0 {
		shift = top
	}
	scale := math.Pow10(-shift)
	if math.IsInf(scale, 0) || scale == 0 { // beyond the range of a scale factor
		return number(v, 6), number(sigma, 2), ""
	}
	decimals := max(shift-last, 0)
	// A value far above its deviation would print digits that a float64 does
	// not hold.
	decimals = min(decimals, 15)
	value = fixed(v*scale, decimals)
	deviation = fixed(sigma*scale, decimals)
	if shift != 0 {
		exponent = "e" + strconv.Itoa(shift)
	}
	return value, deviation, exponent
}

// measureText joins the parts of measure on one line.
func measureText(v, sigma float64) string {
	value, deviation, exponent := measure(v, sigma)
	if deviation == noNumber {
		return value
	}
	if exponent != "" {
		return "(" + value + " ± " + deviation + ")" + exponent
	}
	return value + " ± " + deviation
}

// likeSigma prints v to the decimals that sigma deserves, for bounds and
// priors beside a measure.
func likeSigma(v, sigma float64) string {
	value, deviation, exponent := measure(v, sigma)
	if _, bad := notFinite(v); bad || deviation == noNumber {
		return value
	}
	return value + exponent
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
