package identify

import (
	"context"
	"math"

	"ident/estimate"
	"ident/internal/triangle"
)

// rounding is the relative error, in per cent, below which residuals are rounding
// and no statistic says anything.
const rounding = 1e-6

// diagnose judges a fit by what its reduction and its residuals say.
func (e *experiment) diagnose(ctx context.Context, out *Outcome) error {
	if out.Result.Fit.RelativeError.Stacked < rounding {
		return nil
	}
	d, err := out.Reduction.Diagnose(e.cfg.Weighting)
	if err != nil {
		return err
	}
	d.Residuals = e.tests.Results()
	if d.Terms, err = e.lackOfFit(ctx, out.Solution); err != nil {
		return err
	}
	if b := e.cfg.Bootstrap; b != nil && e.cfg.Consistent == nil {
		if d.Bootstrap, err = e.bootstrap(out, *b); err != nil {
			return err
		}
	}
	out.Result.Diagnosis = d
	return nil
}

// Bootstrap asks for a block bootstrap.
type Bootstrap struct {
	Draws  int
	Period float64 // of the motion, in seconds; 0 is two time blocks
}

// bootstrap draws whole periods of the motion.
func (e *experiment) bootstrap(out *Outcome, b Bootstrap) (*estimate.Bootstrap, error) {
	seg := &e.segments[0][0]
	f, err := newFilters(e.cfg, 1/seg.dt)
	if err != nil {
		return nil, err
	}
	opt := estimate.BootstrapOptions{Draws: b.Draws, Seed: e.cfg.Seed}
	if b.Period > 0 {
		block := float64(blockSamples(e.cfg, f, seg, e.leastBlock)) * seg.dt
		opt.Period = max(1, int(math.Round(b.Period/block)))
	}
	plain, err := out.Reduction.Solve(e.cfg.Weighting, false)
	if err != nil {
		return nil, err
	}
	return out.Reduction.Bootstrap(plain, opt)
}

// intervals finds those of an estimate under constraints, where a bootstrap asks for
// draws: each has to be constrained again.
func (e *experiment) intervals(res *estimate.Result, s *estimate.Solution, bound func(*estimate.Solution) ([]float64, error)) error {
	b := e.cfg.Bootstrap
	if b == nil {
		return nil
	}
	done := 0
	c, err := s.Under(b.Draws, e.cfg.Seed, func(d *estimate.Solution) ([]float64, error) {
		done++
		e.cfg.Progress("intervals", done, b.Draws)
		return bound(d)
	})
	if err != nil {
		return err
	}
	res.Hold(c)
	return nil
}

// listen prepares the tests of residuals: of those that went through a low-pass,
// one every half period of its cut-off.
func (e *experiment) listen() {
	every := 1.0
	if seg := &e.segments[0][0]; e.cfg.Cutoff > 0 && e.cfg.Decimate <= 1 {
		every = 1 / (2 * e.cfg.Cutoff * seg.dt)
	}
	e.tests = estimate.NewResidualTests(e.model.Joints(), int(math.Ceil(every)))
	e.last = math.Inf(-1)
}

// hear takes in the residuals of a chunk of a training run, in order.
func (e *experiment) hear(run int, s *sums) error {
	if e.tests == nil || run >= e.training || len(s.t) == 0 {
		return nil
	}
	r := estimate.Residuals{Run: run, At: 1}
	// A step that is not that of the chunk's own rows begins another stretch.
	if step := s.t[0] - e.last; len(s.t) < 2 || !(step > 0 && step < 1.5*(s.t[1]-s.t[0])) {
		r.At = 0
	}
	e.last = s.t[len(s.t)-1]
	for k := range s.measured {
		d := make([]float64, len(s.t))
		for i, v := range s.measured[k] {
			d[i] = v - s.predicted[k][i]
		}
		r.E = append(r.E, d)
	}
	return e.tests.Add(&r)
}

// Terms that the model may lack: curves of friction over velocity, which need no
// scale of it, and what drifts with time, between −1 and 1 over a run.
const (
	frictionTerms = 4 // sign(q̇)·√|q̇|, q̇·|q̇|, q̇³, |q̇|
	driftTerms    = 3 // t, t·q̇, t·sign(q̇)
	addedTerms    = frictionTerms + driftTerms
)

// enoughSamples is how many samples the terms are looked for in; of longer logs, chunks
// are left out evenly.
const enoughSamples = 400_000

// lackOfFit reduces the rows of the dynamic model once more, with the added terms
// as further columns of each joint.
func (e *experiment) lackOfFit(ctx context.Context, s *estimate.Solution) ([]estimate.TermTest, error) {
	if e.cfg.Model != Dynamic || len(s.Sigma) != e.model.Joints() {
		return nil, nil
	}
	sources, filters, err := e.sources(e.cfg, 0, e.training)
	if err != nil {
		return nil, err
	}
	total, done := e.samples(0, e.training), 0
	skip := (total + enoughSamples - 1) / enoughSamples
	ws := e.workers(e.cfg)
	all := make([]*triangle.Factor, e.model.Joints())
	for k := range all {
		all[k] = triangle.New(len(e.model.Mask(k)) + addedTerms)
	}
	type part struct {
		factors []*triangle.Factor
		samples int
	}
	err = pass(ctx, sources, e.cfg.Workers, func(i int, c *chunk) (part, error) {
		p := part{samples: c.last - c.first}
		if c.index%skip == 0 {
			run := &e.runs[c.seg.run]
			ch, _ := layoutOf(run, e.choice)
			p.factors = ws[i].extended(c, filters[c.seg], ch, run.Gains, e.span(c.seg.run))
		}
		return p, nil
	}, func(p part) error {
		done += p.samples
		e.cfg.Progress("diagnosis", done, total)
		for k, f := range p.factors {
			all[k].Merge(f, &ws[0].mergeWork)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make([]estimate.TermTest, len(all))
	for k, f := range all {
		base := len(e.model.Mask(k))
		variance, count := s.Sigma[k]*s.Sigma[k]*s.Inflation[k], float64(f.Rows)/s.Inflation[k]
		columns := make([]int, addedTerms)
		for i := range columns {
			columns[i] = base + i
		}
		out[k].Friction = estimate.ExplainedBy(f, base, columns[:frictionTerms], variance, count)
		out[k].Drift = estimate.ExplainedBy(f, base, columns[frictionTerms:], variance, count)
	}
	return out, nil
}

// span is the first and the last time of a run.
func (e *experiment) span(run int) [2]float64 {
	segs := e.segments[run]
	last := &segs[len(segs)-1]
	return [2]float64{segs[0].t0, last.t0 + float64(last.n-1)*last.dt}
}

// extended reduces a chunk's own rows with the added terms.
func (w *worker) extended(c *chunk, f *filters, ch layout, gains []float64, times [2]float64) []*triangle.Factor {
	w.rows(c, f, ch, gains)
	own := w.own(c)
	if own.lo == own.hi {
		return nil
	}
	velocity := w.dq
	if ch.dq >= 0 {
		velocity = c.data[ch.dq : ch.dq+w.joints]
	}
	n := len(c.data[0])
	store := make([]float64, addedTerms*n)
	term := func(i int) []float64 { return store[i*n : (i+1)*n] }
	middle, half := (times[0]+times[1])/2, max((times[1]-times[0])/2, c.seg.dt)
	out := make([]*triangle.Factor, w.joints)
	for k := range w.joints {
		for i, v := range velocity[k] {
			sign, size := 0.0, math.Abs(v)
			if v != 0 {
				sign = math.Copysign(1, v)
			}
			t := (c.seg.t0 + float64(c.lo+i)*c.seg.dt - middle) / half
			for j, x := range [addedTerms]float64{sign * math.Sqrt(size), v * size, v * v * v, size, t, t * v, t * sign} {
				store[j*n+i] = x
			}
		}
		copy(w.tau[k], w.raw[k])
		w.columns = append(w.columns[:0], w.block.Joint[k]...)
		for i := range addedTerms {
			w.columns = append(w.columns, term(i))
		}
		w.columns = append(w.columns, w.tau[k])
		cols, s := w.through(w.columns, c, f, own)
		w.part = w.part[:0]
		for _, col := range cols {
			w.part = append(w.part, col[s.lo:s.hi])
		}
		last := len(w.part) - 1
		out[k] = triangle.New(last)
		out[k].Add(w.part[:last], w.part[last], &w.tri)
	}
	return out
}
