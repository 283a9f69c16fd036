package causes

import (
	"math"

	"ident/internal/spatial"
	"ident/observation"
)

const (
	// finest is the part of the log's time down to which the times of a load or a touch are sought.
	finest = 1.0 / 2000
	// edge is the part of the log at either end in which a load does not come or go: one of nearly the whole log is PayloadOfLog.
	edge = 0.05
	// longestTouch is the part of the log that a touch lasts at most.
	longestTouch = 0.5
)

// timed returns the best load, touch, slip and tip of the base of a list with the times at which they begin and end, where their columns at a
// grid of times have enough evidence.
func (t *trial) timed(linear []*hypothesis, number map[string]float64) (out []*hypothesis) {
	for _, kind := range []string{Payload, Contact, Slip, TiltStep} {
		var best *hypothesis
		for _, h := range linear {
			if h.Kind == kind && h.Value+h.Length > 0 && h.enough() && (best == nil || h.nats > best.nats) {
				best = h
			}
		}
		if best == nil {
			continue
		}
		of, ends := t.forces(), [][2]float64{{1, 0}, {0, 1}, {1, -1}}
		switch kind {
		case Payload:
			of, ends = t.body(t.ownGravity(), len(t.bodies.links)-1), [][2]float64{{1, 0}}
		case TiltStep:
			links := t.links
			if best.OfFile {
				links = t.file()
			}
			of, ends = tipped(t.axes(links), t.opt.Gravity), [][2]float64{{1, 0}}
		case Slip:
			of, ends = t.derivatives([]change{{kind: zeroChange, link: t.bodies.links[best.Joints[0]]}}), [][2]float64{{1, 0}}
		}
		best = t.during(best.Cause, of)
		t.judge([]*hypothesis{best}, number)
		for step := 1.0 / 20; step > finest; {
			var near []*hypothesis
			for _, by := range ends {
				for _, s := range []float64{-step, step} {
					c := best.Cause
					c.Value, c.Length = c.Value+s*by[0], c.Length+s*by[1]
					if kind != Contact && c.Value >= edge && c.Value <= 1-edge || kind == Contact && c.Value >= 0 && c.Value < 1 && c.Length > step && c.Length <= longestTouch {
						near = append(near, t.during(c, of))
					}
				}
			}
			t.judge(near, number)
			moved := false
			for _, h := range near {
				if h.nats > best.nats {
					best, moved = h, true
				}
			}
			if !moved {
				step /= 2
			}
		}
		out = append(out, best)
	}
	return out
}

// during returns the hypothesis that columns act from the cause's Value on, for its Length (0: to the end), in parts of the log.
func (t *trial) during(c Cause, of [][][]float64) *hypothesis {
	to := math.Inf(1)
	if c.Length > 0 {
		to = c.Value + c.Length
	}
	by := t.window(c.Value, to)
	h := &hypothesis{Cause: c, need: needLinear}
	for _, x := range of {
		h.cols = append(h.cols, times(x, by))
	}
	return h
}

// window returns a column that is 1 from one part of the log to another and 0 elsewhere, behind the low-pass of the torques.
func (t *trial) window(from, to float64) []float64 {
	first, last := math.Inf(1), math.Inf(-1)
	for _, r := range t.rows {
		first, last = min(first, r.t), max(last, r.t)
	}
	on := make([][]float64, len(t.tracks))
	for i := range t.tracks {
		tr := &t.tracks[i]
		on[i] = make([]float64, tr.n)
		for k := range on[i] {
			if u := (tr.t0 + float64(k)*tr.dt - first) / max(last-first, 1e-9); u >= from && u < to {
				on[i][k] = 1
			}
		}
	}
	return t.filtered(on)
}

// filtered returns signals of all samples, by track, behind the low-pass of the torques at the rows. It overwrites them.
func (t *trial) filtered(x [][]float64) []float64 {
	var work observation.RowWork
	for i := range t.tracks {
		t.tracks[i].low.Apply(x[i:i+1], observation.Extent{}, &work)
	}
	out := make([]float64, len(t.rows))
	for i, r := range t.rows {
		out[i] = x[r.track][r.at]
	}
	return out
}

const (
	// steepest is the tangent of the largest tilt that is sought from a column's estimate; axes of the base are tried anyway. It bounds the search.
	steepest = 2.0
	// level is the tilt, in rad, down to which its direction is sought.
	level = 0.005
)

// tilts fits directions of gravity at their full size, starting from the estimate of their columns.
func (t *trial) tilts(linear []*hypothesis) (out []*hypothesis) {
	size := norm3(t.opt.Gravity)
	for _, h := range linear {
		if h.Kind != GravityVector || len(h.coef) != 2 || size == 0 || h.nats < zeroNats || h.big() < zeroGain {
			continue
		}
		a, b := across(t.opt.Gravity)
		at := func(x, y float64) *hypothesis {
			g := spatial.AddScaled(spatial.AddScaled(spatial.Scale(1/size, t.opt.Gravity), x, a), y, b)
			g = spatial.Scale(size/spatial.Norm(g), g)
			d := t.designUnder(g)
			z := t.refittedOnce(Cause{Kind: GravityVector}, d, t.y, nil, 1)
			d.done()
			z.need = needLinear
			return z
		}
		x, y := h.coef[0]/size, h.coef[1]/size
		if tan := math.Hypot(x, y); tan > steepest {
			x, y = x*steepest/tan, y*steepest/tan
		}
		best := at(x, y)
		for step := math.Hypot(x, y) / 2; step > level; {
			moved := false
			for _, d := range [][2]float64{{step, 0}, {-step, 0}, {0, step}, {0, -step}} {
				if math.Hypot(x+d[0], y+d[1]) > steepest {
					continue
				}
				if z := at(x+d[0], y+d[1]); z.nats > best.nats {
					best, x, y, moved = z, x+d[0], y+d[1], true
					break
				}
			}
			if !moved {
				step /= 2.5
			}
		}
		out = append(out, best)
	}
	return out
}
