package projection

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Coordinates returns the products of all vectors of the basis with columns.
func (b *Blocks) Coordinates(cols ...[]float64) [][]float64 {
	z := grid(len(cols), b.Rank())
	if b.inner.span != nil {
		b.inner.span.Products(z, b.within(cols))
	}
	for m, q := range b.more {
		for i, x := range cols {
			z[i][b.inner.Rank()+m] = Dot(q, x)
		}
	}
	return z
}

// Candidate is a column that may be added to a fit: its coordinates in the basis of the fit, and the rows in which it is not zero.
type Candidate struct {
	Column, Along []float64
	from, to      int
}

// Candidates prepares columns that may be added to the basis, in a fraction of the time that their residuals would
// take.
func (b *Blocks) Candidates(cols ...[]float64) []Candidate {
	return candidates(cols, b.Coordinates(cols...))
}

// Candidates prepares columns that may be added to the basis. It takes half the time of computing their residuals.
func (b *Basis) Candidates(cols ...[]float64) []Candidate {
	z := grid(len(cols), b.Rank())
	if b.span != nil {
		b.span.Products(z, cols)
	}
	return candidates(cols, z)
}

func candidates(cols, along [][]float64) []Candidate {
	out := make([]Candidate, len(cols))
	for i, z := range along {
		c := Candidate{Column: cols[i], Along: z, to: len(cols[i])}
		for c.from < c.to && c.Column[c.from] == 0 {
			c.from++
		}
		for c.to > c.from && c.Column[c.to-1] == 0 {
			c.to--
		}
		out[i] = c
	}
	return out
}

// Margins of MostExplained: the products of the remainders are differences, with an error of 1e-14 of the columns'
// squares.
const (
	// If a pivot is at least this fraction of the diagonal, it is accurate to a thousandth.
	leastPivot = 1e-4
	// MostExplained multiplies its bound by this factor, to allow for rounding.
	explainedDoubt = 1.01
)

// MostExplained returns an upper bound of the fraction of a squared residual that candidates explain; the residual must
// be orthogonal to the basis. Candidates that keep less than the fraction least of their norm after projection are
// ignored; least must be 1e-3 or more. If the others are nearly dependent, the bound is one.
func MostExplained(rest []float64, least float64, candidates ...Candidate) float64 {
	var open []Candidate
	for _, c := range candidates {
		if x := c.Column[c.from:c.to]; Left(c, c) >= least*least/explainedDoubt*Dot(x, x) {
			open = append(open, c)
		}
	}
	n := len(open)
	if n == 0 {
		return 0
	}
	g, along := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i, c := range open {
		along.SetVec(i, Dot(c.Column[c.from:c.to], rest[c.from:c.to]))
		for j := range i + 1 {
			g.SetSym(i, j, Left(c, open[j]))
		}
	}
	var chol mat.Cholesky
	var x mat.VecDense
	if !chol.Factorize(g) {
		return 1
	}
	var l mat.TriDense
	chol.LTo(&l)
	for i := range n {
		if p := l.At(i, i); !(p*p > leastPivot*g.At(i, i)) {
			return 1
		}
	}
	if chol.SolveVecTo(&x, along) != nil {
		return 1
	}
	part := explainedDoubt * mat.Dot(&x, along) / Dot(rest, rest)
	if math.IsNaN(part) {
		return 1
	}
	return min(part, 1)
}

// Left returns the inner product of the parts of two columns that are orthogonal to the basis.
func Left(a, b Candidate) float64 {
	product := -Dot(a.Along, b.Along)
	if from, to := max(a.from, b.from), min(a.to, b.to); from < to {
		product += Dot(a.Column[from:to], b.Column[from:to])
	}
	return product
}
