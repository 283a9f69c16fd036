package identify

import (
	"fmt"
	"math"
	"testing"

	"ident/watch"
)

// A page keeps the first and the latest thousand events, counts all, and puts the end of a fault in the place of its begin.
func TestWatchPageIsBounded(t *testing.T) {
	var p WatchPage
	row := watch.Row{Observer: []float64{math.NaN()}}
	for k := range 5000 {
		at := float64(k)
		row.T, row.Events = at, []watch.Event{{Type: watch.Sensor, T: at, Text: fmt.Sprint("begin ", k)}}
		p.Add(&row)
		row.Events = []watch.Event{{Type: watch.Sensor, T: at + 1, Since: at, Rows: 7, Over: true, Text: fmt.Sprint("end ", k)}}
		p.Add(&row)
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
