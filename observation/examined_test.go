package observation

import (
	"fmt"
	"math"
	"testing"

	"ident/datasets"
	"ident/filter"
)

// What is known of a run spares reading it where all rows are samples of a uniform clock, and gives the same segments.
// Whatever else is known of it, or of another log, its rows are read.
func TestExamined(t *testing.T) {
	const n = 3000
	time, q, tau := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		time[i], q[i], tau[i] = 5+float64(i)*1e-3, math.Sin(float64(i)), -7*math.Cos(float64(i))
	}
	channels := []datasets.Channel{{Name: "t"}, {Name: "q"}, {Name: "tau"}}
	log := func() *datasets.Log { return datasets.FromColumns("a", channels, [][]float64{time, q, tau}, nil) }
	one := log()
	known := func() *Examined {
		return &Examined{Log: one, Clock: filter.AnalyseClock(time), Largest: map[string]float64{"q": 1, "tau": 7}}
	}
	for _, c := range []struct {
		name   string
		change func(*Run)
		spared bool
	}{
		{"uniform", func(*Run) {}, true},
		{"within bounds", func(r *Run) { r.Bounds = map[string]float64{"t": 8, "tau": 7} }, true},
		{"beyond a bound", func(r *Run) { r.Bounds = map[string]float64{"tau": 6.9} }, false},
		{"time beyond a bound", func(r *Run) { r.Bounds = map[string]float64{"t": 7} }, false},
		{"a channel with values that are none", func(r *Run) { delete(r.Examined.Largest, "q") }, false},
		{"another log", func(r *Run) { r.Log = log() }, false},
		{"a payload's channel", func(r *Run) { r.Payload.Channel = "q" }, false},
		{"a clock that is not uniform", func(r *Run) { r.Examined.Clock.Uniform = false }, false},
		{"nothing known", func(r *Run) { r.Examined = nil }, false},
	} {
		run := Run{Name: "a", Last: n, Log: one, Roles: datasets.Roles{T: "t", Q: []string{"q"}, Tau: []string{"tau"}}, Examined: known()}
		c.change(&run)
		if spared := run.examined([]string{"t", "q", "tau"}) != nil; spared != c.spared {
			t.Errorf("%s: spared %v", c.name, spared)
		}
		if !c.spared {
			continue
		}
		got, bad, err := Segments(3, &run, []string{"t", "q", "tau"}, false)
		if err != nil {
			t.Fatal(err)
		}
		run.Examined = nil
		want, badToo, err := Segments(3, &run, []string{"t", "q", "tau"}, false)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) || bad != badToo {
			t.Errorf("%s: segments %+v, want %+v", c.name, got, want)
		}
	}
}
