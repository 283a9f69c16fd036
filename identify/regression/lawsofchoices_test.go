package regression

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/observation"
	"ident/regressor"
	"ident/result"
)

// Law 3b of choices: what a fit chooses by itself (rows at rest, terms, feasible bodies) predicts runs that no choice has seen not worse than
// the fit without choices, over all logs by more than one standard error beside the part that is not relevant; and no log much worse.
func TestChoicesAreNeverWorseOnRunsLeftOut(t *testing.T) {
	outer := t
	var ratios []float64 // ln of the squares on unseen runs with choices over those without
	other := 0
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64Range(1, 1<<20).Draw(t, "seed")
		joints := rapid.IntRange(1, 3).Draw(t, "joints")
		noise := rapid.SampledFrom([]float64{0, 2, 10}).Draw(t, "noise of the torques")
		r := randomArm(rand.New(rand.NewPCG(seed, 13)), joints)
		noisy := func(k uint64, name string, seconds float64) Run {
			rng := rand.New(rand.NewPCG(seed, 20+k))
			rec := simulate(outer, r, newTrajectory(joints, seed+k<<24, 0.2), steady(100, seconds)).noisy(seed+k<<24, motionErrors{position: 1e-5, velocity: 1e-4})
			for _, tau := range rec.tau {
				for i := range tau {
					tau[i] += noise * rng.NormFloat64()
				}
			}
			return rec.run(name)
		}
		train := []Run{noisy(1, "a", 3), noisy(2, "b", 3)}
		unseen := []Run{noisy(3, "c", 5), noisy(4, "d", 5), noisy(5, "e", 5)}
		of := func(plain bool) *Outcome {
			out, err := Fit(outer.Context(), r, regressor.DefaultTerms(), train, unseen, Config{Path: observation.Path{Velocity: "measured", MotionCutoff: 30}, Plain: plain, Choices: Choices{Consistent: !plain, Terms: !plain}})
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		with, without := of(false), of(true)
		squares := func(o *Outcome) (sum float64) {
			for k, e := range o.Result.Validation.RMSE {
				sum += e * e / (without.Solution.Sigma[k] * without.Solution.Sigma[k])
			}
			return sum
		}
		ratio := math.Log(squares(with) / squares(without))
		if slices.ContainsFunc(with.Result.Selection, func(d result.Decision) bool { return len(d.Candidates) > 1 }) {
			other++
		}
		if ratios = append(ratios, ratio); ratio > math.Log(1.5) {
			t.Fatalf("with its choices a fit has %.3g times the squares on unseen runs: %+v", math.Exp(ratio), with.Result.Selection)
		}
	})
	n, mean, square := float64(len(ratios)), 0.0, 0.0
	for _, x := range ratios {
		mean += x / n
	}
	for _, x := range ratios {
		square += (x - mean) * (x - mean)
	}
	deviation := math.Sqrt(square / max(1, n-1) / n)
	t.Logf("%g logs, %d with candidates judged: ln of the ratio of squares on unseen runs %.4f ± %.4f", n, other, mean, deviation)
	if mean > deviation+math.Log(1+relevantPart) { // below it, a choice takes the simpler model
		t.Errorf("choices make unseen runs worse: ln of the ratio of squares is %.4f ± %.4f", mean, deviation)
	}
}
