package report_test

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/digits"
)

func TestDigitsOfMeasures(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		v, sigma float64
		want     string
	}{
		{1.23456, 0.00123, "1.2346 ± 0.0012"},
		{95.1089, 0.1, "95.11 ± 0.10"},
		{-0.00499, 0.5, "0.00 ± 0.50"},
		{203.4, 25, "203 ± 25"},
		{9.9996, 0.0996, "10.00 ± 0.10"},
		{1.5e-6, 2e-8, "(1.500 ± 0.020)e-6"},
		{-2.5e9, 4e7, "(-2.500 ± 0.040)e9"},
		{12345.6, 1500, "(1.23 ± 0.15)e4"},
		{0, 0.01, "0.000 ± 0.010"},
		{1.23456789, 0, "1.23457"},
		{1.23456789, nan, "1.23457"},
		{2, inf, "2.00000 ± ∞"},
		{nan, 0.1, "–"},
		{-inf, 0.1, "-∞"},
		{1e-320, 1e-321, "9.99989e-321 ± 1.0e-321"},
	} {
		if got := digits.Measure(c.v, c.sigma); got != c.want {
			t.Errorf("Measure(%g, %g) = %q, want %q", c.v, c.sigma, got, c.want)
		}
	}
}

// The printed number must be the value to within half a unit of the deviation's
// second digit. Half a unit is 0.005 where 0.0995 rounds up to 0.10: 0.05026 of it.
func TestDigitsOfMeasuresRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-1, 1).Draw(t, "v") * math.Pow10(rapid.IntRange(-12, 12).Draw(t, "e"))
		sigma := rapid.Float64Range(0.001, 1).Draw(t, "s") * math.Pow10(rapid.IntRange(-12, 12).Draw(t, "f"))
		printed := digits.ScaleOf(v, sigma).Print(v)
		back, err := strconv.ParseFloat(printed, 64)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(back-v) > 0.05026*sigma+1e-14*math.Abs(v) {
			t.Fatalf("%g with sigma %g printed as %s", v, sigma, printed)
		}
	})
}

func TestDigitsOfNumbers(t *testing.T) {
	for _, c := range []struct {
		v      float64
		digits int
		want   string
	}{
		{0, 3, "0"},
		{1234.4, 3, "1234"},
		{0.012345, 3, "0.0123"},
		{9.996, 3, "10.0"},
		{1.5e-7, 2, "1.5e-7"},
		{3.2e12, 3, "3.20e12"},
		{math.NaN(), 3, "–"},
		{math.Inf(-1), 3, "-∞"},
		{math.MaxFloat64, 3, "∞"},
	} {
		if got := digits.Number(c.v, c.digits); got != c.want {
			t.Errorf("Number(%g, %d) = %q, want %q", c.v, c.digits, got, c.want)
		}
	}
}
