package doctor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/doctor"
)

// A first torque away from the others is a bit error, and is none where Coulomb friction of the joint, which reverses
// between two rows, makes such steps elsewhere: at the start from rest its sign is any.
func TestFirstTorque(t *testing.T) {
	for _, c := range []struct {
		name     string
		friction float64 // N·m, of joint 2
		told     bool
	}{{"a lone value", 0, true}, {"friction of either sign", 200, false}} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, 3))
			r := planar(rng)
			e := run(r, rng, 250, 16).measure(rng, 1e-6, 1e-3, 0.01)
			reversals, sign := 0, 1.0
			for k, v := range e.dq[1] {
				if v*sign < -0.01 { // beyond the noise of the velocity
					sign = -sign
					reversals++
				}
				e.tau[1][k] += sign * c.friction
			}
			if reversals < 3 {
				t.Fatalf("%d reversals", reversals)
			}
			e.tau[1][0] += math.Copysign(400, -e.tau[1][0]) // twice the friction
			told := slices.ContainsFunc(e.findings(t), func(f doctor.Finding) bool { return f.ID == doctor.Spike && f.Channel == "tau2" && f.Value > 300 })
			if told != c.told {
				t.Errorf("told: %v", told)
			}
		})
	}
}
