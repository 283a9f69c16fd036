package excite

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// KnownFrom turns the covariance of an earlier estimate into rows of what is
// known, for a model with the given number of columns: covariance entry i is of
// column index[i]. With Σ = L·Lᵀ they are L⁻¹, so that their squares add up to
// the inverse of Σ. It fails where the covariance is not positive definite.
func KnownFrom(covariance [][]float64, index []int, columns int) ([][]float64, error) {
	n := len(covariance)
	if len(index) != n {
		panic(fmt.Sprintf("excite: a covariance of %d parameters for %d columns", n, len(index)))
	}
	// Scaled to unit diagonal, or deviations of very different size would cost
	// the factor its digits.
	scale := make([]float64, n)
	for i := range n {
		if scale[i] = math.Sqrt(covariance[i][i]); !(scale[i] > 0) || math.IsInf(scale[i], 0) {
			return nil, fmt.Errorf("excite: entry %d of the covariance's diagonal is %g", i+1, covariance[i][i])
		}
	}
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for k := range i + 1 {
			sym.SetSym(i, k, (covariance[i][k]+covariance[k][i])/2/(scale[i]*scale[k]))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(sym) {
		return nil, fmt.Errorf("excite: the covariance is not positive definite")
	}
	var l, inv mat.TriDense
	chol.LTo(&l)
	if err := inv.InverseTri(&l); err != nil {
		return nil, fmt.Errorf("excite: the covariance is nearly singular: %w", err)
	}
	rows := grid(n, columns)
	for i := range n {
		for k := range i + 1 {
			rows[i][index[k]] = inv.At(i, k) / scale[k]
		}
	}
	return rows, nil
}

// Direction is a combination of parameters that the rows determine little.
type Direction struct {
	// Parts are the parameters that take part most, with their weights in the
	// combination, whose largest is one in size. Each parameter is in units of
	// 1/(the norm of its column), so that weights compare.
	Parts []Part
	// Deviation is the standard deviation of the combination in those units with
	// the design; Before that of what was known before, NaN without.
	Deviation, Before float64
	// Share is what each joint's torque contributes to the design's information on
	// the combination, as fractions of the whole; what is missing to one comes
	// from what was known before.
	Share []float64
}

// Part is a parameter's part in a direction.
type Part struct {
	Column int
	Weight float64
}

// directions is how many least determined directions a result names.
const directions = 3

// weakest names the least determined directions: of what was known before, if
// that determines all that it covers, else of the design's own rows.
func (d *design) weakest(e *spectrum) []Direction {
	n := len(d.use)
	v, sigma := mat.DenseCopyOf(&e.v), slices.Clone(e.sigma)
	known := false
	if len(d.p.Known) > 0 {
		w := mat.NewDense(len(d.p.Known), n, nil)
		for i, row := range d.p.Known {
			for c, col := range d.use {
				w.Set(i, c, row[col]/e.norms[c])
			}
		}
		var svd mat.SVD
		if known = svd.Factorize(w, mat.SVDFullV) && len(d.p.Known) >= n; known {
			v.Reset()
			svd.VTo(v)
			sigma = svd.Values(nil)
		}
	}
	var out []Direction
	for k := range min(directions, n) {
		i := n - 1 - k
		x := Direction{Before: math.NaN(), Share: make([]float64, d.p.Model.Joints())}
		largest := 0.0
		for c := range n {
			if math.Abs(v.At(c, i)) > math.Abs(largest) {
				largest = v.At(c, i)
			}
		}
		for c, col := range d.use {
			// What weighs less than half of the largest is left out of the name.
			if w := v.At(c, i) / largest; math.Abs(w) > 0.5 {
				x.Parts = append(x.Parts, Part{col, w})
			}
		}
		slices.SortStableFunc(x.Parts, func(a, b Part) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
		for m, s := range e.sigma {
			along := 0.0
			for c := range n {
				along += e.v.At(c, m) * v.At(c, i)
			}
			x.Deviation = math.Hypot(x.Deviation, along/s)
		}
		x.Deviation /= math.Abs(largest)
		if known {
			x.Before = 1 / sigma[i] / math.Abs(largest)
		}
		total := 0.0
		for row := range e.w[0] {
			y := 0.0
			for c := range n {
				y += e.w[c][row] / e.norms[c] * v.At(c, i)
			}
			total += y * y
			if joint := row / e.samples; joint < len(x.Share) {
				x.Share[joint] += y * y
			}
		}
		for j := range x.Share {
			x.Share[j] /= total
		}
		out = append(out, x)
	}
	return out
}
