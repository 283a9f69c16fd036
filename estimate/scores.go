package estimate

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// fewestBlocks is the number of time blocks below which their scores say
// nothing about correlation.
const fewestBlocks = 4

// jointScores are the scores of one joint's time blocks, in coordinates of the space that
// the joint's columns span.
type jointScores struct {
	blocks []int        // of the reduction: those with rows of the joint
	p      []*mat.Dense // Qᵀ·Q of each block
	u      [][]float64
	own    *mat.Dense // leak in the same coordinates
	unit   float64
}

// scoresOf returns the scores of joint k, whose weighted errors have the variance unit
// where they are uncorrelated; leak is Σ ν_j·P_j. See the package comment. It returns
// false where there are too few blocks.
func scoresOf(r *Reduction, k int, s *Solution, root, leak *mat.Dense, unit float64) (*jointScores, bool) {
	mask := r.masks[k]
	if unit == 0 || len(r.blocks) < fewestBlocks || len(mask) == 0 {
		return nil, false
	}
	basis, own := subspace(root, leak, mask)
	n := len(mask)
	out := &jointScores{own: own, unit: unit}
	var q mat.Dense
	for i, b := range r.blocks {
		f := b.Joints[k]
		if f.Rows == 0 {
			continue
		}
		q.Mul(mat.NewDense(n, n, f.R), basis)
		q.Scale(s.Weights[k], &q)
		p, u := new(mat.Dense), make([]float64, n)
		p.Mul(q.T(), &q)
		for row, d := range residuals(f, mask, s.X) {
			floats.AddScaled(u, s.Weights[k]*d, q.RawRowView(row))
		}
		out.blocks, out.p, out.u = append(out.blocks, i), append(out.p, p), append(out.u, u)
	}
	return out, true
}

// variance estimates the variance of the joint's weighted errors that the estimate feels, κ·ν, where
// errors of a block are correlated with those of the blocks linked to it, and the relative
// variance of that estimate for errors that are not. links are symmetric and ascending.
func (j *jointScores) variance(links [][]int) (variance, spread float64, ok bool) {
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
	total := mat.NewDense(n, n, nil) // pᵀ·T·p
	around := mat.NewDense(n, n, nil)
	var pm, pa mat.Dense
	for i, b := range j.blocks {
		sum += floats.Dot(j.u[i], j.u[i])
		around.Copy(j.p[i])
		plain += inner(j.p[i], j.p[i])
		for _, other := range links[b] {
			o := at[other]
			if o < 0 {
				continue
			}
			if o < i {
				sum += 2 * floats.Dot(j.u[o], j.u[i])
				plain += 2 * inner(j.p[o], j.p[i])
			}
			around.Add(around, j.p[o])
		}
		pm.Mul(j.p[i], j.own)
		pa.Mul(j.p[i], around)
		total.Add(total, &pa)
		expect += mat.Trace(j.p[i]) - 2*mat.Trace(&pa) + inner(around, &pm)/j.unit
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
