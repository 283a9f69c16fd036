package trialfit_test

import (
	"math/rand/v2"
	"testing"
)

// The bound of a turned torque is none that the sum of squares passes, and is within the doubt of it.
func TestLeastTurned(t *testing.T) {
	for seed := range uint64(3) {
		_, st := threeJoints(t, rand.New(rand.NewPCG(seed, 6)), 1)
		size := 0.0
		for _, y := range st.Y {
			size += y * y
		}
		for k := range st.Joints {
			least, exact := st.LeastTurned(k), st.WithTurned(k)
			if !(least <= exact && exact-least < 2e-10*size) {
				t.Errorf("seed %d: bound %g of torque %d turned, %g is left, of %g", seed, least, k+1, exact, size)
			}
		}
	}
}
