package identify

import (
	"context"
	"fmt"

	"ident/baseparams"
	"ident/estimate"
	"ident/robot"
)

// Choice makes the estimator of a fit, once its base parameters are known.
type Choice func(r *robot.Robot, set *baseparams.Set) (estimate.Estimator, error)

// Posterior is the choice of the estimate of greatest posterior probability for
// this prior, whose weight the training rows choose where none is given.
func (p *PriorSource) Posterior() Choice {
	return func(r *robot.Robot, set *baseparams.Set) (estimate.Estimator, error) {
		prior, err := p.prior(r, set)
		if err != nil {
			return nil, err
		}
		mean, covariance := prior.Base(set)
		at := estimate.MAP{Mean: mean, Covariance: covariance, Weight: p.Weight}
		if p.Weight == 0 {
			return estimate.ChosenMAP{MAP: at}, nil
		}
		return at, nil
	}
}

// estimate finds the parameters; out has the set and the reduction.
func (e *experiment) estimate(ctx context.Context, r *robot.Robot, out *Outcome) (*estimate.Solution, error) {
	var est estimate.Estimator = estimate.Linear{Weighting: e.cfg.Weighting}
	if e.cfg.Estimator != nil {
		var err error
		if est, err = e.cfg.Estimator(r, out.Base); err != nil {
			return nil, err
		}
	}
	e.estimator = est.Name()
	sol, err := est.Estimate(ctx, &estimate.Problem{Reduction: out.Reduction, Rows: e, MinimumNorm: e.cfg.MinimumNorm})
	if err == nil && sol.Stack == nil && e.cfg.Consistent != nil {
		err = fmt.Errorf("a %s estimate cannot be made physically consistent: it is not the minimum of a sum of squares; use wls", est.Name())
	}
	return sol, err
}

// Reduce makes the experiment an estimate.Source.
func (e *experiment) Reduce(ctx context.Context, change estimate.Change) (*estimate.Reduction, error) {
	e.memory = change.Memory()
	defer func() { e.memory = 0 }()
	r, _, err := e.reduce(ctx, change)
	return r, err
}

// Residuals hands on those of the training runs.
func (e *experiment) Residuals(ctx context.Context, x []float64, visit func(*estimate.Residuals) error) error {
	sources, filters, err := e.sources(e.cfg, 0, e.training)
	if err != nil {
		return err
	}
	total, done := e.samples(0, e.training), 0
	ws, masks := e.workers(e.cfg), e.cfg.Model.shape(e.model)
	type part struct {
		estimate.Residuals
		samples int
	}
	return pass(ctx, sources, e.cfg.Workers, func(i int, c *chunk) (part, error) {
		run := &e.runs[c.seg.run]
		ch, _ := layoutOf(run, e.choice)
		return part{ws[i].residuals(c, filters[c.seg], ch, run.Gains, x, masks), c.last - c.first}, nil
	}, func(p part) error {
		done += p.samples
		e.cfg.Progress("estimating", done, total)
		if len(p.E) == 0 {
			return nil
		}
		return visit(&p.Residuals)
	})
}

// place is the number of rows of the fit in a chunk's segment before position row
// of the chunk, which is one of them.
func (w *worker) place(c *chunk, f *filters, row int) int {
	first := int(w.cfg.Trim/c.seg.dt + 0.5)
	if f.fir != nil {
		first = max(first, f.fir.Half())
	}
	first = (first + f.every - 1) / f.every * f.every
	return (c.lo + row - first) / f.every
}

// evaluateRows makes the regressor of a chunk, by whatever model.
func (w *worker) evaluateRows(c *chunk, f *filters, ch layout, gains []float64) {
	if w.cfg.Model == Dynamic {
		w.rows(c, f, ch, gains)
	} else {
		w.evaluate(w.motion(c, f, ch, gains))
	}
}

// residuals are those of a chunk's own rows, y − W·x. Filters are linear: of the
// dynamic model only the difference has to go through them.
func (w *worker) residuals(c *chunk, f *filters, ch layout, gains, x []float64, masks [][]int) estimate.Residuals {
	w.evaluateRows(c, f, ch, gains)
	own := w.own(c)
	if own.lo == own.hi {
		return estimate.Residuals{}
	}
	out := estimate.Residuals{Run: c.seg.run, At: w.place(c, f, f.firstRow(c, own))}
	if w.cfg.Model == Dynamic {
		w.model.Predict(w.pred, w.block, x)
	}
	for k, mask := range masks {
		var cols [][]float64
		var s span
		if w.cfg.Model == Dynamic {
			for i, v := range w.raw[k] {
				w.tau[k][i] = v - w.pred[k][i]
			}
			w.columns = append(w.columns[:0], w.tau[k])
			cols, s = w.through(w.columns, c, f, own)
		} else {
			cols, s = w.equation(k, c, f, own)
		}
		if s.lo >= s.hi {
			return estimate.Residuals{}
		}
		last := len(cols) - 1
		e := append([]float64(nil), cols[last][s.lo:s.hi]...)
		for j, col := range cols[:last] {
			for i, v := range col[s.lo:s.hi] {
				e[i] -= v * x[mask[j]]
			}
		}
		out.E = append(out.E, e)
	}
	return out
}

// reduceChanged is reduce for rows that a change has gone over. The chunk reaches
// far enough back for the rows that the change remembers.
func (w *worker) reduceChanged(c *chunk, f *filters, ch layout, gains []float64, shape *estimate.Reduction, blockLen int, masks [][]int, change estimate.Change) reduced {
	w.evaluateRows(c, f, ch, gains)
	out := reduced{seg: c.seg}
	own := w.own(c)
	if own.lo == own.hi {
		return out
	}
	first := f.firstRow(c, own)
	at := w.place(c, f, first)
	lead := min(change.Memory(), at)
	all := span{first - lead*f.every, own.hi}
	s := &estimate.Stretch{Run: c.seg.run, At: at - lead, Lead: lead, Masks: masks}
	rows := 0
	for k := range masks {
		cols, r := w.equation(k, c, f, all)
		rows = r.hi - r.lo - lead
		if rows <= 0 {
			return out
		}
		store := make([]float64, len(cols)*(rows+lead))
		kept := make([][]float64, len(cols))
		for i, col := range cols {
			kept[i] = store[i*(rows+lead) : (i+1)*(rows+lead)]
			copy(kept[i], col[r.lo:r.hi])
		}
		last := len(kept) - 1
		s.Columns, s.Y = append(s.Columns, kept[:last]), append(s.Y, kept[last])
	}
	change.Apply(s)
	step, start := blockLen/f.every, (c.lo+first)/f.every+f.middle
	for lo := 0; lo < rows; {
		id := max(start+lo, 0) / step
		hi := min(rows, (id+1)*step-start)
		b := shape.NewBlock(c.seg.run)
		s.AddTo(b, lo, hi, &w.tri)
		out.blocks, out.ids = append(out.blocks, b), append(out.ids, id)
		lo = hi
	}
	return out
}
