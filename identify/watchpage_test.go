package identify

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"ident/report"
	"ident/report/scene"
	"ident/watch"
)

// A page keeps the first and the latest thousand events, counts all, and puts the end of a fault in the place of its begin.
func TestWatchPageIsBounded(t *testing.T) {
	var p WatchPage
	row := watch.Row{Observer: []float64{math.NaN()}}
	for k := range 5000 {
		at := float64(k)
		row.T, row.Events = at, []watch.Event{{Type: watch.Sensor, T: at, Text: fmt.Sprint("begin ", k)}}
		p.Add(nil, &row)
		row.Events = []watch.Event{{Type: watch.Sensor, T: at + 1, Since: at, Rows: 7, Over: true, Text: fmt.Sprint("end ", k)}}
		p.Add(nil, &row)
	}
	list, more := p.listed()
	if len(list) != 2*halfEvents || more != 3000 || p.counts[watch.Sensor] != 5000 || cap(p.events)+cap(p.later) > 6*halfEvents {
		t.Errorf("%d events, %d more, %d counted", len(list), more, p.counts[watch.Sensor])
	}
	for i, k := range map[int]int{0: 0, halfEvents - 1: 999, halfEvents: 4000, 2*halfEvents - 1: 4999} {
		if e := list[i]; e.Text != fmt.Sprint("end ", k) || e.T != float64(k) || e.Rows != 7 {
			t.Errorf("event %d is %+v, want the end of fault %d at its begin", i, e, k)
		}
	}
}

// Events are marks of their joints from begin to end: a contact until its end or the payload that it was, a payload until it is put down, a fault of a
// sensor until its last row.
func TestMarksOfEvents(t *testing.T) {
	mass, none := 2.0, 0.0
	marks := marksOf([]watch.Event{
		{Type: watch.Collision, T: 1, Joint: "b"},
		{Type: watch.End, T: 2, Since: 1},
		{Type: watch.Contact, T: 3, Joint: "a"},
		{Type: watch.Payload, T: 4, Since: 3, Mass: &mass},
		{Type: watch.Sensor, T: 5, Since: 5, Until: 5.5, Joint: "a", Over: true},
		{Type: watch.Collision, T: 6, Joint: "b"},
		{Type: watch.Payload, T: 7, Since: 6, Mass: &none},
		{Type: watch.Contact, T: 8, Joint: "b"},
		{Type: watch.Contact, T: 20, Joint: "b"},
	}, 0, 10, []string{"a", "b"}, true)
	want := []report.CurveMark{{Row: 1, From: 1, To: 2, Severity: "warning"}, {Row: 0, From: 3, To: 3, Severity: "warning"}, {Row: 2, From: 3, To: 6, Severity: "warning"},
		{Row: 0, From: 5, To: 5.5, Severity: "error"}, {Row: 1, From: 6, To: 6, Severity: "warning"}, {Row: 1, From: 8, To: 8, Severity: "warning"}}
	if !slices.Equal(marks, want) {
		t.Errorf("marks\n%+v, want\n%+v", marks, want)
	}
}

// The poses of events are frames of the motion, whatever the length of the log, and no other is within a frame's time of them. A clock that goes back
// begins another run.
func TestWatchPageHasPosesOfEvents(t *testing.T) {
	p := WatchPage{}
	for k := range 2 * mostPieces {
		at := float64(k) * 2
		if k >= 3000 {
			at -= 6000
		}
		p.pieces = append(p.pieces, watchPiece{watchPose: watchPose{at, []float64{0.1}}, until: at + 2})
	}
	p.poses = []watchPose{{100.05, []float64{0.7}}, {100.06, []float64{0.8}}, {5000, []float64{0.9}}}
	runs := p.runs()
	motions := p.motions(runs, 1)
	if len(motions) != 2 {
		t.Fatalf("%d motions of %d runs", len(motions), len(runs))
	}
	frame := scene.FrameSeconds(8000, 1)
	for i, want := range []map[float64]float64{{100.05: 0.7, 5000: 0.9}, {100.05: 0.7}} {
		m := motions[i]
		for k, at := range m.T {
			if k > 0 && at < m.T[k-1]+frame {
				t.Errorf("motion %d: frames at %g and %g s", i, m.T[k-1], at)
			}
			if q, is := want[at]; is != (m.Q[0][k] != 0.1) || is && q != m.Q[0][k] {
				t.Errorf("motion %d stands at %g at %g s", i, m.Q[0][k], at)
			}
			delete(want, at)
		}
		if len(want) > 0 {
			t.Errorf("motion %d has no frame at %v", i, want)
		}
	}
}
