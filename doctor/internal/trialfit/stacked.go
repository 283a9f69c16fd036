package trialfit

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"ident/doctor/internal/projection"
	"ident/regressor"
)

// floorNoise is the fraction of a torque's RMS below which residuals are rounding: differentiated positions
// and resampled clocks are about that accurate.
const floorNoise = 1e-3

// Stacked is the fit of all joints at once: rows of joint k stand at [k·n, (k+1)·n), weighted by the
// noise of the joint's own fit. Its methods that change torques or columns fit anew.
type Stacked struct {
	Equations *Rows
	Rows      int      // number of rows that are not left out
	Joints    []*Joint // joints with a torque; index k refers to these
	// Weights of their rows, one over the standard deviation of the own fit. They stay as they were when a
	// torque is scaled: the columns have them too.
	Weights []float64
	Basis   *Blocks
	Y       []float64
	Rest    []float64
	X       []float64 // base parameters
	Chi2    float64   // variance of a row's residual

	torques   *regressor.Torques // of the equations' model, nil before they are asked for
	predicted [][]float64        // memory of a prediction
	hats      [][]float64        // see Predicted; nil after a change of torques
	changes   int                // of torques and columns
	batches   batches            // of the equations' columns, under any gravity
}

// NewStacked stacks the joints' fits; nil where there is none, or where ctx is done.
func NewStacked(ctx context.Context, tr *Rows, fits []*Joint) *Stacked {
	t := &Stacked{Equations: tr}
	for _, o := range fits {
		if o != nil {
			t.Joints = append(t.Joints, o)
			t.Weights = append(t.Weights, 1/math.Max(o.Sigma, floorNoise*o.Size()))
			t.Rows += o.Rows
		}
	}
	if len(t.Joints) == 0 {
		return nil
	}
	var own []*Basis
	for _, o := range t.Joints {
		own = append(own, &o.Basis)
	}
	var numbers [][]int // of the columns in the joints' bases
	for c := range tr.Model.Columns() {
		its := make([]int, len(own))
		for k, o := range t.Joints {
			var ok bool
			if its[k], ok = slices.BinarySearch(o.Cols, c); !ok {
				its[k] = -1
			}
		}
		numbers = append(numbers, its)
	}
	for k, o := range t.Joints {
		for e := range o.extra {
			its := slices.Repeat([]int{-1}, len(own))
			its[k] = len(o.Cols) + e
			numbers = append(numbers, its)
		}
	}
	t.Basis = projection.NewBlocks(own, t.Weights, numbers)
	if ctx.Err() != nil {
		return nil
	}
	t.fit()
	return t
}

// Put writes one joint's weighted rows into a stacked column.
func (t *Stacked) Put(dst []float64, k int, rows []float64) {
	w, n := t.Weights[k], len(t.Equations.T)
	for i, v := range rows {
		if !t.Joints[k].Lost[i] {
			dst[k*n+i] = w * v
		}
	}
}

// fit stacks the torques and fits them.
func (t *Stacked) fit() {
	t.changes++
	t.Y, t.hats = make([]float64, t.Basis.Rows), nil
	for k, o := range t.Joints {
		t.Put(t.Y, k, o.Y)
	}
	t.X, t.Rest = t.Basis.Fit(t.Y)
	t.X = t.X[:len(t.Equations.Model.Columns())]
	t.Chi2 = projection.Dot(t.Rest, t.Rest) / float64(max(t.Rows-t.Basis.Rank(), 1))
}

// DivideTorques divides the torque of joint ks[i] by by[i].
func (t *Stacked) DivideTorques(ks []int, by []float64) {
	for i, k := range ks {
		t.Joints[k].DivideTorque(by[i])
	}
	t.fit()
}

// Turn changes the signs of torques.
func (t *Stacked) Turn(ks ...int) {
	for _, k := range ks {
		t.Joints[k].DivideTorque(-1)
	}
	t.fit()
}

// Extend fits with more stacked columns.
func (t *Stacked) Extend(cols [][]float64) {
	t.Basis.Extend(cols...)
	t.fit()
}

// Torques are copies of the torques of some joints and of their residuals, for Restore.
func (t *Stacked) Torques(ks []int) (saved [][2][]float64) {
	for _, k := range ks {
		saved = append(saved, [2][]float64{slices.Clone(t.Joints[k].Y), slices.Clone(t.Joints[k].Rest)})
	}
	return saved
}

// Restore takes back the divisions since the copies were made.
func (t *Stacked) Restore(ks []int, saved [][2][]float64) {
	for i, k := range ks {
		copy(t.Joints[k].Y, saved[i][0])
		copy(t.Joints[k].Rest, saved[i][1])
	}
	t.fit()
}

// Predicted returns the prediction of joint k by its own fit, stacked: the slice stays the same until the torques
// change. The caller must not change it.
func (t *Stacked) Predicted(k int) []float64 {
	if t.hats == nil {
		t.hats = make([][]float64, len(t.Joints))
	}
	if t.hats[k] == nil {
		t.hats[k] = t.hat(k)
	}
	return t.hats[k]
}

func (t *Stacked) hat(k int) []float64 {
	col := make([]float64, t.Basis.Rows)
	o := t.Joints[k]
	hat := make([]float64, len(o.Y))
	for i := range hat {
		hat[i] = o.Y[i] - o.Rest[i]
	}
	t.Put(col, k, hat)
	return col
}

// Misfit returns the RMS residual of joint k in the fit of all joints, in units of the standard deviation of its own fit.
func (t *Stacked) Misfit(k int) float64 {
	n := len(t.Equations.T)
	return projection.Norm(t.Rest[k*n:(k+1)*n]) / math.Sqrt(float64(t.Joints[k].Rows))
}

// WorstMisfit returns the largest of the joints'.
func (t *Stacked) WorstMisfit() float64 {
	worst := 0.0
	for k := range t.Joints {
		worst = math.Max(worst, t.Misfit(k))
	}
	return worst
}

// WithTurned returns the residual sum of squares with the signs of some torques reversed.
func (t *Stacked) WithTurned(ks ...int) float64 {
	n := len(t.Equations.T)
	y := slices.Clone(t.Y)
	for _, k := range ks {
		for i := k * n; i < (k+1)*n; i++ {
			y[i] = -y[i]
		}
	}
	r := t.Basis.Residuals(y)[0]
	return projection.Dot(r, r)
}

// turnedDoubt is the error of a sum of squares of LeastTurned, as a fraction of that of the torques: ten times the
// rounding of a sum over up to 10⁵ rows, 1e-16 each.
const turnedDoubt = 1e-10

// LeastTurned returns a lower bound of WithTurned for one joint, in a fraction of its time: with P the projection on
// the columns and y_k the rows of the torque of joint k,
//
//	‖r - 2·(1 - P)·y_k‖² = ‖r‖² - 4·r·y_k + 4·(‖y_k‖² - ‖P·y_k‖²)
func (t *Stacked) LeastTurned(k int) float64 {
	n := len(t.Equations.T)
	y, r := t.Y[k*n:(k+1)*n], t.Rest[k*n:(k+1)*n]
	size := projection.Dot(y, y)
	return projection.Dot(t.Rest, t.Rest) - 4*projection.Dot(r, y) + 4*(size-t.Basis.Part(k, y)) - turnedDoubt*projection.Dot(t.Y, t.Y)
}

// Inflation of the stacked residual: the largest of the joints'.
func (t *Stacked) Inflation() float64 {
	n, most := len(t.Equations.T), 1.0
	for k := range t.Joints {
		most = math.Max(most, projection.Inflation(t.Rest[k*n:(k+1)*n]))
	}
	return most
}

// Added fits extra columns to the residual of all joints together.
func (t *Stacked) Added(cols ...[]float64) (Gain, bool) {
	return Added(t.Basis, t.Rest, t.Rows, t.Inflation(), cols...)
}

// Beside holds columns that may be added to the fit; its Added answers for some of them what Stacked.Added does. They
// are valid until the fit's columns change.
type Beside struct {
	fit       *Stacked
	inflation float64
	of        map[*float64]*besideColumn // by the first number of a column
}

type besideColumn struct {
	projection.Candidate
	residual []float64 // nil before it is asked for
}

// Beside projects stacked columns onto the fit's, all at once. If a column occurs several times, it must be the same slice.
func (t *Stacked) Beside(cols [][]float64) *Beside {
	b := &Beside{fit: t, inflation: t.Inflation(), of: map[*float64]*besideColumn{}}
	var once [][]float64
	for _, c := range cols {
		if b.of[&c[0]] == nil {
			b.of[&c[0]] = new(besideColumn)
			once = append(once, c)
		}
	}
	for i, c := range t.Basis.Candidates(once...) {
		b.of[&once[i][0]].Candidate = c
	}
	return b
}

// Most returns an upper bound of the Share of some of the columns.
func (b *Beside) Most(cols ...[]float64) float64 {
	var its []projection.Candidate
	for _, c := range cols {
		its = append(its, b.of[&c[0]].Candidate)
	}
	return projection.MostExplained(b.fit.Rest, inModel, its...)
}

// residuals returns the residuals of columns; a nil Beside has none yet.
func (b *Beside) residuals(t *Stacked, cols [][]float64) [][]float64 {
	if b == nil {
		b = &Beside{of: map[*float64]*besideColumn{}}
	}
	var beside []*besideColumn
	var its []projection.Candidate
	var fresh [][]float64
	out := make([][]float64, len(cols))
	var at []int
	for i, c := range cols {
		switch x := b.of[&c[0]]; {
		case x == nil:
			at, fresh = append(at, i), append(fresh, c)
		case x.residual == nil:
			beside, its = append(beside, x), append(its, x.Candidate)
		}
	}
	for i, v := range t.Basis.LeftOf(its...) {
		beside[i].residual = v
	}
	for i, v := range t.Basis.Residuals(fresh...) {
		out[at[i]] = v
	}
	for i, c := range cols {
		if out[i] == nil {
			out[i] = b.of[&c[0]].residual
		}
	}
	return out
}

// Added fits some of the columns to the residual of all joints together.
func (b *Beside) Added(cols ...[]float64) (Gain, bool) {
	return added(b.fit.Basis, b.fit.Rest, b.fit.Rows, b.inflation, cols, b.residuals(b.fit, cols))
}

// Derivative returns the stacked derivative of the prediction with a change h of the motion, by central differences.
func (t *Stacked) Derivative(h float64, at func(h float64) (q, dq, ddq [][]float64)) []float64 {
	col := make([]float64, t.Basis.Rows)
	for _, side := range []float64{h, -h} {
		t.add(col, t.predict(at(side)), 1/(2*side))
	}
	return col
}

// Slopes returns what Derivative does for the torque of each joint at all rows, N·m or N a unit of h.
func (t *Stacked) Slopes(h float64, at func(h float64) (q, dq, ddq [][]float64)) [][]float64 {
	out := grid(t.Equations.Model.Joints(), len(t.Equations.T))
	for _, side := range []float64{h, -h} {
		for j, torque := range t.predict(at(side)) {
			floats.AddScaled(out[j], 1/(2*side), torque)
		}
	}
	return out
}

// predict returns the torques of a motion, which stand until it is called again.
func (t *Stacked) predict(q, dq, ddq [][]float64) [][]float64 {
	if t.torques == nil {
		t.torques, t.predicted = regressor.NewTorques(t.Equations.Model), grid(t.Equations.Model.Joints(), len(t.Equations.T))
	}
	_ = t.torques.Eval(t.predicted, regressor.Batch{Q: q, DQ: dq, DDQ: ddq}, t.X)
	return t.predicted
}

// OfGravity returns the stacked prediction of a model at rest in the positions of the motion, by the parameters of its
// bodies alone: with the acceleration of gravity that the model has, the derivative by gravity along it.
func (t *Stacked) OfGravity(m *regressor.Model) []float64 {
	x := slices.Clone(t.X)
	for i, c := range m.Columns() {
		if c.Term != regressor.Links {
			x[i] = 0
		}
	}
	rest := slices.Repeat([][]float64{make([]float64, len(t.Equations.T))}, m.Joints())
	col := make([]float64, t.Basis.Rows)
	out, part := grid(m.Joints(), len(t.Equations.T)), make([][]float64, m.Joints())
	t.batches.each(m, regressor.Batch{Q: t.Equations.Q, DQ: rest, DDQ: rest}, func(at int, rows *regressor.Block) {
		for j := range part {
			part[j] = out[j][at : at+rows.Rows]
		}
		m.Predict(part, rows, x)
	})
	t.add(col, out, 1)
	return col
}

// add adds multiples of a prediction, joint by joint, to a stacked column.
func (t *Stacked) add(col []float64, predicted [][]float64, by float64) {
	n := len(t.Equations.T)
	for k, o := range t.Joints {
		w := by * t.Weights[k]
		for i, v := range predicted[o.Index] {
			if !o.Lost[i] {
				col[k*n+i] += w * v
			}
		}
	}
}

func grid(columns, rows int) [][]float64 {
	out, memory := make([][]float64, columns), make([]float64, columns*rows)
	for j := range out {
		out[j] = memory[j*rows : (j+1)*rows : (j+1)*rows]
	}
	return out
}

// Predict returns the model's torque for parameters x, joint by joint.
func Predict(m *regressor.Model, x []float64, q, dq, ddq [][]float64) [][]float64 {
	out := grid(m.Joints(), len(q[0]))
	// Where loops cannot be followed, the rows from there on are NaN.
	_ = regressor.NewTorques(m).Eval(out, regressor.Batch{Q: q, DQ: dq, DDQ: ddq}, x)
	return out
}
