package lint

import (
	"fmt"
	"math"
)

// AdmissibleMoment returns the interval of a principal moment of inertia about the
// centre of mass, kg·m², of a body with the other two: each moment is at most the sum of the
// others. The two must be positive; the ends of the interval are flat bodies.
func AdmissibleMoment(a, b float64) (low, high float64) {
	if !(a > 0) || !(b > 0) {
		panic(fmt.Sprintf("lint: principal moments %g and %g; both must be positive", a, b))
	}
	return math.Abs(a - b), a + b
}

// missingMoment reports whether a body is impossible because one moment is zero, with its products, beside two
// positive ones, and gives the interval of that moment.
func (b *lintBody) missingMoment() (Finding, bool) {
	none := 1e-13 * largest(b.central) // rounding of the transport to the centre of mass
	for i, name := range [3]string{"ixx", "iyy", "izz"} {
		j, k := (i+1)%3, (i+2)%3
		c := &b.central
		if math.Abs(c[i][i]) > none || math.Abs(c[i][j]) > none || math.Abs(c[i][k]) > none {
			continue
		}
		mean, half := (c[j][j]+c[k][k])/2, math.Hypot((c[j][j]-c[k][k])/2, c[j][k])
		if !(mean-half > none) {
			continue
		}
		low, high := AdmissibleMoment(mean-half, mean+half)
		return Finding{b.name, "missing-moment", SeverityError, 0,
			fmt.Sprintf("%s is zero beside principal moments %.4g and %.4g kg·m²: a body with these has it between %.4g and %.4g kg·m²", name, mean-half, mean+half, low, high),
			"a moment that was left out"}, true
	}
	return Finding{}, false
}
