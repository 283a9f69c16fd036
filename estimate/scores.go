package estimate

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/internal/triangle"
)

// fewestBlocks is the number of time blocks below which their scores say
// nothing about correlation.
const fewestBlocks = 4

// jointScores estimates, from the scores of the time blocks, the variance of joint
// k's weighted errors that the estimate feels, κ·ν, and the relative variance of
// that estimate. unit is ν, leak Σ ν_j·P_j. See the package comment.
func jointScores(r *Reduction, k int, s *Solution, root, leak *mat.Dense, unit float64) (variance, spread float64, ok bool) {
	mask := r.masks[k]
	if unit == 0 || len(r.blocks) < fewestBlocks || len(mask) == 0 {
		return 0, 0, false
	}
	basis, own := subspace(root, leak, mask)
	n := len(mask)
	blocks := make([]*triangle.Factor, 0, len(r.blocks))
	linked := make([]bool, 0, len(r.blocks)) // to the block before
	for i, b := range r.blocks {
		f := b.Joints[k]
		if f.Rows == 0 {
			continue
		}
		linked = append(linked, len(blocks) > 0 && i > 0 && b.Run == r.blocks[i-1].Run && r.blocks[i-1].Joints[k].Rows > 0)
		blocks = append(blocks, f)
	}
	p := make([]*mat.Dense, len(blocks)) // Qᵀ·Q of each block
	u := make([][]float64, len(blocks))
	var q mat.Dense
	for i, f := range blocks {
		q.Mul(mat.NewDense(n, n, f.R), basis)
		q.Scale(s.Weights[k], &q)
		p[i] = new(mat.Dense)
		p[i].Mul(q.T(), &q)
		u[i] = make([]float64, n)
		for row, d := range residuals(f, mask, s.X) {
			floats.AddScaled(u[i], s.Weights[k]*d, q.RawRowView(row))
		}
	}
	var sum, expect, plain, crossed float64
	total := mat.NewDense(n, n, nil) // pᵀ·T·p
	around := mat.NewDense(n, n, nil)
	var pm, pa mat.Dense
	for i := range p {
		sum += floats.Dot(u[i], u[i])
		around.Copy(p[i])
		plain += inner(p[i], p[i])
		if linked[i] {
			sum += 2 * floats.Dot(u[i-1], u[i])
			around.Add(around, p[i-1])
			plain += 2 * inner(p[i-1], p[i])
		}
		if i+1 < len(p) && linked[i+1] {
			around.Add(around, p[i+1])
		}
		pm.Mul(p[i], own)
		pa.Mul(p[i], around)
		total.Add(total, &pa)
		expect += mat.Trace(p[i]) - 2*mat.Trace(&pa) + inner(around, &pm)/unit
		crossed += inner(around, &pa)
	}
	if !(expect > 0) {
		return 0, 0, false
	}
	pa.Mul(total, total)
	spread = 2 * (plain - 2*crossed + mat.Trace(&pa))
	return max(sum, 0) / expect, max(spread, 0) / (expect * expect), true
}

// subspace returns the rows of root that belong to the mask's columns, in
// coordinates of the space that they span, and leak in the same coordinates:
// joint by joint the blocks' matrices are then no larger than the joint's own
// columns.
func subspace(root, leak *mat.Dense, mask []int) (basis *mat.Dense, own *mat.Dense) {
	_, rank := root.Dims()
	n := len(mask)
	rows := mat.NewDense(n, max(rank, n), nil)
	for i, c := range mask {
		copy(rows.RawRowView(i), root.RawRowView(c))
	}
	var lq mat.LQ
	lq.Factorize(rows)
	var l, q, m mat.Dense
	lq.LTo(&l)
	lq.QTo(&q)
	v := q.Slice(0, n, 0, rank)
	m.Mul(v, leak)
	own = new(mat.Dense)
	own.Mul(&m, v.T())
	basis = mat.DenseCopyOf(l.Slice(0, n, 0, n))
	return basis, own
}

// inner is Σ a_ij·b_ij of two matrices that are not parts of larger ones.
func inner(a, b *mat.Dense) float64 {
	return floats.Dot(a.RawMatrix().Data, b.RawMatrix().Data)
}
