package document

import (
	"fmt"
	"math"
)

// A List is the length of one list of a document.
type List struct {
	Name string // as the document's JSON names it
	Len  int
}

// Lengths returns an error for the first list whose length is neither zero nor want. of says what want counts.
func Lengths(want int, of string, lists ...List) error {
	for _, l := range lists {
		if l.Len != 0 && l.Len != want {
			return fmt.Errorf("%s has %d entries for %d %s", l.Name, l.Len, want, of)
		}
	}
	return nil
}

// asymmetry is the largest difference of two mirrored covariances that rounding explains, relative to the standard deviations: a
// product of matrices in either order differs by some roundings of 1e-16, times the condition of its factors.
const asymmetry = 1e-6

// Covariance returns an error if c is not the covariance of n parameters: not square, not finite, not symmetric, or with a
// negative variance. name is its name in the document.
func Covariance(name string, c [][]float64, n int) error {
	if len(c) != n {
		return fmt.Errorf("%s has %d rows for %d parameters", name, len(c), n)
	}
	for i, row := range c {
		if len(row) != n {
			return fmt.Errorf("%s[%d] has %d entries for %d parameters", name, i, len(row), n)
		}
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("%s[%d][%d] is %g", name, i, j, v)
			}
		}
		if row[i] < 0 {
			return fmt.Errorf("%s[%d][%d] is %g: a variance cannot be negative", name, i, i, row[i])
		}
	}
	for i, row := range c {
		for j := range i {
			a, b := row[j], c[j][i]
			if math.Abs(a-b) > asymmetry*max(math.Sqrt(row[i])*math.Sqrt(c[j][j]), math.Abs(a)*1e-3) {
				return fmt.Errorf("%s[%d][%d] is %g and %s[%d][%d] is %g: a covariance is symmetric", name, i, j, a, name, j, i, b)
			}
		}
	}
	return nil
}
