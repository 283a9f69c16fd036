package document

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCovariance(t *testing.T) {
	for want, c := range map[string][][]float64{
		"1 rows for 2":         {{1, 0}},
		"c[1] has 1 entries":   {{1, 0}, {1}},
		"c[1][1] is -1":        {{1, 0}, {0, -1}},
		"c[1][0] is 0.5 and c": {{1, 0.25}, {0.5, 1}},
		"is NaN":               {{1, 0}, {0, math.NaN()}},
	} {
		if err := Covariance("c", c, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", c, err, want)
		}
	}
}

// A product A·Aᵀ is a covariance whatever its scales and the order of its sums; one more negative variance, missing row or
// unequal pair is none.
func TestCovarianceOfProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		a := make([][]float64, n)
		for i := range a {
			scale := math.Pow(10, rapid.Float64Range(-8, 8).Draw(t, "exponent"))
			for range n {
				a[i] = append(a[i], scale*rapid.Float64Range(-1, 1).Draw(t, "a"))
			}
		}
		c := make([][]float64, n)
		for i := range c {
			for j := range n {
				sum := 0.0
				for k := range n {
					at := k
					if i > j {
						at = n - 1 - k
					}
					sum += a[i][at] * a[j][at]
				}
				c[i] = append(c[i], sum)
			}
		}
		if err := Covariance("c", c, n); err != nil {
			t.Fatal(err)
		}
		i := rapid.IntRange(0, n-1).Draw(t, "i")
		for name, spoil := range map[string]func(){
			"a negative variance": func() { c[i] = slices.Clone(c[i]); c[i][i] = -1 },
			"a short row":         func() { c[i] = c[i][:n-1] },
			"a missing row":       func() { c = c[:n-1] },
		} {
			whole := slices.Clone(c)
			spoil()
			if Covariance("c", c, n) == nil {
				t.Fatalf("%s is not found", name)
			}
			c = whole
		}
	})
}
