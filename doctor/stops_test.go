package doctor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/doctor"
)

// Counted velocities repeat where joints stop for a few rows between moves and where they turn back: no frame was lost there. Frames that are
// lost from the same velocity while it goes on are told.
func TestStopsAreNoLostFrames(t *testing.T) {
	t.Parallel()
	const rate, step = 125.0, 2 * math.Pi / (1 << 19)
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 41))
		e := run(planar(rng), rng, rate, 24)
		for j := range e.q {
			at, when := 0.0, 0.4
			x := make([]float64, len(e.t))
			for when < 22 {
				to, span := rng.NormFloat64(), 0.7+0.6*rng.Float64()
				for k, now := range e.t {
					u := min(max((now-when)/span, 0), 1)
					x[k] += (to - at) * u * u * (3 - 2*u)
				}
				at, when = to, when+span+0.04+0.1*rng.Float64()
			}
			for k := range x {
				x[k] = math.Round(x[k]/step) * step
			}
			for k := range x { // a driver's differences, behind a short mean
				q := func(i int) float64 { return x[min(max(k+i, 0), len(x)-1)] }
				e.q[j][k], e.dq[j][k] = q(0), (q(2)+2*q(1)-2*q(-1)-q(-2))*rate/8
			}
		}
		lost := func() bool {
			return slices.ContainsFunc(e.findings(t), func(f doctor.Finding) bool {
				return f.ID == doctor.Dropout && strings.HasPrefix(f.Channel, "dq")
			})
		}
		if lost() {
			t.Errorf("seed %d: stops are told as lost frames", seed)
		}
		hold(rng, 0.02, len(e.t), e.dq[1])
		if !lost() {
			t.Errorf("seed %d: lost frames of a velocity are not told", seed)
		}
	}
}
