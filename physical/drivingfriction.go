package physical

import (
	"math"
	"slices"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/triangle"
	"ident/regressor"
)

// powerSigmas is the number of deviations, of correlated residuals, from which friction
// that gives power is no chance.
const powerSigmas = 4

// powerShare is the mean power of such friction as a part of the product of the root
// mean squares of velocity and torque, from which it counts.
const powerShare = 0.01

// DrivingFriction lists the joints whose friction drives them: with the moments
// ⟨q̇, c⟩ of the viscous column and those of all friction columns of the joint, which
// the triangular factor holds, its mean power is Σ x_c·⟨q̇, c⟩.
func DrivingFriction(set *baseparams.Set, rows *estimate.Reduction, s *estimate.Solution) []string {
	var out []string
	var work triangle.Work
	for k, mask := range rows.Masks() {
		f := rows.Joint(k, &work)
		var own []int // positions in the mask
		rate := -1
		for at, c := range mask {
			col := set.Columns[set.Base[c]]
			switch col.Term {
			case regressor.Fv:
				if rate < 0 && col.Drive == 0 {
					rate = at
				}
				own = append(own, at)
			case regressor.Fs, regressor.Asymmetric, regressor.Stribeck, regressor.LoadFs:
				own = append(own, at)
			}
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
