package excite

import (
	"math"
	"sync"
)

// tally counts a design's evaluations, keeps the best merit of all goroutines and
// reports progress.
type tally struct {
	report func(Progress) // may be nil
	margin float64

	mu          sync.Mutex
	evaluations int
	best        merit
}

func newTally(p *Problem) *tally {
	return &tally{report: p.Progress, margin: p.Margin, best: merit{math.Inf(1), Excess{Relative: math.Inf(1)}}}
}

// stage returns a function to call after each of the local searches of a stage,
// with its candidate, which may be nil, and its evaluations.
func (t *tally) stage(name string, total int) func(c *candidate, evaluations int) {
	done := 0
	return func(c *candidate, evaluations int) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if c != nil && c.better(&t.best) {
			t.best = c.merit
		}
		done++
		t.evaluations += evaluations
		if t.report == nil {
			return
		}
		at := Progress{name, done, total, t.evaluations, math.Inf(1), t.margin}
		if t.best.feasible() {
			at.Best = t.best.value
		}
		if x := t.best.worst.Relative; !math.IsInf(x, 0) {
			at.Margin = min(at.Margin, t.margin-x)
		}
		t.report(at)
	}
}
