package causes_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"ident/doctor/causes"
)

// What is missing under an even clock is told with its length, to a twentieth where joints turn by up to a radian of their fastest wave meanwhile. A
// gap that the clock has is none, however long.
func TestMissingTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const rows = 4000
		dt := rapid.Float64Range(0.002, 0.008).Draw(t, "dt")
		missing := rapid.Float64Range(0.25, 0.5).Draw(t, "missing")
		joints := rapid.IntRange(2, 6).Draw(t, "joints")
		at := rapid.IntRange(500, 3500).Draw(t, "at")
		given := rapid.Bool().Draw(t, "the clock has the gap")
		if given {
			missing *= math.Pow(10, rapid.Float64Range(1, 5).Draw(t, "longer"))
		}
		raw := causes.Raw{T: make([]float64, rows)}
		place := func(k int) float64 {
			s := float64(k) * dt
			if k >= at {
				s += missing
			}
			return s
		}
		for k := range rows {
			raw.T[k] = float64(k) * dt
			if given {
				raw.T[k] = place(k)
			}
		}
		for range joints {
			a, w, p := rapid.Float64Range(0.2, 1).Draw(t, "size"), rapid.Float64Range(0.5, 2).Draw(t, "turn"), rapid.Float64Range(0, 6).Draw(t, "phase")
			q := make([]float64, rows)
			for k := range q {
				q[k] = a * math.Sin(w*place(k)+p)
			}
			raw.Q, raw.Revolute = append(raw.Q, q), append(raw.Revolute, true)
		}
		out := causes.Raws(raw)
		if given {
			if len(out) > 0 {
				t.Errorf("a gap of %g s that the clock has: %v", missing, out)
			}
			return
		}
		if len(out) == 1 && out[0].Kind == causes.TimeJump && math.Abs(out[0].Value/missing-1) > 0.05 {
			t.Errorf("%.4g s are missing, and %.4g are told", missing, out[0].Value)
		}
	})
}
