package trialfit_test

import (
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"ident/doctor/internal/trialfit"
	"ident/filter"
)

// TestMotionFitter: the motion at the centres is the same in whatever batches the rows come, and no centre is among those whose rows
// are damaged or interrupted.
func TestMotionFitter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(400, 9000).Draw(t, "rows")
		dt := rapid.SampledFrom([]float64{0.001, 0.005, 0.02}).Draw(t, "interval")
		at := make([]float64, rows)
		cols := [][]float64{make([]float64, rows), make([]float64, rows), make([]float64, rows)}
		gap := rapid.IntRange(0, rows-1).Draw(t, "gap")
		for k := range at {
			at[k] = float64(k) * dt
			if k > gap {
				at[k] += 500 * dt
			}
			for i := range cols {
				cols[i][k] = math.Sin(float64(i+1)*at[k] + float64(i))
			}
		}
		damaged := rapid.IntRange(0, rows-1).Draw(t, "damaged")
		cols[rapid.IntRange(0, 2).Draw(t, "column")][damaged] = rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), -1e13}).Draw(t, "value")
		var times filter.Times
		times.Append(at...)
		joints := []trialfit.MotionChannels{{Position: 0, Effort: 2, Bound: 10}, {Position: 1, Effort: -1, Bound: 10}, {Position: -1, Effort: -1, At: 3}}
		motion := func(batch func() int) *trialfit.LocalMotion {
			m := trialfit.NewMotionFitter(joints, &times, dt, rows)
			for first := 0; first < rows; {
				n := min(batch(), rows-first)
				var part [][]float64
				for _, c := range cols {
					part = append(part, append([]float64(nil), c[first:first+n]...))
				}
				m.Take(first, part)
				first += n
			}
			return m.Motion()
		}
		whole := motion(func() int { return rows })
		parts := motion(func() int { return rapid.IntRange(1, 4096).Draw(t, "batch") })
		if !reflect.DeepEqual(whole, parts) {
			t.Error("another motion in other batches")
		}
		reach := math.Max(0.04, 4*dt) + dt/2
		for k, at0 := range whole.T {
			if math.Abs(at0-at[damaged]) < reach-dt || math.Abs(whole.Q[0][k]-math.Sin(at0)) > 1e-3 || whole.Q[2][k] != 3 {
				t.Fatalf("centre at %g s, beside a damaged row at %g s: position %g", at0, at[damaged], whole.Q[0][k])
			}
			if gap+1 < rows && at0-at[gap] < reach-dt && at[gap+1]-at0 < reach-dt {
				t.Fatalf("centre at %g s beside the gap at %g s", at0, at[gap])
			}
		}
		if len(whole.T) == 0 {
			t.Error("no centre")
		}
	})
}
