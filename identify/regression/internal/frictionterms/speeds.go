package frictionterms

import (
	"math"

	"ident/estimate"
	"ident/internal/triangle"
)

// The velocities that are tried for Stribeck friction, rad/s or m/s: from the
// resolution of encoders to the end of the neighbourhood of rest, each above the last by a
// factor within which the residual has one minimum.
const (
	Slowest    = 0.002
	NextFaster = 1.9
)

// OfferedSpeeds is the number of Stribeck velocities that the choice of friction terms compares: every second velocity
// of the finer search.
const OfferedSpeeds = 6

// OfferedSpeed returns the Stribeck velocity number i of the OfferedSpeeds ones, in rad/s or m/s.
func OfferedSpeed(i int) float64 { return Slowest * math.Pow(NextFaster, float64(2*i+1)) }

// leastShown is the least effect of a unit of Stribeck friction, root mean square over
// the rows, after all other columns have explained their part: below a twentieth the
// term is a multiple of noise. A joint that never creeps, or never turns faster than the
// velocity, is below it.
const leastShown = 0.05

// reversalSamples is the least number of samples that a reversal with the joint's mean acceleration spends on either
// side of zero below an offered velocity. A curve over fewer is the error of the sample at which the sign changes.
const reversalSamples = 4

// Resolved returns the index of the slowest offered velocity that the samples of a joint resolve, at least the given
// slowest. acceleration is the joint's mean acceleration in rad/s² or m/s², period the sampling period in s.
func Resolved(slowest int, acceleration, period float64) int {
	for slowest < OfferedSpeeds-1 && OfferedSpeed(slowest) < reversalSamples*acceleration*period {
		slowest++
	}
	return slowest
}

// BestSpeeds returns, for each joint, the index of the offered velocity with the smallest residual in the joint's own
// rows, -1 if the rows determine none.
func (f Columns) BestSpeeds(rows *estimate.Reduction, asymmetric bool) []int {
	out := make([]int, f.Joints)
	var work triangle.Work
	for k, mask := range rows.Masks() {
		whole := rows.Joint(k, &work)
		out[k] = -1
		first := len(mask) - len(f.Mask(k)) - OfferedSpeeds
		after := first // rows of the factor from which the columns are those behind the model's
		if !asymmetric {
			after--
		}
		most := 0.0
		for s := f.Resolved[k]; s < OfferedSpeeds; s++ {
			var cc, cz float64
			for i := after; i < whole.N; i++ {
				if !asymmetric && i == after {
					continue
				}
				c := whole.R[i*whole.N+first+s]
				cc, cz = cc+c*c, cz+c*whole.Z[i]
			}
			if cc < leastShown*leastShown*float64(whole.Rows) {
				continue
			}
			if gain := cz * cz / cc; out[k] < 0 || gain > most {
				out[k], most = s, gain
			}
		}
	}
	return out
}

// MostlySlowest reports whether the slowest offered velocity is the best one for half of the joints or more. Such a
// term acts only where the sign of the velocity is uncertain, and fits the errors of that sign.
func MostlySlowest(speeds []int) bool {
	slowest := 0
	for _, s := range speeds {
		if s == 0 {
			slowest++
		}
	}
	return 2*slowest >= len(speeds)
}
