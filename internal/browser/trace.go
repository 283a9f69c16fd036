package browser

import (
	"encoding/json"
	"slices"
	"testing"
)

// Trace runs act and returns the processor time of each task of the pages' own threads meanwhile, in ms, the longest first: a page answers its
// user between its tasks, and what other threads and programs take does not count.
func (b *Browser) Trace(t testing.TB, act func()) (tasks []float64) {
	t.Helper()
	events := make(chan message, 1<<12)
	b.lock.Lock()
	b.trace = events
	b.lock.Unlock()
	call := func(method string, params any) {
		if _, err := b.call("", method, params); err != nil {
			t.Fatal(err)
		}
	}
	call("Tracing.start", map[string]any{"transferMode": "ReportEvents", "traceConfig": map[string]any{"includedCategories": []string{"toplevel"}}})
	act()
	call("Tracing.end", nil)
	type thread struct{ process, id int }
	named, byThread := map[thread]bool{}, map[thread][]float64{}
	for m := range events {
		if m.Method == "Tracing.tracingComplete" {
			break
		}
		var part struct {
			Value []struct {
				Name string
				PID  int
				TID  int
				CPU  float64 `json:"tdur"` // µs
				Args struct{ Name string }
			}
		}
		if m.Method != "Tracing.dataCollected" || json.Unmarshal(m.Params, &part) != nil {
			continue
		}
		for _, e := range part.Value {
			switch at := (thread{e.PID, e.TID}); {
			case e.Name == "thread_name" && e.Args.Name == "CrRendererMain":
				named[at] = true
			case e.CPU > 0:
				byThread[at] = append(byThread[at], e.CPU/1000)
			}
		}
	}
	for at := range named {
		tasks = append(tasks, byThread[at]...)
	}
	slices.Sort(tasks)
	slices.Reverse(tasks)
	b.lock.Lock()
	b.trace = nil
	b.lock.Unlock()
	return tasks
}
