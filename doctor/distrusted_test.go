package doctor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/doctor"
)

// A torque that a limit clips is told as saturated, and not as one of another scale.
func TestClippedIsNoScale(t *testing.T) {
	told := 0
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 41))
		e := run(sixAxis(rng), rng, 100, 16).measure(rng, 0, 1e-4, 0.01)
		limit := 0.0
		for _, v := range e.tau[2] {
			limit = max(limit, 0.6*math.Abs(v))
		}
		for k, v := range e.tau[2] {
			e.tau[2][k] = min(max(v, -limit), limit)
		}
		for _, f := range e.findings(t) {
			switch {
			case f.Severity == doctor.Info:
			case f.ID == doctor.Saturated:
				told++
			case f.ID == doctor.GearRatio || f.ID == doctor.Asymmetry:
				t.Errorf("%d: %s", seed, show(f))
			}
		}
	}
	if told < 8 {
		t.Errorf("%d of 8 logs are told as saturated", told)
	}
}
