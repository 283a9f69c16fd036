package estimate

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/estimate/internal/singular"
	"ident/internal/triangle"
)

// fewestBlocks is the number of time blocks below which scores cannot show correlation.
const fewestBlocks = 4

// jointScores holds the scores of one joint's time blocks, in coordinates of the space that the joint's columns span.
type jointScores struct {
	blocks []int       // of the reduction: those with rows of the joint
	p      [][]float64 // Qᵀ·Q of each block, row-major
	u      [][]float64
	own    []float64 // leak in the same coordinates
	unit   float64
}

// scores returns the scores of joint k; unit is the variance of its weighted errors if they are uncorrelated, leak is Σ
// ν_j·P_j (see the package comment). It returns false if there are too few blocks.
func (r *Reduction) scores(k int, s *Solution, root, leak *mat.Dense, unit float64, work *triangle.Work) (*jointScores, bool) {
	mask := r.masks[k]
	if unit == 0 || len(r.blocks) < fewestBlocks || len(mask) == 0 {
		return nil, false
	}
	basis, own := subspace(root, leak, mask, work)
	n := len(mask)
	out := &jointScores{own: own, unit: unit}
	for _, column := range basis {
		floats.Scale(s.Weights[k], column)
	}
	memory := make([]float64, n*n)
	q := rowsOf(memory, n) // columns of Q
	for i, b := range r.blocks {
		f := b.Joints[k]
		if f.Rows == 0 {
			continue
		}
		work.Dots(memory, n, basis, rowsOf(f.R, n))
		u, errors := make([]float64, n), residuals(f, mask, s.X)
		for j, column := range q {
			u[j] = s.Weights[k] * floats.Dot(column, errors)
		}
		out.blocks, out.p, out.u = append(out.blocks, i), append(out.p, gram(q, work)), append(out.u, u)
	}
	return out, true
}

// variance estimates κ·ν, the variance of the joint's weighted errors as the estimate feels it, if errors of a block are
// correlated with those of the linked blocks. spread is the relative variance of that estimate for uncorrelated errors.
// links must be symmetric and ascending.
func (j *jointScores) variance(links [][]int, work *triangle.Work) (variance, spread float64, ok bool) {
	if len(j.p) == 0 {
		return 0, 0, false
	}
	at := make([]int, len(links)) // position of a block of the reduction
	for i := range at {
		at[i] = -1
	}
	for i, b := range j.blocks {
		at[b] = i
	}
	n := len(j.u[0])
	var sum, expect, plain, crossed float64
	total, around, pa := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n) // Σ p·T·p, T·p and p·T·p
	aroundRows := rowsOf(around, n)
	for i, b := range j.blocks {
		p := j.p[i]
		sum += floats.Dot(j.u[i], j.u[i])
		copy(around, p)
		plain += floats.Dot(p, p)
		for _, other := range links[b] {
			o := at[other]
			if o < 0 {
				continue
			}
			if o < i {
				sum += 2 * floats.Dot(j.u[o], j.u[i])
				plain += 2 * floats.Dot(j.p[o], p)
			}
			floats.Add(around, j.p[o])
		}
		work.Dots(pa, n, rowsOf(p, n), aroundRows) // both are symmetric
		for row := range n {
			expect += p[row*n+row] - 2*pa[row*n+row]
		}
		floats.Add(total, pa)
		expect += floats.Dot(pa, j.own) / j.unit
		crossed += floats.Dot(around, pa)
	}
	if !(expect > 0) {
		return 0, 0, false
	}
	again := 0.0 // tr total²
	for row := range n {
		for c := range n {
			again += total[row*n+c] * total[c*n+row]
		}
	}
	spread = 2 * (plain - 2*crossed + again)
	return max(sum, 0) / expect, max(spread, 0) / (expect * expect), true
}

// subspace returns the rows of root that belong to the mask's columns, column by column, in coordinates of the space
// that they span, and leak in the same coordinates. Matrices of the blocks are then no larger than the joint's own
// columns.
func subspace(root, leak *mat.Dense, mask []int, work *triangle.Work) (basis [][]float64, own []float64) {
	columns, rank := root.Dims()
	n := len(mask)
	v := make([]float64, n*rank)
	if rank == columns {
		// Rows of a square root are independent. If their transpose is Q·R, they are Rᵀ in the coordinates of Qᵀ = R⁻ᵀ·rows.
		rows := make([][]float64, n)
		for i, c := range mask {
			rows[i] = root.RawRowView(c)
		}
		f := triangle.New(n)
		f.Add(rows, make([]float64, rank), work)
		work.Dots(v, rank, transposed(rowsOf(singular.Inverse(f.R, n), n)), transposed(rows))
		basis = rowsOf(f.R, n)
	} else {
		rows := mat.NewDense(n, max(rank, n), nil)
		for i, c := range mask {
			copy(rows.RawRowView(i), root.RawRowView(c))
		}
		var lq mat.LQ
		lq.Factorize(rows)
		var l, q mat.Dense
		lq.LTo(&l)
		lq.QTo(&q)
		for i := range n {
			copy(v[i*rank:(i+1)*rank], q.RawRowView(i))
		}
		basis = rowsOf(mat.DenseCopyOf(l.Slice(0, n, 0, n).T()).RawMatrix().Data, n)
	}
	half := make([]float64, n*rank)
	work.Dots(half, rank, rowsOf(v, rank), rowsOf(leak.RawMatrix().Data, rank))
	own = make([]float64, n*n)
	work.Dots(own, n, rowsOf(half, rank), rowsOf(v, rank))
	return basis, own
}

// gram returns qᵀ·q, row-major.
func gram(q [][]float64, work *triangle.Work) []float64 {
	n := len(q)
	p, at := make([]float64, n*n), make([]int, n)
	for i := range at {
		at[i] = i
	}
	work.Gram(p, n, at, q)
	for i := range n {
		for j := range i {
			p[i*n+j] = p[j*n+i]
		}
	}
	return p
}

// transposed returns the columns of a matrix, which must have at least one row.
func transposed(rows [][]float64) [][]float64 {
	columns := rowsOf(make([]float64, len(rows)*len(rows[0])), len(rows))
	for i, row := range rows {
		for j, v := range row {
			columns[j][i] = v
		}
	}
	return columns
}

// rowsOf splits row-major data into rows of n entries.
func rowsOf(data []float64, n int) [][]float64 {
	rows := make([][]float64, len(data)/n)
	for i := range rows {
		rows[i] = data[i*n:][:n:n]
	}
	return rows
}

// inner returns Σ a_ij·b_ij of two matrices, which must not be views of larger ones.
func inner(a, b *mat.Dense) float64 {
	return floats.Dot(a.RawMatrix().Data, b.RawMatrix().Data)
}
