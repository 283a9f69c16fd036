package trialfit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/doctor/internal/projection"
	"ident/internal/triangle"
	"ident/regressor"
)

// RegressorSummary summarises the rows of a regressor at a motion, all joints together, and their change by the noise of
// the motion.
type RegressorSummary struct {
	columns  int
	square   []float64               // sum of squares of a column
	products []float64               // of the columns with each other, row-major, those on and above the diagonal
	changed  []float64               // those of the change
	factor   func() *triangle.Factor // of the columns
}

// batchRows is the number of samples in a batch, such that its rows stay in the nearest caches.
const batchRows = 256

// Summarise evaluates the model at a motion and at the same with noise, for the joints that count. The rows of closed loops
// are evaluated at once, for a loop is followed along the motion.
func Summarise(m *regressor.Model, clean, noisy regressor.Batch, counts func(joint int) bool) RegressorSummary {
	columns := len(m.Columns())
	out := RegressorSummary{columns, make([]float64, columns), make([]float64, columns*columns), make([]float64, columns*columns), func() *triangle.Factor { return factorOf(m, clean, counts) }}
	var work triangle.Work
	var b *regressor.Block
	var rows batches
	var ws *regressor.Workspace
	rows.each(m, clean, func(at int, a *regressor.Block) {
		if b == nil {
			b, ws = m.NewBlock(a.Rows), rows.work
			if m.Loops() != nil {
				ws = m.NewWorkspace() // memory of where the other motion has its loops
			}
		}
		b.Resize(a.Rows)
		m.EvalBatch(b, cut(noisy, at, a.Rows), ws)
		for j := range m.Joints() {
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
			work.Gram(out.products, columns, m.Mask(j), a.Joint[j])
			work.Gram(out.changed, columns, m.Mask(j), b.Joint[j])
		}
	})
	return out
}

// batches is memory for evaluating a model batch by batch, also for models that differ from it only in gravity.
type batches struct {
	block   *regressor.Block
	work    *regressor.Workspace
	samples int // of the block at most
}

// each evaluates the model batch by batch; at is the index of the batch's first sample.
func (b *batches) each(m *regressor.Model, motion regressor.Batch, visit func(at int, rows *regressor.Block)) {
	samples := len(motion.Q[0])
	batch := min(batchRows, samples)
	if m.Loops() != nil {
		batch = samples
	}
	b.room(m, batch)
	for at := 0; at < samples; at += batch {
		n := min(batch, samples-at)
		b.block.Resize(n)
		m.EvalBatch(b.block, cut(motion, at, n), b.work)
		visit(at, b.block)
	}
}

// room enlarges the memory for the given number of samples.
func (b *batches) room(m *regressor.Model, samples int) {
	if b.samples < samples {
		b.block, b.work, b.samples = m.NewBlock(samples), m.NewWorkspace(), samples
	}
}

// factorOf returns the triangular factor of the rows of the joints that count.
func factorOf(m *regressor.Model, motion regressor.Batch, counts func(joint int) bool) *triangle.Factor {
	var own []*triangle.Factor
	for j := range m.Joints() {
		own = append(own, triangle.New(len(m.Mask(j))))
	}
	var work triangle.Work
	nothing := make([]float64, len(motion.Q[0]))
	new(batches).each(m, motion, func(_ int, rows *regressor.Block) {
		for j := range own {
			if counts(j) {
				own[j].Add(rows.Joint[j], nothing[:rows.Rows], &work)
			}
		}
	})
	columns := len(m.Columns())
	out := triangle.New(columns)
	for j := range own {
		if counts(j) && len(m.Mask(j)) > 0 {
			// Rows of zeros are kept in between: which undetermined directions are named depends on the last bits, and
			// so on the order of the sums.
			out.Merge(own[j].Embed(columns, m.Mask(j)), &work)
		}
	}
	return out
}

// cut returns n samples of a motion.
func cut(in regressor.Batch, from, n int) regressor.Batch {
	part := func(cols [][]float64) [][]float64 {
		if cols == nil {
			return nil
		}
		out := make([][]float64, len(cols))
		for j, c := range cols {
			out[j] = c[from : from+n]
		}
		return out
	}
	return regressor.Batch{Q: part(in.Q), DQ: part(in.DQ), DDQ: part(in.DDQ)}
}

// Norm returns the norm of a column over all joints.
func (s RegressorSummary) Norm(column int) float64 { return math.Sqrt(s.square[column]) }

// Change returns the norm of the change of a column.
func (s RegressorSummary) Change(column int) float64 {
	return math.Sqrt(s.changed[column*s.columns+column])
}

// Scaled returns the kept columns of the triangular factor over their scales: they have the singular values and the
// right singular vectors of the rows.
func (s RegressorSummary) Scaled(keep []int, scale []float64) *mat.Dense {
	f := s.factor()
	n := f.N
	w := mat.NewDense(n, len(keep), nil)
	for at, column := range keep {
		for row := 0; row <= column; row++ {
			w.Set(row, at, f.R[row*n+column]/scale[column])
		}
	}
	return w
}

// Excites returns a quick sufficient test. True means that along every direction of the kept columns (divided by their
// scales) the change of the rows is less than a share of the rows themselves, and that their condition number is less
// than most. False means nothing. Both are differences of matrices of products that are positive definite, which
// Cholesky's factorisation shows: with G the products of n columns of unit norm and H those of their change, share²·G -
// H and G - n/most²·I, for the largest eigenvalue of G is n at most.
func (s RegressorSummary) Excites(keep []int, scale []float64, share, most float64) bool {
	n := len(keep)
	g, d := s.scaled(s.products, keep, scale), s.scaled(s.changed, keep, scale)
	for i := range n {
		for j := i; j < n; j++ {
			d.SetSym(i, j, share*share*g.At(i, j)-d.At(i, j))
		}
		g.SetSym(i, i, g.At(i, i)-float64(n)/(most*most))
	}
	var c mat.Cholesky
	return c.Factorize(g) && c.Factorize(d)
}

// scaled returns products of the kept columns divided by their scales.
func (s RegressorSummary) scaled(products []float64, keep []int, scale []float64) *mat.SymDense {
	g := mat.NewSymDense(len(keep), nil)
	for i, row := range keep {
		for j, column := range keep[i:] {
			g.SetSym(i, i+j, products[row*s.columns+column]/(scale[row]*scale[column]))
		}
	}
	return g
}

// ChangeAlong returns the norm of the change of the rows, columns over their scales, along directions v of the kept
// columns, one a column of v. Products of columns have it to 1e-8 of the largest, where the threshold of directions is
// 3e-6.
func (s RegressorSummary) ChangeAlong(keep []int, scale []float64, v *mat.Dense) []float64 {
	g := s.scaled(s.changed, keep, scale)
	var gv mat.Dense
	gv.Mul(g, v)
	out := make([]float64, len(keep))
	for j := range out {
		out[j] = math.Sqrt(math.Max(0, mat.Dot(v.ColView(j), gv.ColView(j))))
	}
	return out
}
