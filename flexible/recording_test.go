package flexible_test

import (
	"math"
	"strings"
	"testing"

	"ident/flexible"
)

// A recording holds what the joint and the tip do, the tip by the arm's transforms, and the strain of a beam whose bending v = a·(x/l)²
// has the curvature 2·a/l² everywhere.
func TestRecording(t *testing.T) {
	const length, y = 3.0, 0.025
	beam := bending(length, flexible.Power(2))
	arm, err := turning(beam)
	if err != nil {
		t.Fatal(err)
	}
	run := flexible.Run{Z: []float64{0.3, 0.2}, DZ: []float64{1, 0}, Rate: 100, Rows: 50}
	got, err := arm.Record(t.Context(), run, []flexible.Gauge{{Name: "root", ByMode: beam.Strain(0.1, y, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	if names, want := strings.Join(got.Names, " "), "t q1 dq1 tau1 tip1_y tip1_z root"; names != want || strings.Join(got.Units, " ") != "s rad rad/s N.m m m " {
		t.Fatalf("columns %q in %q, want %q", names, got.Units, want)
	}
	w, i, largest := arm.NewWork(), 0, 0.0
	err = arm.Simulate(t.Context(), run, func(r flexible.Row) error {
		tip := w.Tip(0, r.Z)
		sin, cos := math.Sincos(r.Z[0])
		for c, want := range []float64{r.Time, r.Z[0], r.DZ[0], 0, cos*tip[1] - sin*tip[0], tip[2], -y * 2 * r.Z[1] / (length * length)} {
			if math.Abs(got.Columns[c][i]-want) > 1e-12 { // values up to 3, rounded a few dozen times
				t.Errorf("%s in row %d is %g, want %g", got.Names[c], i, got.Columns[c][i], want)
			}
		}
		largest = max(largest, math.Abs(got.Columns[6][i]))
		i++
		return nil
	})
	if err != nil || i != len(got.Columns[0]) || largest < 1e-4 {
		t.Errorf("%d rows of %d, strain up to %g, %v", i, len(got.Columns[0]), largest, err)
	}
	if got.Beyond != "" {
		t.Error(got.Beyond)
	}
	run.Z[1] = 1
	if got, err = arm.Record(t.Context(), run, nil); err != nil || !strings.Contains(got.Beyond, "the tip of link link 1 turns by 0.67 rad at 0 s") {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := arm.Record(t.Context(), run, []flexible.Gauge{{Name: "far", Link: 1}}); err == nil {
		t.Error("a gauge on a link that the arm lacks is taken")
	}
}
