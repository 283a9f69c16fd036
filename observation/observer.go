package observation

import (
	"errors"
	"fmt"
	"slices"

	"ident/regressor"
)

// Observer takes chunks through the signal path. It holds working memory for one goroutine.
type Observer struct {
	model      *regressor.Model
	unactuated []bool // by joint

	ws        *regressor.Workspace
	motion    MotionWork
	torque    torqueStage
	regressor evaluation
	kept      keptRows
	torques   [2]*regressor.Torques // of Predict, of one set of parameters and of two; made at their first use
	predicted matrix
	chi       []float64 // of two sets
	rows      RowWork
	columns   [][]float64
	rest      restWork
	steps     stepWork
	loads     matrix // of PredictLoad
	measured  matrix // measurement vector on its way through the filter
	whole     matrix // the same with known torque
	stepping  []bool // by column of the model
	stepped   [][]float64
	chunks    int    // observed so far
	taken     []bool // by equation of the last chunk
}

// NewObserver returns an observer for the model of the unknown parameters. unactuated lists links with a joint that an
// unmeasured force moves: their rows become zero.
func NewObserver(model *regressor.Model, known Known, unactuated []int) *Observer {
	o := &Observer{model: model, ws: model.NewWorkspace(), torque: newTorqueStage(model, known), taken: make([]bool, max(model.Joints(), 1)), stepping: steppingColumns(model)}
	for _, l := range model.JointLinks() {
		o.unactuated = append(o.unactuated, slices.Contains(unactuated, l))
	}
	return o
}

// Observation is a chunk after the motion filter and the regressor, before the filter of both sides. Its slices belong
// to the observer and the chunk: they are valid until the observer's next chunk.
type Observation struct {
	Extent                     // own samples of the chunk, less the segment's cut ends
	Motion    Motion           // motion after the filter
	Torque    [][]float64      // by joint and sample: measured torque minus the torque of known parameters, N·m or N
	Known     [][]float64      // torque of known parameters that Torque lacks: the measured side is the sum of both; nil for none
	Predicted [][]float64      // torques of Predict's parameters, unfiltered; nil after Observe
	Beside    [][]float64      // torques of Predict's further parameter vectors; nil without any
	Regressor *regressor.Block // regressor of the dynamic model; nil for other models and if only some rows are kept
	Chunk     *Chunk
	rest      [][]bool // by joint and sample; nil for a joint that is nowhere at rest
	steps     []int    // positions of steps of an acceleration
	observer  *Observer
	number    int // of the chunk among the observer's
	batch     regressor.Batch
}

// Observe evaluates a chunk and filters its columns in place. If the robot's loops cannot be followed, the error is a
// *LoopError.
func (o *Observer) Observe(c *Chunk) (Observation, error) {
	v, batch := o.measure(c)
	f := c.Source.Filters
	if f.Rows.decimator != nil && o.model.Loops() == nil {
		o.kept.apply(c, o.model, batch, o.unactuated, o.ws)
	} else {
		v.Regressor = o.regressor.apply(f.Rows.kind, o.model, batch, v.Torque, o.unactuated, o.ws)
	}
	if err := o.ws.Err(); err != nil {
		return Observation{}, loopError(c, err)
	}
	return v, nil
}

// Predict does what Observe does, but evaluates the torques that parameters x predict instead of the regressor, and
// those of further parameters (may be nil). The observation then has no equations.
func (o *Observer) Predict(c *Chunk, x, further []float64) (Observation, error) {
	v, batch := o.measure(c)
	sets, joints := 1, len(v.Torque)
	if further != nil {
		sets = 2
		o.chi = append(append(o.chi[:0], x...), further...)
		x = o.chi
	}
	all := o.predicted.resize(sets*joints, len(v.Torque[0]))
	v.Predicted = all[:joints:joints]
	if further != nil {
		v.Beside = all[joints:]
	}
	return v, o.evaluate(c, batch, sets, x, all)
}

// evaluate predicts the torques of a chunk for one or two sets of parameters.
func (o *Observer) evaluate(c *Chunk, batch regressor.Batch, sets int, x []float64, torques [][]float64) error {
	t := &o.torques[sets-1]
	if *t == nil {
		*t = regressor.NewTorquesOf(o.model, sets)
	}
	if err := (*t).Eval(torques, batch, x); err != nil {
		return loopError(c, err)
	}
	for k := range torques {
		if len(o.unactuated) > 0 && o.unactuated[k%len(o.unactuated)] {
			clear(torques[k])
		}
	}
	return nil
}

// measure returns the motion and the torque of a chunk, and the batch for its regressor.
func (o *Observer) measure(c *Chunk) (Observation, regressor.Batch) {
	f, layout := c.Source.Filters, &c.Source.Layout
	in := Measurement{Q: layout.position.of(c.Columns), SecondDifferences: layout.secondDifferences}
	if layout.velocity.present() {
		in.DQ = layout.velocity.of(c.Columns)
	}
	if layout.acceleration.present() {
		in.DDQ = layout.acceleration.of(c.Columns)
	}
	rest := c.Source.restOf(c, in.Q, &o.rest) // before the filter of the motion, which rings into rest
	steps := c.Source.stepsOf(c, in.Q, &o.steps)
	motion := f.Motion.Apply(in, &o.motion)
	torque, batch := o.torque.apply(c, motion, o.ws)
	var known [][]float64
	if o.torque.known.Model != nil {
		known = o.torque.known.torque
	}
	for k, none := range o.unactuated {
		if none {
			clear(torque[k])
			if known != nil {
				clear(known[k])
			}
		}
	}
	o.chunks++
	clear(o.taken)
	return Observation{Extent: f.Extent(c), Motion: motion, Torque: torque, Known: known, Chunk: c, rest: rest, steps: steps, observer: o, number: o.chunks, batch: batch}, batch
}

// PredictFor evaluates the unfiltered torques of parameters x at the samples of an observation: [joint][sample].
func (v *Observation) PredictFor(x []float64, torques [][]float64) error {
	o := v.observer
	if v.number != o.chunks {
		panic(fmt.Sprintf("observation: the observer has another chunk than %d", v.Chunk.Index))
	}
	return o.evaluate(v.Chunk, v.batch, 1, x, torques)
}

// Equation returns the rows of equation k: a column for each parameter of its mask, then the measurement vector. It
// filters in place, so it panics if an equation is taken twice or after the observer's next chunk.
func (v *Observation) Equation(k int, x Extent) Rows { return v.Extended(k, nil, x) }

// Extended is Equation of the dynamic model with further columns, unfiltered and as long as the chunk, between those of
// the mask and the measurement vector.
func (v *Observation) Extended(k int, further [][]float64, x Extent) Rows {
	o, f := v.observer, v.Chunk.Source.Filters.Rows
	if v.number != o.chunks || o.taken[k] || v.Predicted != nil {
		panic(fmt.Sprintf("observation: equation %d of chunk %d is gone: it was taken before, the observer has another chunk, or predicted this one", k+1, v.Chunk.Index))
	}
	o.taken[k] = true
	switch {
	case v.Regressor != nil:
		o.columns = v.appendMeasured(append(append(append(o.columns[:0], v.Regressor.Joint[k]...), further...), v.copied(k)), k)
		o.filterTorque(v.Chunk.Source.Filters.torque, k, o.columns)
		rows := v.split(f.Apply(o.columns, x, &o.rows))
		var atRest []bool
		if v.rest != nil {
			atRest = v.rest[k]
		}
		v.Chunk.Source.Filters.steps.eliminate(o.columns, v.steps, x, atRest)
		return rows
	case f.decimator != nil:
		first, count := f.kept(x)
		o.columns = o.kept.columns(o.columns[:0], k, first, count, f.every)
		own := len(o.columns)
		o.columns = v.appendMeasured(append(append(o.columns, further...), v.Torque[k]), k)
		rest := f.Apply(o.columns[own:], x, &o.rows)
		for i, col := range rest.Columns {
			o.columns[own+i] = col[rest.Lo:rest.Hi]
		}
		return v.split(Rows{Columns: o.columns, Hi: count})
	case further != nil:
		panic("observation: only the dynamic model can have further columns")
	}
	o.columns = o.regressor.equation(o.columns[:0], f, k, v.copied)
	if v.Known != nil {
		o.columns = append(o.columns, o.regressor.measured(f, k, v))
	}
	return v.split(f.finish(o.columns, x, &o.rows))
}

// appendMeasured appends the measured side of equation k, before known torque was moved from it, where there is any.
func (v *Observation) appendMeasured(columns [][]float64, k int) [][]float64 {
	if v.Known == nil {
		return columns
	}
	return append(columns, v.measuredSide(k))
}

// measuredSide returns the measured torque of joint k before known torque was moved from it, in the observer's memory.
func (v *Observation) measuredSide(k int) []float64 {
	m := v.observer.whole.resize(1, len(v.Torque[k]))[0]
	for i, y := range v.Torque[k] {
		m[i] = y + v.Known[k][i]
	}
	return m
}

// split takes the measured side, which is the last column where torque is known, out of the columns of rows.
func (v *Observation) split(rows Rows) Rows {
	if v.Known != nil {
		last := len(rows.Columns) - 1
		rows.Measured, rows.Columns = rows.Columns[last], rows.Columns[:last]
	}
	return rows
}

// copied returns a copy of the torque of joint k, for filtering.
func (v *Observation) copied(k int) []float64 {
	y := v.observer.measured.resize(1, len(v.Torque[k]))[0]
	copy(y, v.Torque[k])
	return y
}

// Filter passes additional columns, as long as the chunk, through the filter of both sides, in place unless it thins
// them. A second call overwrites the rows of the first.
func (v *Observation) Filter(columns [][]float64, x Extent) Rows {
	return v.Chunk.Source.Filters.Rows.Apply(columns, x, &v.observer.rows)
}

// First returns the position of the first row of an extent of the chunk.
func (v *Observation) First(x Extent) int { return v.Chunk.Source.Filters.Rows.First(x) }

// Row returns the number of rows of the segment before the first of the extent.
func (v *Observation) Row(x Extent) int { return v.Chunk.Source.Filters.Row(x, v.First(x)) }

// AtRest reports which rows of an extent belong to rest of joint k, where the sign of friction is unknown; nil for none.
// dst is memory for the result.
func (v *Observation) AtRest(dst []bool, k, rows int, x Extent) []bool {
	if v.rest == nil || v.rest[k] == nil {
		return nil
	}
	dst = dst[:0]
	first, every := v.First(x), v.Chunk.Source.Filters.Rows.every
	any := false
	for i := range rows {
		at := v.rest[k][first+i*every]
		dst, any = append(dst, at), any || at
	}
	if !any {
		return nil
	}
	return dst
}

// InMotion calls visit with the intervals [from, to) of the chunk's own samples in which joint k is not at rest.
func (v *Observation) InMotion(k int, visit func(from, to int)) {
	if v.rest == nil || v.rest[k] == nil {
		visit(v.Lo, v.Hi)
		return
	}
	for from := v.Lo; from < v.Hi; {
		to := from
		for to < v.Hi && !v.rest[k][to] {
			to++
		}
		if to > from {
			visit(from, to)
		}
		for from = to; from < v.Hi && v.rest[k][from]; from++ {
		}
	}
}

// Back extends the chunk's own rows by the given number of rows before them. The plan must provide the overlap for
// these.
func (v *Observation) Back(rows int) Extent {
	x := v.Extent
	x.Lo = v.First(x) - rows*v.Chunk.Source.Filters.Rows.every
	return x
}

// LoopError says at which row of a log the robot's loops cannot be followed. It matches ErrBadRow and wraps the error of
// the model.
type LoopError struct {
	Log string
	Row int // row of the whole log, from 1 after the header
	Err error
}

func (e *LoopError) Error() string { return fmt.Sprintf("%s: row %d: %v", e.Log, e.Row, e.Err) }

func (e *LoopError) Unwrap() []error { return []error{ErrBadRow, e.Err} }

// loopError converts the failure at a sample of a chunk into one at a row of the log.
func loopError(c *Chunk, err error) error {
	var at *regressor.SampleError
	if !errors.As(err, &at) {
		return err
	}
	run := c.Source.Run
	return &LoopError{Log: run.Name, Row: run.First + c.Source.Segment.First + c.Start + at.Sample + 1, Err: at.Err}
}
