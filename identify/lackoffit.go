package identify

import (
	"context"
	"math"

	"ident/estimate"
	"ident/internal/triangle"
	"ident/observation"
)

// Terms that the model may lack: curves of friction over velocity, which need no
// scale of it, and drift with time, between −1 and 1 over a run.
const (
	frictionTerms = 4 // sign(q̇)·√|q̇|, q̇·|q̇|, q̇³, |q̇|
	driftTerms    = 3 // t, t·q̇, t·sign(q̇)
	addedTerms    = frictionTerms + driftTerms
)

// enoughSamples is the number of samples in which the terms are looked for; of longer
// logs, chunks are left out evenly.
const enoughSamples = 400_000

// lackOfFit reduces the rows of the dynamic model once more, with the added terms
// as further columns of each joint.
func (e *experiment) lackOfFit(ctx context.Context, s *estimate.Solution) ([]estimate.TermTest, error) {
	if e.cfg.Model != Dynamic || len(s.Sigma) != e.model.Joints() {
		return nil, nil
	}
	sources, err := e.trainingSources(0)
	if err != nil {
		return nil, err
	}
	total, done := e.samples(0, e.training), 0
	skip := (total + enoughSamples - 1) / enoughSamples
	extenders := stages(e.cfg.Workers, func() *extender { return &extender{observer: e.observer()} })
	all := make([]*triangle.Factor, e.model.Joints())
	for k := range all {
		all[k] = triangle.New(len(e.model.Mask(k)) + addedTerms)
	}
	type part struct {
		factors []*triangle.Factor
		samples int
	}
	var work triangle.Work
	err = observation.Pass(ctx, sources, e.cfg.Workers, func(i int, c *observation.Chunk) (part, error) {
		p := part{samples: c.Own()}
		var err error
		if c.Index%skip == 0 {
			p.factors, err = extenders[i].apply(c, e.span(c.Source.Segment.Run))
		}
		return p, err
	}, func(p part) error {
		done += p.samples
		e.cfg.Progress("diagnosis", done, total)
		for k, f := range p.factors {
			all[k].Merge(f, &work)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make([]estimate.TermTest, len(all))
	for k, f := range all {
		base := len(e.model.Mask(k))
		variance, count := s.Sigma[k]*s.Sigma[k]*s.VarianceInflation[k], float64(f.Rows)/s.VarianceInflation[k]
		columns := make([]int, addedTerms)
		for i := range columns {
			columns[i] = base + i
		}
		out[k].Friction = estimate.ExplainedBy(f, base, columns[:frictionTerms], variance, count)
		out[k].Drift = estimate.ExplainedBy(f, base, columns[frictionTerms:], variance, count)
	}
	return out, nil
}

// span is the first and the last time of a run, in seconds.
func (r *recording) span(run int) [2]float64 {
	segs := r.segments[run]
	return [2]float64{segs[0].T0, segs[len(segs)-1].End()}
}

// extender is the stage from chunks to the triangular factor of each joint's rows with
// the added terms as further columns.
type extender struct {
	observer *observation.Observer
	added    [][]float64 // term, sample
	tri      triangle.Work
}

// apply reduces a chunk's own rows; times are those of the run's ends.
func (x *extender) apply(c *observation.Chunk, times [2]float64) ([]*triangle.Factor, error) {
	v, err := x.observer.Observe(c)
	if err != nil || v.Empty() {
		return nil, err
	}
	n := len(v.Torque[0])
	x.added = resized(x.added, addedTerms, n)
	middle, half := (times[0]+times[1])/2, max((times[1]-times[0])/2, c.Source.Segment.DT)
	out := make([]*triangle.Factor, len(v.Torque))
	for k := range v.Torque {
		for i, rate := range v.Motion.DQ[k] {
			sign, size := 0.0, math.Abs(rate)
			if rate != 0 {
				sign = math.Copysign(1, rate)
			}
			t := (c.Time(i) - middle) / half
			for j, term := range [addedTerms]float64{sign * math.Sqrt(size), rate * size, rate * rate * rate, size, t, t * rate, t * sign} {
				x.added[j][i] = term
			}
		}
		rows := v.Extended(k, x.added, v.Extent)
		last := len(rows.Columns) - 1
		part := make([][]float64, last+1)
		for i, col := range rows.Columns {
			part[i] = col[rows.Lo:rows.Hi]
		}
		out[k] = triangle.New(last)
		out[k].Add(part[:last], part[last], &x.tri)
	}
	return out, nil
}
