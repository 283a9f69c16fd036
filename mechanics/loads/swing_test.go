package loads

import (
	"math"
	"testing"

	"ident/internal/spatial"
)

// A deflection that jumps swings to twice the jump, one that rises in a time τ to 1 + |sin(ωτ/2)|/(ωτ/2) of it, whatever the samples.
func TestSwing(t *testing.T) {
	const omega, rise = 30.0, 0.13
	for _, step := range []float64{0.01, 0.0013} {
		for _, c := range []struct{ rise, want float64 }{{step, 1 + math.Abs(math.Sin(omega*step/2))/(omega*step/2)}, {rise, 1 + math.Abs(math.Sin(omega*rise/2))/(omega*rise/2)}} {
			s := swing{omega: omega}
			most := 0.0
			for k := range 3000 {
				at := step * float64(k)
				most = math.Max(most, s.take(at, spatial.Vec{0, math.Min(1, at/c.rise), 0})[1])
			}
			// The peak is within half a step of a sample: a part of (ω·step)²/8 less.
			if most > c.want+1e-9 || most < c.want-omega*omega*step*step/8-1e-9 && c.rise != rise || math.Abs(most-c.want) > 0.02 {
				t.Errorf("a rise in %g s, step %g: %.6f, want %.6f", c.rise, step, most, c.want)
			}
		}
	}
}
