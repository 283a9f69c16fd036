package doctor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
)

// A velocity with an offset is told so, with its size, and not as one that is late.
func TestVelocityOffset(t *testing.T) {
	for seed := range uint64(draws.Of(60, 6)) {
		rng := rand.New(rand.NewPCG(seed, 60))
		e := randomLog(rng)
		j := rng.IntN(len(e.q))
		by := norm(e.dq[j]) * (0.4 + rng.Float64()) * float64(1-2*rng.IntN(2))
		plus(e.dq[j], by)
		found := e.findings(t)
		its := slices.IndexFunc(found, func(f doctor.Finding) bool { return f.ID == doctor.Offset && math.Abs(f.Value/by-1) < 0.05 })
		if its < 0 || slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.ID == doctor.LagVelocity }) {
			t.Errorf("%d: joint %d, %.3g: %v", seed, j+1, by, gravest(found))
			continue
		}
		if after := e.mended(t, found); after != nil && math.Abs(mean(after.dq[j])-mean(e.dq[j])+by) > 0.05*math.Abs(by) {
			t.Errorf("%d: the repair moves the velocity by %.3g, not by %.3g", seed, mean(after.dq[j])-mean(e.dq[j]), -by)
		}
	}
}

func mean(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}
