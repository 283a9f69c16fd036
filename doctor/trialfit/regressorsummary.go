package trialfit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/projection"
	"ident/internal/triangle"
	"ident/regressor"
)

// RegressorSummary summarises the rows of a regressor at a motion, all joints together, and their change by the noise of
// the motion.
type RegressorSummary struct {
	square  []float64        // sum of squares of a column
	factor  *triangle.Factor // of the columns
	changed []float64        // products of the columns of the change, row-major, those on and above the diagonal
}

// batchRows is the number of samples whose rows stay in the nearest caches.
const batchRows = 256

// Summarise evaluates the model at a motion and at the same with noise, for the joints that count. The rows of closed loops
// are evaluated at once, for a loop is followed along the motion.
func Summarise(m *regressor.Model, clean, noisy regressor.Batch, counts func(joint int) bool) RegressorSummary {
	columns, samples := len(m.Columns()), len(clean.Q[0])
	batch := min(batchRows, samples)
	if m.Loops() != nil {
		batch = samples
	}
	out := RegressorSummary{make([]float64, columns), triangle.New(columns), make([]float64, columns*columns)}
	var own []*triangle.Factor
	for j := range m.Joints() {
		own = append(own, triangle.New(len(m.Mask(j))))
	}
	a, b, ws := m.NewBlock(batch), m.NewBlock(batch), m.NewWorkspace()
	var work triangle.Work
	nothing := make([]float64, batch)
	for at := 0; at < samples; at += batch {
		n := min(batch, samples-at)
		a.Resize(n)
		b.Resize(n)
		m.EvalBatch(a, cut(clean, at, n), ws)
		m.EvalBatch(b, cut(noisy, at, n), ws)
		for j := range own {
			if !counts(j) {
				continue
			}
			for i, c := range m.Mask(j) {
				x, y := a.Joint[j][i], b.Joint[j][i]
				for k := range y {
					y[k] -= x[k]
				}
				out.square[c] += projection.Dot(x, x)
			}
			own[j].Add(a.Joint[j], nothing[:n], &work)
			work.Gram(out.changed, columns, m.Mask(j), b.Joint[j])
		}
	}
	for j := range own {
		if counts(j) && len(m.Mask(j)) > 0 {
			out.factor.Merge(own[j].Embed(columns, m.Mask(j)), &work)
		}
	}
	return out
}

// cut returns n samples of a motion.
func cut(in regressor.Batch, from, n int) regressor.Batch {
	part := func(cols [][]float64) [][]float64 {
		out := make([][]float64, len(cols))
		for j, c := range cols {
			out[j] = c[from : from+n]
		}
		return out
	}
	return regressor.Batch{Q: part(in.Q), DQ: part(in.DQ), DDQ: part(in.DDQ)}
}

// Norm is that of a column over all joints.
func (s RegressorSummary) Norm(column int) float64 { return math.Sqrt(s.square[column]) }

// Change is the norm of the change of a column.
func (s RegressorSummary) Change(column int) float64 {
	return math.Sqrt(s.changed[column*s.factor.N+column])
}

// Scaled are the kept columns of the triangular factor over their scales: they have the singular values and the right
// singular vectors of the rows.
func (s RegressorSummary) Scaled(keep []int, scale []float64) *mat.Dense {
	n := s.factor.N
	w := mat.NewDense(n, len(keep), nil)
	for at, column := range keep {
		for row := 0; row <= column; row++ {
			w.Set(row, at, s.factor.R[row*n+column]/scale[column])
		}
	}
	return w
}

// ChangeAlong is the norm of the change of the rows, columns over their scales, along directions v of the kept columns, one a
// column of v. Products of columns have it to 1e-8 of the largest, where directions are held against 3e-6.
func (s RegressorSummary) ChangeAlong(keep []int, scale []float64, v *mat.Dense) []float64 {
	g := mat.NewSymDense(len(keep), nil)
	for i, row := range keep {
		for j, column := range keep[i:] {
			g.SetSym(i, i+j, s.changed[row*s.factor.N+column]/(scale[row]*scale[column]))
		}
	}
	var gv mat.Dense
	gv.Mul(g, v)
	out := make([]float64, len(keep))
	for j := range out {
		out[j] = math.Sqrt(math.Max(0, mat.Dot(v.ColView(j), gv.ColView(j))))
	}
	return out
}
