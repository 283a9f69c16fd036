package observation

import (
	"math"
	"testing"

	"ident/datasets"
)

// Channels of a segment leave out the rows that its clock left out, and have a sample for each of them.
func TestColumnsOfASegment(t *testing.T) {
	const rows, rate, lost = 300, 100.0, 120
	times, x := make([]float64, rows), make([]float64, rows)
	for i := range rows {
		times[i] = float64(i) / rate
		x[i] = 1 + times[i]*(2-3*times[i])
	}
	x[lost] = math.NaN()
	run := Run{Log: datasets.FromColumns("log", []datasets.Channel{{Name: "t"}, {Name: "q"}}, [][]float64{times, x}, nil), Last: rows, Roles: datasets.Roles{T: "t", Q: []string{"q"}}}
	segments, dropped, err := Segments(0, &run, []string{"t", "q"}, true)
	if err != nil || len(segments) != 1 || dropped != 1 {
		t.Fatalf("%d segments, %d rows dropped: %v", len(segments), dropped, err)
	}
	got, err := segments[0].Columns(run.Log, "q")
	if err != nil || len(got[0]) != rows {
		t.Fatalf("%d samples: %v", len(got[0]), err)
	}
	for i, v := range got[0] { // a parabola is its own cubic
		at := float64(i) / rate
		if want := 1 + at*(2-3*at); !(math.Abs(v-want) < 1e-12) {
			t.Fatalf("sample %d is %g, want %g", i, v, want)
		}
	}
}
