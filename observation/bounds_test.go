package observation

import (
	"math"
	"strings"
	"testing"

	"ident/datasets"
)

// segmentsOf is one run of one segment of n samples at 200 Hz.
func segmentsOf(n int) []Segment { return []Segment{{N: n, DT: 0.005}} }

func TestSettingsFitTheRecording(t *testing.T) {
	const n = 4801 // 24 s
	good := Settings{Model: Dynamic, Path: Path{Cutoff: 10, MotionCutoff: 50, Order: 2, Trim: 0.5, Differentiator: Central}}
	if err := good.Fits(segmentsOf(n)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(*Settings, float64)
		values []float64
	}{
		{"cutoff", func(s *Settings, v float64) { s.Cutoff = v }, []float64{1e-300, 1e-12, 1e-6, 1e-5, 0.04, math.NaN()}},
		{"motion-cutoff", func(s *Settings, v float64) { s.MotionCutoff = v }, []float64{1e-300, 1e-12, 1e-6, 1e-5, 0.04, math.NaN()}},
		{"trim", func(s *Settings, v float64) { s.Trim = v }, []float64{12, 1e6, 1e17, 1e300, math.Inf(1), math.NaN()}},
		{"window", func(s *Settings, v float64) { s.Window = v }, []float64{24.1, 1e6, 1e17, 1e300, math.Inf(1), math.NaN()}},
		{"decimate", func(s *Settings, v float64) { s.Decimate = int(v) }, []float64{265, 1e6, 1e17}},
	} {
		for _, v := range c.values {
			s := good
			c.change(&s, v)
			if err := s.Fits(segmentsOf(n), segmentsOf(100)); err == nil || !strings.Contains(err.Error(), c.name) {
				t.Errorf("%s %g: error %v; it must name the setting", c.name, v, err)
			}
			// The stages must not allocate by it either, nor overflow: what the recording did not refuse is refused here.
			if f, err := NewFilters(s, 0.005); err == nil {
				begin, end := f.ends(&Segment{N: n})
				if begin < 0 || f.Overlap() < 0 || f.Overlap() > 3*maxReach || end > n {
					t.Errorf("%s %g: rows from %d to %d, overlap %d", c.name, v, begin, end, f.Overlap())
				}
			}
		}
	}
}

// clocked is a run of one joint at zero with the given times.
func clocked(t []float64) Run {
	zero := make([]float64, len(t))
	log := datasets.FromColumns("log", []datasets.Channel{{Name: "t"}, {Name: "q"}}, [][]float64{t, zero}, nil)
	return Run{Name: "log", Log: log, Roles: datasets.Roles{T: "t", Q: []string{"q"}}, Last: len(t)}
}

func TestClocksThatNoRecorderHas(t *testing.T) {
	times := func(n int, at func(i int) float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = at(i)
		}
		return out
	}
	for name, at := range map[string]func(i int) float64{
		"tiny":     func(i int) float64 { return float64(i) * 1e-303 },
		"denormal": func(i int) float64 { return float64(i) * 5e-324 },
		"huge":     func(i int) float64 { return float64(i) * 1e290 },
		"beyond":   func(i int) float64 { return float64(i-50) * 3.5e306 },
		"bursts":   func(i int) float64 { return float64(i/4)*0.09 + float64(i%4)*1e-8 },
	} {
		run := clocked(times(100, at))
		if _, _, err := Segments(0, &run, []string{"t", "q"}, false); err == nil {
			t.Errorf("%s: the clock is taken", name)
		}
	}
	run := clocked(times(100, func(i int) float64 { return float64(i) * 1e-3 }))
	if _, _, err := Segments(0, &run, []string{"t", "q"}, false); err != nil {
		t.Error(err)
	}
}
