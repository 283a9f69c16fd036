package observation

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/datasets"
)

// A steady clock is one whatever its stamps are rounded to: in seconds, since 1970 in float64, in a recording whose
// nanoseconds were made of these. None is resampled, and no grid runs away from the rows.
func TestStampsOfASteadyClock(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const rows = 6001
	for _, rate := range []float64{50, 100, 125, 200, 333, 500, 1000} {
		for _, c := range []struct {
			name    string
			stamp   func(t float64) float64
			uniform bool
		}{
			{"seconds", func(t float64) float64 { return t }, true},
			{"since 1970", func(t float64) float64 { return 1763000000 + t }, true},
			{"since 1970, in nanoseconds, from the start on", func(t float64) float64 { return math.Round((1763000000+t-1763000000)*1e9) * 1e-9 }, true},
			{"late by up to 2 % of an interval", func(t float64) float64 { return t + 0.02/rate*rng.Float64() }, false},
		} {
			times := make([]float64, rows)
			for i := range times {
				times[i] = c.stamp(float64(i) / rate)
			}
			run := Run{Log: datasets.FromColumns("log", []datasets.Channel{{Name: "t"}}, [][]float64{times}, nil), Last: rows, Roles: datasets.Roles{T: "t"}}
			segments, _, err := Segments(0, &run, []string{"t"}, false)
			if err != nil || len(segments) != 1 {
				t.Fatalf("%s at %g Hz: %v, %d segments", c.name, rate, err, len(segments))
			}
			s := segments[0]
			if away := math.Abs(s.DT*rate-1) * rows; s.Uniform != c.uniform || !(away < 0.05) {
				t.Errorf("%s at %g Hz: uniform %v, the grid runs away by %.2g intervals", c.name, rate, s.Uniform, away)
			}
		}
	}
}
