package projection

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Blocks is an orthonormal basis of columns whose rows are in blocks, the equations of several joints one below the
// other. Every block has a basis Q_k of its own. With Q_k·R_k for the block of the columns, the columns are diag(Q_1,
// Q_2, …)·(R_1; R_2; …). The second factor has one row for each vector of the blocks' bases, a tenth of the rows. If B
// is its basis, diag(Q_1, Q_2, …)·B is that of the columns. This is the communication-avoiding QR of Demmel, Grigori,
// Hoemmen and Langou (SIAM J. Sci. Comput. 34, 2012), with the Gram-Schmidt method at both levels. Blocks must be used
// by one goroutine at a time.
type Blocks struct {
	Rows int // of all blocks
	packed
	own   []*Basis
	first []int       // coordinates of block k stand at first[k] to first[k+1]-1
	inner Basis       // B
	more  [][]float64 // vectors that Extend added
}

// NewBlocks returns the basis of columns that the blocks' bases already hold. number[c][k] is the index of column c in
// the basis of block k, -1 if it is zero there. The rows of block k are multiplied by weights[k]. All blocks must have
// the same number of rows.
func NewBlocks(own []*Basis, weights []float64, number [][]int) *Blocks {
	b := &Blocks{own: own, first: make([]int, len(own)+1)}
	for k, o := range own {
		b.Rows += o.Rows
		b.first[k+1] = b.first[k] + o.Rank()
	}
	b.inner.Rows = b.coordinates()
	panel := grid(Panel, b.inner.Rows)
	for at := 0; at < len(number); at += Panel {
		some := number[at:min(at+Panel, len(number))]
		for i, its := range some {
			clear(panel[i])
			for k, c := range its {
				if c < 0 {
					continue
				}
				to := panel[i][b.first[k]:]
				for row, v := range own[k].column(c) {
					to[row] = weights[k] * v
				}
			}
		}
		b.inner.Offer(panel[:len(some)]...)
	}
	b.packed = b.inner.packed
	return b
}

func grid(n, rows int) [][]float64 {
	out, memory := make([][]float64, n), make([]float64, n*rows)
	for i := range out {
		out[i] = memory[i*rows : (i+1)*rows : (i+1)*rows]
	}
	return out
}

// coordinates returns the number of vectors in all blocks' bases together.
func (b *Blocks) coordinates() int { return b.first[len(b.own)] }

// block returns the rows of column x that belong to block k.
func (b *Blocks) block(k int, x []float64) []float64 {
	n := b.Rows / len(b.own)
	return x[k*n : (k+1)*n : (k+1)*n]
}

// Extend adds the columns that are independent of the columns before them.
func (b *Blocks) Extend(columns ...[]float64) {
	for _, c := range columns {
		b.Offered++
		size := Norm(c)
		if !(size > 0) || math.IsInf(size, 0) {
			continue
		}
		v, z := [][]float64{slices.Clone(c)}, [][]float64{make([]float64, b.Rank())}
		for range 2 {
			b.take(v, z)
		}
		left := Norm(v[0])
		if left < Dependent*size {
			continue
		}
		for i := range v[0] {
			v[0][i] /= left
		}
		// The factor is shared with that of the blocks' basis, so a longer one must be a copy.
		b.R, b.Kept = append(append(slices.Clip(b.R), z[0]...), left), append(slices.Clip(b.Kept), b.Offered-1)
		b.more = append(b.more, v[0])
	}
}

// within returns the coordinates of columns in the blocks' bases.
func (b *Blocks) within(cols [][]float64) [][]float64 {
	c := grid(len(cols), b.coordinates())
	for k, o := range b.own {
		if o.span == nil {
			continue
		}
		var part, coef [][]float64
		for i, x := range cols {
			if x = b.block(k, x); slices.ContainsFunc(x, func(v float64) bool { return v != 0 }) {
				part, coef = append(part, x), append(coef, c[i][b.first[k]:b.first[k+1]])
			}
		}
		o.span.Products(coef, part)
	}
	return c
}

// take subtracts from columns, in place, their projections onto the basis. If z is not nil, it adds their coordinates
// to z.
func (b *Blocks) take(cols, z [][]float64) {
	for at := 0; at < len(cols); at += Panel {
		some := cols[at:min(at+Panel, len(cols))]
		c := b.within(some)
		if b.inner.span != nil {
			rest, along := make([][]float64, len(c)), grid(len(c), b.inner.Rank())
			for i := range c {
				rest[i] = slices.Clone(c[i])
			}
			b.inner.span.Project(rest, along, 0)
			for i := range c {
				floats.Sub(c[i], rest[i])
				if z != nil {
					floats.Add(z[at+i][:len(along[i])], along[i])
				}
			}
			b.subtract(some, c)
		}
		for m, q := range b.more {
			for i, x := range some {
				d := Dot(q, x)
				floats.AddScaled(x, -d, q)
				if z != nil {
					z[at+i][b.inner.Rank()+m] += d
				}
			}
		}
	}
}

// subtract subtracts from columns the vectors of the blocks' bases multiplied by c.
func (b *Blocks) subtract(cols, c [][]float64) {
	part, coef := make([][]float64, len(cols)), make([][]float64, len(cols))
	for k, o := range b.own {
		if o.span == nil {
			continue
		}
		for i, x := range cols {
			part[i], coef[i] = b.block(k, x), c[i][b.first[k]:b.first[k+1]]
		}
		o.span.Subtract(part, coef)
	}
}

// LeftOf returns the parts of candidates that are orthogonal to the basis. It is twice as fast as Residuals.
func (b *Blocks) LeftOf(candidates ...Candidate) [][]float64 {
	out, along := make([][]float64, len(candidates)), make([][]float64, len(candidates))
	for i, x := range candidates {
		out[i], along[i] = slices.Clone(x.Column), x.Along[:b.inner.Rank()]
	}
	c := grid(len(out), b.coordinates())
	if b.inner.span != nil {
		b.inner.span.Subtract(c, along)
		for i := range c {
			floats.Scale(-1, c[i])
		}
		b.subtract(out, c)
	}
	var small [][]float64
	for i, x := range candidates {
		for m, q := range b.more {
			floats.AddScaled(out[i], -x.Along[b.inner.Rank()+m], q)
		}
		if Norm(out[i]) < again*Norm(x.Column) {
			small = append(small, out[i])
		}
	}
	b.take(small, nil)
	return out
}

// project does the same as take, and repeats it for columns of which less than the fraction again is left.
func (b *Blocks) project(cols, z [][]float64) {
	size := make([]float64, len(cols))
	for i, x := range cols {
		size[i] = Norm(x)
	}
	b.take(cols, z)
	var small, coordinates [][]float64
	for i, x := range cols {
		if Norm(x) < again*size[i] {
			small = append(small, x)
			if z != nil {
				coordinates = append(coordinates, z[i])
			}
		}
	}
	if len(small) > 0 {
		b.take(small, coordinates)
	}
}

// Residuals returns the parts of vectors that are orthogonal to the basis.
func (b *Blocks) Residuals(y ...[]float64) [][]float64 {
	v := make([][]float64, len(y))
	for i := range y {
		v[i] = slices.Clone(y[i])
	}
	b.project(v, nil)
	return v
}

// Part returns the squared norm of the projection onto the basis of the column that equals x in block k and is zero
// elsewhere.
func (b *Blocks) Part(k int, x []float64) float64 {
	o := b.own[k]
	if o.span == nil || b.inner.span == nil {
		return 0
	}
	c, z := make([]float64, o.Rank()), make([]float64, b.inner.Rank())
	o.span.Coordinates(c, 0, x)
	b.inner.span.Coordinates(z, b.first[k], c)
	sum := Dot(z, z)
	n := b.Rows / len(b.own)
	for _, q := range b.more {
		d := Dot(q[k*n:(k+1)*n], x)
		sum += d * d
	}
	return sum
}

// Fit returns the coefficients of all offered columns for which they are closest to y (zero for dependent columns), and
// the residual of y.
func (b *Blocks) Fit(y []float64) (x, left []float64) {
	left = slices.Clone(y)
	z := make([]float64, b.Rank())
	b.project([][]float64{left}, [][]float64{z})
	return b.solve(z), left
}
