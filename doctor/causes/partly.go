package causes

import (
	"math"
	"slices"
)

// parts is the number of parts of the log's time, from the beginning of each of which a cause is tried alone.
const parts = 20

// inTime are the kinds of causes that change in time by their nature, or hold for a part of it.
func inTime(kind string) bool {
	return slices.Contains([]string{Skew, Recorder, ClockStep, Warming, Drift, ScaleDrift, Slip, TiltStep, Payload, PayloadOfLog, Contact}, kind)
}

// partly reports whether a cause of the whole log holds in a part of its time alone. Either the cause itself has clearly more evidence there than
// everywhere, which a cause of the whole log cannot have, or torques that act from one time to another explain the log better than it does.
func (t *trial) partly(h *hypothesis) bool {
	if inTime(h.cause().Kind) {
		return false
	}
	first, last := math.Inf(1), math.Inf(-1)
	for _, r := range t.rows {
		first, last = min(first, r.t), max(last, r.t)
	}
	at := make([]float64, len(t.rows))
	for k, r := range t.rows {
		at[k] = (r.t - first) / max(last-first, 1e-9)
	}
	var own, acts []*hypothesis
	try := func(from, to float64) {
		by := since(at, from)
		for k, u := range at {
			if u >= to && to < 1 {
				by[k] = 0
			}
		}
		p, a := &hypothesis{Cause: h.Cause, need: h.need}, &hypothesis{Cause: h.Cause, need: h.need}
		for _, c := range h.cols {
			p.cols = append(p.cols, times(c, by))
		}
		for _, j := range t.joints {
			a.cols = append(a.cols, t.only(j, by))
		}
		if acts = append(acts, a); len(p.cols) > 0 {
			own = append(own, p)
		}
	}
	for i := 1; i < parts; i++ {
		from := float64(i) / parts
		try(from, 1)
		for _, to := range []float64{from + 0.15, from + 0.3, from + 0.5} {
			if i%3 == 1 && to < 1 {
				try(from, to)
			}
		}
	}
	t.judge(slices.Concat(own, acts), map[string]float64{h.Kind: float64(len(acts))})
	for _, p := range own {
		if p.nats > h.nats+enoughNats {
			return true
		}
	}
	return slices.ContainsFunc(acts, func(a *hypothesis) bool { return a.enough() && a.nats > h.nats && a.weighed > h.weighed })
}
