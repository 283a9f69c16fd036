package observation

import (
	"fmt"
	"math"
	"slices"
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

// Fingerprints that were taken as another read the rows are those of the run, and where anything differs they are read.
func TestTakenFingerprints(t *testing.T) {
	const n = 30_000 // more than are kept of a run
	cols := make([][]float64, 4)
	for c := range cols {
		for i := range n {
			cols[c] = append(cols[c], math.Sin(float64((c+1)*i)))
		}
	}
	names := []string{"tau", "q", "i", "t"}
	channels := make([]datasets.Channel, len(names))
	for i, name := range names {
		channels[i].Name = name
	}
	log := datasets.FromColumns("a", channels, cols, nil)
	roles := datasets.Roles{T: "t", Q: []string{"q"}, Tau: []string{"tau"}, Current: []string{"i"}}
	for _, c := range []struct {
		name   string
		gains  []float64
		change func(runs []Run)
		rows   int
		spared bool
	}{
		{"torques", nil, func([]Run) {}, n, true},
		{"currents", []float64{3}, func([]Run) {}, n, true},
		{"other gains", []float64{3}, func(r []Run) { r[0].Gains = []float64{4} }, n, false},
		{"currents instead of torques", nil, func(r []Run) { r[0].Gains = []float64{4} }, n, false},
		{"another log", nil, func(r []Run) { r[0].Log = log.Slice(1, n) }, n, false},
		{"a part of the rows", nil, func([]Run) {}, n - 1, false},
		{"a longer run beside it", nil, func(r []Run) {
			r[1].Log = datasets.FromColumns("b", channels, [][]float64{append(cols[0], 1), append(cols[1], 1), append(cols[2], 1), append(cols[3], 1)}, nil)
		}, n, false},
	} {
		runs := []Run{{Name: "a", Last: n, Log: log, Roles: roles, State: State{Gains: c.gains}}, {Name: "b", Last: n / 2, Log: log.Slice(0, n/2), Roles: roles, State: State{Gains: c.gains}}}
		Expect(runs)
		for at := 0; at < c.rows; at += 777 {
			part := make([][]float64, len(cols))
			for k := range cols {
				part[k] = cols[k][at:min(at+777, c.rows)]
			}
			runs[0].Examined.Take(names, part)
		}
		runs[0].Examined = runs[0].Examined.With(&Examined{Log: log})
		taken := runs[0].Examined.prints.sample
		c.change(runs)
		bound := printsBound(runs)
		got, err := runs[0].fingerprints(t.Context(), bound)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Fingerprints(t.Context(), &runs[0], bound)
		if err != nil || len(want) < 10_000 || !slices.Equal(got, want) {
			t.Errorf("%s: %d fingerprints, want %d, %v", c.name, len(got), len(want), err)
		}
		if spared := len(got) > 0 && len(taken.Kept()) > 0 && &got[0] == &taken.Kept()[0]; spared != c.spared {
			t.Errorf("%s: spared %v", c.name, spared)
		}
	}
	var none *Examined
	none.Take(names, cols)
	some := &Examined{prints: newPrints(&Run{Roles: datasets.Roles{Q: []string{"elsewhere"}}}, 1)}
	if some.Take(names, cols); some.prints != nil {
		t.Error("fingerprints without a channel")
	}
}
