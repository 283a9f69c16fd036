package causes_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/doctor/causes"
)

// A channel that rests between motions is not held, however long and however evenly it rests; one that a slower source gives is, and for as long
// as that source's interval.
func TestRestIsNotHeld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const rows, dt = 3000, 0.02
		rest, moving := rapid.IntRange(60, 250).Draw(t, "rest"), rapid.IntRange(10, 40).Draw(t, "moving")
		every := rapid.IntRange(4, 20).Draw(t, "every")
		speed := rapid.Float64Range(0.2, 2).Draw(t, "speed")
		stands, held, at := make([]float64, rows), make([]float64, rows), make([]float64, rows)
		for k := range rows {
			at[k] = dt * float64(k)
			if phase := k % (rest + moving); phase < moving {
				stands[k] = math.Round(1000*speed*math.Sin(2*math.Pi*float64(phase)/float64(moving))) / 1000
			}
			held[k] = speed * math.Sin(0.9*at[k-k%every])
		}
		of := func(q []float64) float64 {
			out := causes.Raws(causes.Raw{T: at, Q: [][]float64{q}, DQ: [][]float64{nil}, Effort: [][]float64{nil}, Revolute: []bool{true}})
			if i := slices.IndexFunc(out, func(c causes.Cause) bool { return c.Kind == causes.Held }); i >= 0 {
				return out[i].Value
			}
			return 0
		}
		if s := of(stands); s != 0 {
			t.Errorf("at rest: held for %g s", s)
		}
		if s := of(held); math.Abs(s-dt*float64(every)) > 1e-9 {
			t.Errorf("held for %g s, want %g", s, dt*float64(every))
		}
	})
}

// A step of one of two joints is no missing stretch: the other joint would step as well.
func TestSlipIsNoTimeJump(t *testing.T) {
	const rows, dt = 4000, 0.002
	raw := causes.Raw{T: make([]float64, rows), Q: [][]float64{make([]float64, rows), make([]float64, rows)}, Revolute: []bool{true, true}}
	missing := causes.Raw{T: raw.T, Q: [][]float64{make([]float64, rows), make([]float64, rows)}, Revolute: raw.Revolute}
	for k := range rows {
		s := float64(k) * dt
		raw.T[k] = s
		at := func(s float64) [2]float64 { return [2]float64{0.8 * math.Sin(1.3*s), 0.6 * math.Cos(2.1*s)} }
		now, later := at(s), at(s)
		if k >= 2100 {
			now[0] += 0.15
			later = at(s + 0.4)
		}
		for j := range now {
			raw.Q[j][k], missing.Q[j][k] = now[j], later[j]
		}
	}
	of := func(r *causes.Raw) (kinds []string) {
		for _, c := range causes.Raws(*r) {
			kinds = append(kinds, c.Kind)
		}
		return kinds
	}
	if got := of(&raw); len(got) > 0 {
		t.Errorf("a joint that slips: %v", got)
	}
	if got := of(&missing); !slices.Equal(got, []string{causes.TimeJump}) {
		t.Errorf("a missing stretch: %v", got)
	}
}
