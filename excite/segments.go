package excite

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// DesignSequence designs segments one after another, each with the prior and the earlier segments' information as its
// prior. All start and end at rest at the first one's start pose, or lie between the poses of Problem.Via, which then
// determine their number. Without noise the joints' rows count equally and the result has no standard deviations.
// Errors are those of Design, with the number of the segment.
func DesignSequence(ctx context.Context, p Problem, segments int) (*Result, error) {
	via := p.Via
	if len(via) > 0 {
		if len(via) < 2 || p.Start != nil || p.End != nil {
			return nil, fmt.Errorf("excite: a motion through poses needs two or more of them, which are its start and its end too")
		}
		if segments = len(via) - 1; segments == 1 {
			p.Start, p.End = via[0], via[1]
		}
	}
	if segments <= 1 {
		return Design(ctx, p)
	}
	if p.End != nil || p.Base != nil {
		return nil, fmt.Errorf("excite: segments begin and end at one pose; leave out the end pose and the motion to add to")
	}
	unweighted := p.Noise == nil
	if unweighted {
		p.LogRate = max(p.LogRate, 100) // without effect on the design: it scales all rows alike
		for range p.Limits {
			p.Noise = append(p.Noise, 1)
		}
	}
	var out *Result
	var parts []Motion
	for k := range segments {
		q := p
		q.Limits = slices.Clone(p.Limits)
		q.Seed += uint64(k)
		if via != nil {
			q.Start, q.End = via[k], via[k+1]
		}
		if report := p.Progress; report != nil {
			q.Progress = func(at Progress) {
				at.Stage = fmt.Sprintf("segment %d, %s", k+1, at.Stage)
				report(at)
			}
		}
		r, err := Design(ctx, q)
		if err != nil {
			if out != nil && ctx.Err() != nil {
				break
			}
			return nil, fmt.Errorf("segment %d: %w", k+1, err)
		}
		parts = append(parts, r.Trajectory)
		if out != nil {
			r.accumulate(out)
		}
		out = r
		n := len(p.Limits)
		p.Start = make([]float64, n)
		r.Trajectory.Eval(0, p.Start, make([]float64, n), make([]float64, n))
		for i := range n {
			if l := p.Limits[i]; l.Lower == l.Upper {
				p.Start[i] = l.Lower
			}
		}
		p.PriorRows = r.PosteriorRows
		if out.Stopped {
			break
		}
	}
	if len(parts) > 1 {
		all := &Sequence{parts}
		use := usedColumns(out.PosteriorRows)
		rate := 20 * float64(max(p.Harmonics, DefaultHarmonics)) / parts[0].Duration()
		out.Trajectory = all
		out.ConditionScaled, out.ConditionRaw = conditionOf(p.Model, all, rate, use)
	}
	if unweighted {
		out.Deviations, out.Weak = nil, nil
	}
	return out, nil
}

// accumulate merges the figures of earlier segments into r: sums, worst margins and excesses, defaults.
func (r *Result) accumulate(before *Result) {
	r.Violations += before.Violations
	r.Evaluations += before.Evaluations
	r.Seconds += before.Seconds
	for i := range r.Margins {
		a, b := &r.Margins[i], &before.Margins[i]
		a.Position, a.Velocity, a.Acceleration = min(a.Position, b.Position), min(a.Velocity, b.Velocity), min(a.Acceleration, b.Acceleration)
		for _, x := range [][2]*float64{{a.Jerk, b.Jerk}, {a.Torque, b.Torque}, {a.Power, b.Power}} {
			if x[0] != nil && x[1] != nil {
				*x[0] = min(*x[0], *x[1])
			}
		}
	}
	for i := range r.Distances {
		if b := before.Distances[i]; b.Relative > r.Distances[i].Relative {
			r.Distances[i] = b
		}
	}
	for _, d := range before.Defaults {
		if !slices.Contains(r.Defaults, d) {
			r.Defaults = append(r.Defaults, d)
		}
	}
	for i := range r.Weak {
		r.Weak[i].Before = math.NaN() // the prior of a segment holds the segments before
	}
}

// usedColumns returns the columns with an entry other than zero.
func usedColumns(rows [][]float64) (use []int) {
	for c := range rows[0] {
		if slices.ContainsFunc(rows, func(r []float64) bool { return r[c] != 0 }) {
			use = append(use, c)
		}
	}
	return use
}
