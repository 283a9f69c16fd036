package observation_test

import (
	"math"
	"strings"
	"testing"

	"ident/datasets"
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
