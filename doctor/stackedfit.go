package doctor

import (
	"ident/internal/projection"
	"math"
	"slices"

	"ident/regressor"
)

// floorNoise is the part of a torque's RMS below which deviations are rounding: positions are
// differentiated and clocks resampled with about that accuracy.
const floorNoise = 1e-3

// stackedFit is the fit of all joints at once: rows of joint k stand at [k·n, (k+1)·n), weighted by the
// noise of the joint's own fit. Its methods that change torques or columns fit anew.
type stackedFit struct {
	tr     *torqueRows
	rows   int         // that count
	joints []*jointFit // those that have one; k counts these
	turned []bool      // the torque of joint k has been turned against the log
	// Weights of their rows, one over the deviation of the own fit. They stay as they were when a
	// torque is scaled: the columns have them too.
	weights []float64
	basis   projection.Basis
	y       []float64
	rest    []float64
	x       []float64 // base parameters
	chi2    float64   // of a row
}

// newStackedFit stacks the joints' fits; nil where there is none.
func newStackedFit(tr *torqueRows, fits []*jointFit) *stackedFit {
	t := &stackedFit{tr: tr}
	for _, o := range fits {
		if o != nil {
			t.joints = append(t.joints, o)
			t.weights = append(t.weights, 1/math.Max(o.sigma, floorNoise*o.size()))
			t.rows += o.rows
		}
	}
	if len(t.joints) == 0 {
		return nil
	}
	t.turned = make([]bool, len(t.joints))
	n := len(tr.t)
	t.basis.Rows = n * len(t.joints)
	for c := range tr.model.Columns() {
		col := make([]float64, t.basis.Rows)
		for k, o := range t.joints {
			if i, ok := slices.BinarySearch(o.cols, c); ok {
				t.put(col, k, tr.w[o.joint][i])
			}
		}
		t.basis.Offer(col)
	}
	for k, o := range t.joints {
		for _, e := range o.extra {
			col := make([]float64, t.basis.Rows)
			t.put(col, k, e)
			t.basis.Offer(col)
		}
	}
	t.fit()
	return t
}

// put writes one joint's weighted rows into a stacked column.
func (t *stackedFit) put(dst []float64, k int, rows []float64) {
	w, n := t.weights[k], len(t.tr.t)
	for i, v := range rows {
		if !t.joints[k].lost[i] {
			dst[k*n+i] = w * v
		}
	}
}

// fit stacks the torques and fits them.
func (t *stackedFit) fit() {
	t.y = make([]float64, t.basis.Rows)
	for k, o := range t.joints {
		t.put(t.y, k, o.y)
	}
	t.x = t.basis.Solve(t.y)[:len(t.tr.model.Columns())]
	t.rest = t.basis.Residual(t.y)
	t.chi2 = projection.Dot(t.rest, t.rest) / float64(max(t.rows-len(t.basis.Q), 1))
}

// divideTorques divides the torque of joint ks[i] by by[i].
func (t *stackedFit) divideTorques(ks []int, by []float64) {
	for i, k := range ks {
		t.joints[k].divideTorque(by[i])
	}
	t.fit()
}

// turn changes the signs of torques.
func (t *stackedFit) turn(ks ...int) {
	for _, k := range ks {
		t.joints[k].divideTorque(-1)
		t.turned[k] = !t.turned[k]
	}
	t.fit()
}

// extend fits with more stacked columns.
func (t *stackedFit) extend(cols [][]float64) {
	for _, c := range cols {
		t.basis.Offer(c)
	}
	t.fit()
}

// torques are copies of the torques of some joints and of their residuals, for restore.
func (t *stackedFit) torques(ks []int) (saved [][2][]float64) {
	for _, k := range ks {
		saved = append(saved, [2][]float64{slices.Clone(t.joints[k].y), slices.Clone(t.joints[k].rest)})
	}
	return saved
}

// restore takes back the divisions since the copies were made.
func (t *stackedFit) restore(ks []int, saved [][2][]float64) {
	for i, k := range ks {
		copy(t.joints[k].y, saved[i][0])
		copy(t.joints[k].rest, saved[i][1])
	}
	t.fit()
}

// predicted is the prediction of joint k by its own fit, stacked.
func (t *stackedFit) predicted(k int) []float64 {
	col := make([]float64, t.basis.Rows)
	o := t.joints[k]
	hat := make([]float64, len(o.y))
	for i := range hat {
		hat[i] = o.y[i] - o.rest[i]
	}
	t.put(col, k, hat)
	return col
}

// misfit is the RMS residual of joint k together with the others, in deviations of its own fit.
func (t *stackedFit) misfit(k int) float64 {
	n := len(t.tr.t)
	return projection.Norm(t.rest[k*n:(k+1)*n]) / math.Sqrt(float64(t.joints[k].rows))
}

// worstMisfit is the largest of the joints'.
func (t *stackedFit) worstMisfit() float64 {
	worst := 0.0
	for k := range t.joints {
		worst = math.Max(worst, t.misfit(k))
	}
	return worst
}

// withTurned is the residual sum of squares with the signs of some torques turned.
func (t *stackedFit) withTurned(ks ...int) float64 {
	n := len(t.tr.t)
	y := slices.Clone(t.y)
	for _, k := range ks {
		for i := k * n; i < (k+1)*n; i++ {
			y[i] = -y[i]
		}
	}
	r := t.basis.Residual(y)
	return projection.Dot(r, r)
}

// inflation of the stacked residual: the largest of the joints'.
func (t *stackedFit) inflation() float64 {
	n, most := len(t.tr.t), 1.0
	for k := range t.joints {
		most = math.Max(most, projection.Inflation(t.rest[k*n:(k+1)*n]))
	}
	return most
}

// added fits extra columns to the residual of all joints together.
func (t *stackedFit) added(cols ...[]float64) (gain, bool) {
	return added(&t.basis, t.rest, t.rows, t.inflation(), cols...)
}

// derivative is the stacked derivative of the prediction with a change h of the motion or the model, by
// central differences.
func (t *stackedFit) derivative(h float64, at func(h float64) (m *regressor.Model, q, dq, ddq [][]float64)) []float64 {
	n := len(t.tr.t)
	col := make([]float64, t.basis.Rows)
	for _, side := range []float64{h, -h} {
		m, q, dq, ddq := at(side)
		pred := predict(m, t.x, q, dq, ddq)
		for k, o := range t.joints {
			w := t.weights[k] / (2 * side)
			for i, v := range pred[o.joint] {
				if !o.lost[i] {
					col[k*n+i] += w * v
				}
			}
		}
	}
	return col
}

// predict is the model's torque for parameters x, joint by joint.
func predict(m *regressor.Model, x []float64, q, dq, ddq [][]float64) [][]float64 {
	n := len(q[0])
	b := m.NewBlock(n)
	m.Eval(b, q, dq, ddq, m.NewWorkspace())
	out := make([][]float64, m.Joints())
	for j := range out {
		out[j] = make([]float64, n)
		for i, c := range m.Mask(j) {
			if x[c] == 0 {
				continue
			}
			for k, v := range b.Joint[j][i] {
				out[j][k] += x[c] * v
			}
		}
	}
	return out
}
