package regression

import (
	"context"
	"slices"

	"ident/estimate"
	"ident/observation"
	"ident/regressor"
)

// Reduce implements estimate.Source: it reduces the training rows after change.
func (e *experiment) Reduce(ctx context.Context, change estimate.Change) (*estimate.Reduction, error) {
	sources, err := e.trainingSources(change.Memory())
	if err != nil {
		return nil, err
	}
	masks := shape(e.cfg.Model, e.model)
	sum := estimate.NewReduction(len(e.model.Columns()), change.Masks(masks))
	r, err := e.pass(ctx, sources, sum, func(done, total int) { e.cfg.Progress("estimating", done, total) },
		func(r *reducer, c *observation.Chunk) (timeBlocks, error) { return r.applyChanged(c, masks, change) })
	return r.sum, err
}

// Residuals calls visit with the residuals of the training runs for x, chunk after chunk.
func (e *experiment) Residuals(ctx context.Context, x []float64, visit func(*estimate.Residuals) error) error {
	sources, err := e.trainingSources(0)
	if err != nil {
		return err
	}
	total, done := e.samples(0, e.training), 0
	predictors, masks := stages(e.cfg.Workers, e.predictor), shape(e.cfg.Model, e.model)
	type part struct {
		estimate.Residuals
		samples int
	}
	return observation.Pass(ctx, sources, e.cfg.Workers, func(i int, c *observation.Chunk) (part, error) {
		r, err := predictors[i].residuals(c, x, masks)
		return part{r, c.Own()}, err
	}, func(p part) error {
		done += p.samples
		e.cfg.Progress("estimating", done, total)
		if len(p.E) == 0 {
			return nil
		}
		return visit(&p.Residuals)
	})
}

// predictor turns chunks into predicted torques.
type predictor struct {
	observer  *observation.Observer
	model     *regressor.Model
	predicted [][]float64 // joint, sample
	file      [][]float64 // predicted by the robot file's parameters
	loaded    [][]float64 // memory for file where friction depends on a predicted load
	columns   [][]float64
}

func (e *experiment) predictor() *predictor {
	return &predictor{observer: e.observer(), model: e.model}
}

// residuals returns y − W·x for a chunk's own rows.
func (p *predictor) residuals(c *observation.Chunk, x []float64, masks [][]int) (estimate.Residuals, error) {
	if c.Source.Filters.Rows.Kind() == observation.Dynamic {
		return p.differences(c, x)
	}
	v, err := p.observer.Observe(c)
	if err != nil || v.Empty() {
		return estimate.Residuals{}, err
	}
	out := estimate.Residuals{Run: c.Source.Segment.Run, At: v.Row(v.Extent)}
	for k, mask := range masks {
		rows := v.Equation(k, v.Extent)
		if rows.Len() == 0 {
			return estimate.Residuals{}, nil
		}
		last := len(rows.Columns) - 1
		d := slices.Clone(rows.Columns[last][rows.Lo:rows.Hi])
		for j, col := range rows.Columns[:last] {
			for i, w := range col[rows.Lo:rows.Hi] {
				d[i] -= w * x[mask[j]]
			}
		}
		out.E, out.LeftOut = append(out.E, d), append(out.LeftOut, v.AtRest(nil, k, rows.Len(), v.Extent))
	}
	return out, nil
}

// differences returns the residuals of the dynamic model. Filters are linear, so only the difference of measured and
// predicted torques needs filtering.
func (p *predictor) differences(c *observation.Chunk, x []float64) (estimate.Residuals, error) {
	v, err := p.observer.Predict(c, x, nil)
	if err != nil || v.Empty() {
		return estimate.Residuals{}, err
	}
	for k, predicted := range v.Predicted {
		for i, y := range v.Torque[k] {
			predicted[i] = y - predicted[i]
		}
	}
	rows := v.Filter(v.Predicted, v.Extent)
	if rows.Len() == 0 {
		return estimate.Residuals{}, nil
	}
	out := estimate.Residuals{Run: c.Source.Segment.Run, At: v.Row(v.Extent)}
	for k, d := range rows.Columns {
		out.E, out.LeftOut = append(out.E, slices.Clone(d[rows.Lo:rows.Hi])), append(out.LeftOut, v.AtRest(nil, k, rows.Len(), v.Extent))
	}
	return out, nil
}

// resized returns rows slices of n entries; it reuses the memory of m if that suffices.
func resized(m [][]float64, rows, n int) [][]float64 {
	if len(m) != rows || cap(m[0]) < n {
		m = table(rows, n)
	}
	for k := range m {
		m[k] = m[k][:n]
	}
	return m
}

func table(rows, n int) [][]float64 {
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, n)
	}
	return out
}
