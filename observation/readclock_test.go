package observation_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/datasets"
	"ident/filter"
	"ident/observation"
)

// A log whose stamps come in ticks is read on its steady clock if its positions move within the ticks; if they are held within them, its rows
// hold each sample several times, and stay as they are.
func TestReadClockOfTicks(t *testing.T) {
	for _, held := range []bool{false, true} {
		cols := make([][]float64, 3)
		for k := range 3000 {
			at := 0.004 * float64(k)
			stamp := math.Floor(at*64) / 64
			moved := at
			if held {
				moved = stamp
			}
			cols[0], cols[1], cols[2] = append(cols[0], stamp), append(cols[1], math.Sin(moved)), append(cols[2], 0.5)
		}
		l := datasets.FromColumns("log", []datasets.Channel{{Name: "t"}, {Name: "q1"}, {Name: "q2"}}, cols, nil)
		read, err := observation.ReadClock(l.Slice(500, 3000), datasets.Roles{T: "t", Q: []string{"q1", "q2", ""}})
		if err != nil {
			t.Fatal(err)
		}
		times, err := read.Column("t")
		if err != nil {
			t.Fatal(err)
		}
		interval := (times[2400] - times[100]) / 2300
		if steady := math.Abs(times[1001]-times[1000]-0.004) < 1e-5 && math.Abs(interval-0.004) < 1e-5; steady == held || held == (len(read.Notes()) > 0) {
			t.Errorf("held %v: rows 1000 and 1001 at %g and %g, %v", held, times[1000], times[1001], read.Notes())
		}
		if n := read.Notes(); !held && !strings.Contains(n[0].Text, "15.62 ms") {
			t.Error(n)
		}
		if part, err := read.Slice(1000, 1002).Column("t"); err != nil || part[1] != times[1001] {
			t.Errorf("rows of a part are at %v, not %g: %v", part, times[1001], err)
		}
	}
}

// Rows at 1 kHz with late stamps in whole milliseconds share some times. They are read on their steady clock. Rows that were written twice do
// not move between their equal times, and stay as they are.
func TestReadClockOfSharedTimes(t *testing.T) {
	for _, twice := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(3, 0))
		cols := make([][]float64, 2)
		for k := range 5000 {
			at := 0.001 * float64(k)
			stamp := math.Round(1e3*(at+0.0002*rng.NormFloat64())) / 1e3
			if twice {
				stamp = at
			}
			cols[0], cols[1] = append(cols[0], stamp), append(cols[1], math.Sin(3*at))
			if twice && k%100 == 50 {
				cols[0], cols[1] = append(cols[0], stamp), append(cols[1], math.Sin(3*at))
			}
		}
		l := datasets.FromColumns("log", []datasets.Channel{{Name: "t"}, {Name: "q1"}}, cols, nil)
		read, err := observation.ReadClock(l, datasets.Roles{T: "t", Q: []string{"q1"}})
		if err != nil {
			t.Fatal(err)
		}
		times, err := read.Column("t")
		if err != nil {
			t.Fatal(err)
		}
		shared := filter.AnalyseClock(times).Repeated
		if twice {
			if len(shared) != 50 || len(read.Notes()) > 0 {
				t.Errorf("rows written twice: %d are left of 50, %v", len(shared), read.Notes())
			}
			continue
		}
		worst := 0.0
		for k, x := range times {
			worst = max(worst, math.Abs(x-0.001*float64(k)))
		}
		if len(shared) > 0 || worst > 2e-5 || len(read.Notes()) != 1 {
			t.Errorf("%d rows share a time, the worst is off by %g s, %v", len(shared), worst, read.Notes())
		}
	}
}
