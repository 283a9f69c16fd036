package regression

import (
	"context"
	"fmt"
	"slices"

	"ident/estimate"
	"ident/identify/regression/internal/frictionterms"
	"ident/observation"
	"ident/regressor"
)

// wide names the columns that rows have behind those of the model: friction terms, then those of the neighbours' drives, then those
// that read an estimated torque.
type wide struct {
	model    int                    // columns of the model
	friction *frictionterms.Columns // nil for none
	beside   [][]int                // by joint: the joints whose drives have columns in its rows, velocity, acceleration and sign; nil for none
	torque   []regressor.TorqueColumn
	estimate []float64 // base parameters by which torque is predicted
}

// neighbourColumns are the columns of a neighbour's drive: friction and inertia by which it acts on a joint.
const neighbourColumns = 3

// neighbours returns the joints before and behind each of so many.
func neighbours(joints int) [][]int {
	out := make([][]int, joints)
	for k := range out {
		if k > 0 {
			out[k] = append(out[k], k-1)
		}
		if k+1 < joints {
			out[k] = append(out[k], k+1)
		}
	}
	return out
}

// firstBeside returns the number of the first column of the drives beside a joint; of the joint behind the last, of what follows them.
func (w *wide) firstBeside(joint int) int {
	at := w.model
	if w.friction != nil {
		at = w.friction.Count()
	}
	for _, of := range w.beside[:min(joint, len(w.beside))] {
		at += len(of) * neighbourColumns
	}
	return at
}

// firstTorque returns the number of the first of the columns of torque.
func (w *wide) firstTorque() int { return w.firstBeside(len(w.beside)) }

// of returns the joints beside a joint.
func (w *wide) of(joint int) []int {
	if w.beside == nil {
		return nil
	}
	return w.beside[joint]
}

// count returns the number of all columns.
func (w *wide) count() int { return w.firstTorque() + len(w.torque) }

// masks extends the masks of the model.
func (w *wide) masks(own [][]int) [][]int {
	out := slices.Clone(own)
	if w.friction != nil {
		out = w.friction.Masks(own)
	}
	for k := range out {
		out[k] = slices.Clip(out[k])
		for i := range len(w.of(k)) * neighbourColumns {
			out[k] = append(out[k], w.firstBeside(k)+i)
		}
		for i, c := range w.torque {
			if c.Joint == k {
				out[k] = append(out[k], w.firstTorque()+i)
			}
		}
	}
	return out
}

// names returns the names of the columns behind the model's.
func (w *wide) names() (out []string) {
	if w.friction != nil {
		out = w.friction.Names()
	}
	for k, of := range w.beside {
		for _, n := range of {
			for _, what := range [neighbourColumns]string{"velocity", "acceleration", "sign of the velocity"} {
				out = append(out, fmt.Sprintf("%s of %d in %d", what, n+1, k+1))
			}
		}
	}
	for _, c := range w.torque {
		out = append(out, c.String())
	}
	return out
}

// wideWork is the memory of a reducer for the columns of one chunk.
type wideWork struct {
	named   *regressor.Block // of terms offered by name
	scratch *regressor.Workspace
	columns [][]float64 // friction of one joint, its neighbours, torque
	all     [][]float64
	samples regressor.TorqueSamples
}

// begin evaluates what all joints need of a chunk.
func (m *wideWork) begin(w *wide, v *observation.Observation, run [2]float64) error {
	c, n := v.Chunk, len(v.Torque[0])
	if w.friction != nil && w.friction.More != nil {
		more := w.friction.More
		if m.named == nil || m.named.Rows < n {
			m.named, m.scratch = more.NewBlock(n), more.NewWorkspace()
		}
		m.named.Resize(n)
		in := regressor.Batch{Q: v.Motion.Q, DQ: v.Motion.DQ, DDQ: v.Motion.DDQ}
		c.Supply(&in, more.Needs())
		more.EvalBatch(m.named, in, m.scratch)
	}
	own := 0
	if w.friction != nil {
		own = frictionterms.Own
	}
	m.columns = resized(m.columns, own+2*neighbourColumns+len(w.torque), n)
	if len(w.torque) == 0 {
		return nil
	}
	s := &m.samples
	s.Interval, s.DQ, s.Torque = c.Source.Segment.DT, v.Motion.DQ, resized(s.Torque, len(v.Torque), n)
	s.Time = slices.Grow(s.Time[:0], n)[:n]
	for i := range s.Time {
		s.Time[i] = c.Time(i) - (run[0]+run[1])/2
	}
	return v.PredictFor(w.estimate, s.Torque)
}

// of returns the columns of a joint, unfiltered, in the order of its mask.
func (m *wideWork) of(w *wide, v *observation.Observation, k int) [][]float64 {
	m.all = m.all[:0]
	free := m.columns
	take := func() []float64 {
		m.all, free = append(m.all, free[0]), free[1:]
		return m.all[len(m.all)-1]
	}
	if w.friction != nil {
		frictionterms.Fill(free[:frictionterms.Own], v.Motion.DQ[k])
		m.all, free = append(m.all, free[:frictionterms.Own]...), free[frictionterms.Own:]
		if w.friction.More != nil {
			m.all = append(m.all, m.named.Joint[k]...)
		}
	}
	for _, n := range w.of(k) {
		copy(take(), v.Motion.DQ[n])
		copy(take(), v.Motion.DDQ[n])
		sign := take()
		for i, rate := range v.Motion.DQ[n] {
			sign[i] = signAt(rate)
		}
	}
	for _, c := range w.torque {
		if c.Joint == k {
			c.Eval(take(), &m.samples)
		}
	}
	return m.all
}

// applyWide is apply with the columns of w.
func (r *reducer) applyWide(c *observation.Chunk, w *wide) (timeBlocks, error) {
	v, err := r.observer.Observe(c)
	if err != nil || v.Empty() {
		return timeBlocks{}, err
	}
	if err := r.beside.begin(w, &v, r.extender.recorded.span(c.Source.Segment.Run)); err != nil {
		return timeBlocks{}, err
	}
	out := r.blocks(&v)
	out.added = r.extender.begin(&v, func(k int) int { return len(r.shape.Masks()[k]) - len(r.extender.model.Mask(k)) })
	for k := range v.Torque {
		rows, atRest := r.rows(&v, k, r.beside.of(w, &v, k), &out)
		out.add(k, rows, atRest, &r.work)
	}
	return out, nil
}

// reduceWide runs the pass of the fit with the columns of w.
func (e *experiment) reduceWide(ctx context.Context, w *wide) (reduction, error) {
	sources, err := e.trainingSources(0)
	if err != nil {
		return reduction{}, err
	}
	sum := estimate.NewReduction(w.count(), w.masks(shape(e.cfg.Model, e.model)))
	return e.pass(ctx, sources, sum, func(done, total int) { e.cfg.Progress("fitting", done, total) },
		func(r *reducer, c *observation.Chunk) (timeBlocks, error) { return r.applyWide(c, w) })
}
