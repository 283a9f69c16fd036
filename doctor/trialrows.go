package doctor

import (
	"context"
	"fmt"
	"math"

	"ident/doctor/internal/trialfit"
)

// trialRows returns the equations of the torque checks, without outliers and held rows. It returns nil and the reason if
// the log does not allow them.
func trialRows(ctx context.Context, rec *recording, outliers []int, held []bool) (tr *trialfit.Rows, reason string) {
	base := rec.models.Set().Base
	if len(base) == 0 {
		return nil, "the model has no parameters"
	}
	in := trialfit.Signals{Model: rec.models.Base(), Base: base, Interval: rec.interval(), Scratch: rec.models.Scratch()}
	for _, j := range rec.joints {
		if j.q == nil && j.effort != nil {
			return nil, fmt.Sprintf("the motion of joint %s, whose effort is logged, is unknown", j.name)
		}
		s := trialfit.JointSignals{Moves: !rec.isStill(j), At: rec.opt.Lock[j.name]}
		if j.effort != nil {
			s.Gain = j.torquePerUnit()
		}
		in.Joints = append(in.Joints, s)
	}
	for _, w := range rec.windows {
		for _, s := range usable(rec, w, outliers) {
			in.Segments = append(in.Segments, rec.segment(w, s[0], s[1], held))
		}
	}
	if tr = trialfit.NewRows(ctx, in); tr == nil {
		reason = "the stretches without gaps and outliers are too short"
	}
	return tr, reason
}

// segment returns the rows [from, to) of a window without the held rows; held may be nil.
func (rec *recording) segment(w *window, from, to int, held []bool) trialfit.Segment {
	fresh := func(x []float64) []float64 { return x }
	out := trialfit.Segment{Uniform: rec.clock.Uniform}
	if held != nil {
		out.Uniform = false
		fresh = func(x []float64) []float64 { return without(held[w.first+from:w.first+to], x) }
	}
	column := func(c *channel) []float64 {
		if c == nil {
			return nil
		}
		return fresh(w.cols[c.index][from:to])
	}
	out.T = fresh(w.t[from:to])
	if !out.Uniform && held == nil {
		out.Knots = w.knotsOf(from, to)
	}
	for _, j := range rec.joints {
		out.Q, out.Effort = append(out.Q, column(j.q)), append(out.Effort, column(j.effort))
	}
	return out
}

// usable cuts a window into segments without long gaps in time, in which every position and effort is believable.
func usable(rec *recording, w *window, outliers []int) [][2]int {
	n := len(w.cols[0])
	bad := make([]bool, n)
	for _, c := range rec.channels {
		if c.role != position && c != rec.joints[c.joint].effort {
			continue
		}
		limit := c.bound
		if rec.beyondLimit(c) {
			limit *= 100
		}
		for k, v := range w.cols[c.index] {
			if !(math.Abs(v) <= limit) {
				bad[k] = true
			}
		}
	}
	for _, row := range outliers {
		if row >= w.first && row < w.first+n {
			bad[row-w.first] = true
		}
	}
	return rec.segments(w, bad)
}
