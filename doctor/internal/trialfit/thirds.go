package trialfit

import (
	"context"
	"math"
	"slices"
)

// leftOut is the number of parts that a log is divided into; each is left out once.
const leftOut = 3

// rowsWithout is the number of rows per column that suffices when a part of the log is left out; the whole log has
// more.
const rowsWithout = 2

// WithoutThirds returns three fits, each without one third of the rows, with the torques and the further columns of t;
// nil where a joint has too few rows then, or where ctx is done.
func (t *Stacked) WithoutThirds(ctx context.Context) []*Stacked {
	n := len(t.Equations.T)
	var out []*Stacked
	for part := range leftOut {
		var fits []*Joint
		for _, o := range t.Joints {
			lost := slices.Clone(o.Lost)
			for i := part * n / leftOut; i < (part+1)*n/leftOut; i++ {
				lost[i] = true
			}
			h := fitJoint(t.Equations, o.Index, lost, rowsWithout)
			if h == nil {
				return nil
			}
			h.Extend(o.extra)
			h.SetTorque(h.Masked(o.Y))
			fits = append(fits, h)
		}
		s := NewStacked(ctx, t.Equations, fits)
		if s == nil {
			return nil
		}
		out = append(out, s)
	}
	return out
}

// heldScale: without any third of the log, the scale must stay within this factor.
const heldScale = 2

// Holds reports whether each of the fits without a part of the log shows the scale of a torque relative to the
// reference, with the same stacked columns added. Unmodelled friction of a drive also changes a scale, but differently
// in each part of the motion.
func (s Scale) Holds(parts []*Stacked, reference int, beside [][]float64) bool {
	whole := math.Log(s.Scale)
	for _, h := range parts {
		n := len(h.Equations.T)
		own := make([][]float64, len(beside))
		for c, col := range beside {
			own[c] = slices.Clone(col)
			for k, o := range h.Joints {
				for i, lost := range o.Lost {
					if lost {
						own[c][k*n+i] = 0
					}
				}
			}
		}
		shown := false
		for _, o := range h.Scales(reference, own, nil) {
			part := math.Log(o.Scale) / whole
			shown = shown || o.K == s.K && !math.IsInf(o.SD, 0) && part >= 1/heldScale && part <= heldScale
		}
		if !shown {
			return false
		}
	}
	return len(parts) > 0
}
