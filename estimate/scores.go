package estimate

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
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
	q := mat.NewDense(n, n, nil)
	for i, b := range r.blocks {
		f := b.Joints[k]
		if f.Rows == 0 {
			continue
		}
		q.Copy(basis)
		blas64.Trmm(blas.Left, blas.NoTrans, s.Weights[k], blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: n, Data: f.R, Stride: n}, q.RawMatrix())
		p, u := gram(q), make([]float64, n)
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
	var pa mat.Dense
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
			floats.Add(around.RawMatrix().Data, j.p[o].RawMatrix().Data)
		}
		pa.Mul(j.p[i], around)
		floats.Add(total.RawMatrix().Data, pa.RawMatrix().Data)
		expect += mat.Trace(j.p[i]) - 2*mat.Trace(&pa) + inner(&pa, j.own)/j.unit
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

// gram is qᵀ·q.
func gram(q *mat.Dense) *mat.Dense {
	_, n := q.Dims()
	p := mat.NewDense(n, n, nil)
	raw := p.RawMatrix()
	blas64.Syrk(blas.Trans, 1, q.RawMatrix(), 0, blas64.Symmetric{Uplo: blas.Upper, N: n, Data: raw.Data, Stride: raw.Stride})
	for i := range n {
		for j := range i {
			raw.Data[i*n+j] = raw.Data[j*n+i]
		}
	}
	return p
}

// inner is Σ a_ij·b_ij of two matrices that are not parts of larger ones.
func inner(a, b *mat.Dense) float64 {
	return floats.Dot(a.RawMatrix().Data, b.RawMatrix().Data)
}
