package physical

import (
	"math"
	"slices"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/triangle"
	"ident/regressor"
)

// powerSigmas is the number of standard deviations, of correlated residuals, from which friction that generates power
// is significant.
const powerSigmas = 4

// powerShare is the least mean power of such friction, relative to the product of the root mean squares of velocity and
// torque.
const powerShare = 0.01

// DrivingFriction returns the names of the joints whose friction drives them. The mean power of friction is Σ x_c·⟨q̇,
// c⟩ with the moments of the viscous column and all friction columns c of the joint, which the triangular factor holds.
func DrivingFriction(set *baseparams.Set, rows *estimate.Reduction, s *estimate.Solution) []string {
	var out []string
	var work triangle.Work
	for k, mask := range rows.Masks() {
		f := rows.Joint(k, &work)
		var own []int // positions in the mask
		rate := -1
		for at, c := range mask {
			col := set.Columns[set.Base[c]]
			if !col.Dissipates() {
				continue
			}
			if col.Term == regressor.Fv && rate < 0 && col.Drive == 0 {
				rate = at
			}
			own = append(own, at)
		}
		if rate < 0 || len(own) == 0 {
			continue
		}
		dot := func(a, b int) float64 {
			sum := 0.0
			for i := range min(a, b) + 1 {
				sum += f.R[i*f.N+a] * f.R[i*f.N+b]
			}
			return sum
		}
		mean, variance := 0.0, 0.0
		for _, a := range own {
			mean += s.X[mask[a]] * dot(rate, a)
			for _, b := range own {
				variance += dot(rate, a) * s.Covariance[mask[a]][mask[b]] * dot(rate, b)
			}
		}
		exchanged := math.Sqrt(dot(rate, rate) * f.YY)
		if mean < -powerSigmas*math.Sqrt(max(variance, 0)) && mean < -powerShare*exchanged {
			out = append(out, set.Columns[set.Base[mask[rate]]].Owner)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
