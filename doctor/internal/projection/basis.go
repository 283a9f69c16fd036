package projection

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"ident/internal/triangle"
)

// Basis is an orthonormal basis of columns, built by the Gram-Schmidt method. Where little of a column is left, the
// projection is done twice, which keeps the basis orthogonal to nearly working precision (Giraud, Langou, Rozložník and
// van den Eshof, Numerische Mathematik 101, 2005). The torque checks need only projections: the part of a column that
// is orthogonal to the columns before it, and the residual of the torques. A Basis must be used by one goroutine at a
// time.
type Basis struct {
	Rows int
	packed
	span  *triangle.Span
	panel [Panel][]float64  // columns that are being offered
	left  map[int][]float64 // coordinates of columns that were not kept, by their number
}

// packed is a triangular factor R.
type packed struct {
	// R holds the coordinates in the basis of every column that was kept: the triangular factor, transposed and packed
	// by rows. Kept holds each column's index among all offered ones.
	R       []float64
	Kept    []int
	Offered int
}

// Dependent: a column is kept if projection leaves at least this fraction of its norm. Filtered columns are smooth to
// rounding; positions that were resampled and differentiated, to about 1e-6 of their size. A direction below that is
// noise.
const Dependent = 1e-6

// again: if projection leaves less than this fraction of a column, it is repeated. Rounding of the column is then at
// most 1e-14 of the remainder, which is also the smallest angle to the basis that can be resolved.
const again = 0.01

// Panel is the number of columns that Offer projects together. The caller never needs to keep more in memory.
const Panel = triangle.Together

// few is the number of columns of a panel that are made orthonormal one by one.
const few = 4

// Rank returns the number of columns that were kept.
func (p *packed) Rank() int { return len(p.Kept) }

// Offer adds the columns that are independent of the columns before them.
func (b *Basis) Offer(columns ...[]float64) {
	if b.span == nil {
		b.span = new(triangle.Span)
	}
	for at := 0; at < len(columns); at += Panel {
		b.offer(columns[at:min(at+Panel, len(columns))])
	}
}

// offer adds the columns of a panel. All are projected onto the basis so far. Then groups of them are projected onto
// the vectors that this panel added, and each column onto those just before it.
func (b *Basis) offer(columns [][]float64) {
	had := b.span.Len()
	v, r := make([][]float64, len(columns)), make([][]float64, len(columns))
	for i, c := range columns {
		b.panel[i] = append(b.panel[i][:0], c...)
		v[i], r[i] = b.panel[i], make([]float64, had+len(columns))
	}
	b.span.Project(v, r, again)
	for at := 0; at < len(columns); at += few {
		to := min(at+few, len(columns))
		if at > 0 {
			b.span.ProjectFrom(had, v[at:to], r[at:to], again)
		}
		b.orthonormal(columns[at:to], v[at:to], r[at:to])
	}
}

// orthonormal adds columns to the basis; v is what projection onto the basis left of them, r their coordinates.
func (b *Basis) orthonormal(columns, v, r [][]float64) {
	had := b.span.Len()
	var fresh [][]float64
	for i, c := range columns {
		b.Offered++
		size := Norm(c)
		if !(size > 0) || math.IsInf(size, 0) {
			continue
		}
		for range 2 {
			for k, q := range fresh {
				d := Dot(q, v[i])
				r[i][had+k] += d
				floats.AddScaled(v[i], -d, q)
			}
		}
		left := Norm(v[i])
		if left < Dependent*size {
			if b.left == nil {
				b.left = map[int][]float64{}
			}
			b.left[b.Offered-1] = r[i][:had+len(fresh)]
			continue
		}
		for k := range v[i] {
			v[i][k] /= left
		}
		b.R, b.Kept = append(append(b.R, r[i][:had+len(fresh)]...), left), append(b.Kept, b.Offered-1)
		fresh = append(fresh, v[i])
	}
	for _, q := range fresh {
		b.span.Append(q)
	}
}

// Residual returns the part of a vector that is orthogonal to the basis.
func (b *Basis) Residual(y []float64) []float64 { return b.Residuals(y)[0] }

// Residuals returns the parts of vectors that are orthogonal to the basis.
func (b *Basis) Residuals(y ...[]float64) [][]float64 {
	v := make([][]float64, len(y))
	for i := range y {
		v[i] = slices.Clone(y[i])
	}
	b.Take(v...)
	return v
}

// Take subtracts from vectors, in place, their projections onto the basis; Residuals returns the differences instead.
func (b *Basis) Take(v ...[]float64) {
	if b.span != nil {
		b.span.Project(v, nil, again)
	}
}

// clearly: a squared norm may be computed as a difference of squares if at least this fraction of the square is left (1
// % of the norm). The difference errs by 1e-15 of the square for each vector of the basis, so by at most 1e-9 of
// itself.
const clearly = 1e-4

// Left returns the squared norms of the residuals of vectors. Where these are large enough it uses differences of
// squares, which is half the work of Residuals.
func (b *Basis) Left(y ...[]float64) []float64 {
	left := make([]float64, len(y))
	if b.span != nil {
		b.span.Within(left, y)
	}
	var small [][]float64
	var at []int
	for i, v := range y {
		size := Dot(v, v)
		if left[i] = size - left[i]; left[i] < clearly*size {
			small, at = append(small, v), append(at, i)
		}
	}
	for i, r := range b.Residuals(small...) {
		left[at[i]] = Dot(r, r)
	}
	return left
}

// LeftFrom returns Left for columns that are zero before a row and x from it on, one for each of the ascending rows.
// All of them cost as much as one, because the coordinates add up over the stretches between the rows.
func (b *Basis) LeftFrom(x []float64, from []int) []float64 {
	left, end := make([]float64, len(from)), len(x)
	sum, part := make([]float64, b.Rank()), make([]float64, b.Rank())
	size := 0.0
	for i := len(from) - 1; i >= 0; i-- {
		stretch := x[from[i]:end]
		end = from[i]
		size += Dot(stretch, stretch)
		if b.span != nil {
			b.span.Coordinates(part, from[i], stretch)
			floats.Add(sum, part)
		}
		if left[i] = size - Dot(sum, sum); left[i] < clearly*size {
			whole := make([]float64, len(x))
			copy(whole[end:], x[end:])
			r := b.Residual(whole)
			left[i] = Dot(r, r)
		}
	}
	return left
}

// Part returns the squared norm of the projection onto the basis of the column that equals x from row from on and is
// zero elsewhere.
func (b *Basis) Part(from int, x []float64) float64 {
	z := b.Coordinates(from, x)
	return Dot(z, z)
}

// Coordinates returns the coordinates in the basis of the column of Part.
func (b *Basis) Coordinates(from int, x []float64) []float64 {
	z := make([]float64, b.Rank())
	if b.span != nil {
		b.span.Coordinates(z, from, x)
	}
	return z
}

// Solve returns the coefficients of all offered columns that come closest to y; those of columns that
// depended on others are zero.
func (b *Basis) Solve(y []float64) []float64 {
	x, _ := b.Fit(y)
	return x
}

// Fit returns the results of Solve and Residual.
func (b *Basis) Fit(y []float64) (x, left []float64) {
	z := make([]float64, b.Rank())
	left = slices.Clone(y)
	if b.span != nil {
		b.span.Project([][]float64{left}, [][]float64{z}, again)
	}
	return b.solve(z), left
}

// Deviation returns the standard deviation of gᵀx, where x is from Solve and every row has a standard deviation of one:
// ‖R⁻ᵀg‖ over the columns that were kept.
func (p *packed) Deviation(g []float64) float64 {
	z := make([]float64, p.Rank())
	for i, c := range p.Kept {
		z[i] = g[c]
	}
	blas64.Tpsv(blas.NoTrans, p.factor(), blas64.Vector{N: len(z), Data: z, Inc: 1})
	return Norm(z)
}

// solve returns the coefficients of all offered columns for coordinates z in the basis, which it changes.
func (p *packed) solve(z []float64) []float64 {
	x := make([]float64, p.Offered)
	blas64.Tpsv(blas.Trans, p.factor(), blas64.Vector{N: len(z), Data: z, Inc: 1})
	for i, c := range p.Kept {
		x[c] = z[i]
	}
	return x
}

// factor returns Rᵀ of the columns that were kept.
func (p *packed) factor() blas64.TriangularPacked {
	return blas64.TriangularPacked{N: p.Rank(), Data: p.R, Uplo: blas.Lower, Diag: blas.NonUnit}
}

// column returns the coordinates of an offered column along the first vectors of the basis, those that can be other than zero.
func (b *Basis) column(c int) []float64 {
	if i, ok := slices.BinarySearch(b.Kept, c); ok {
		return b.R[i*(i+1)/2 : (i+1)*(i+2)/2]
	}
	return b.left[c]
}
