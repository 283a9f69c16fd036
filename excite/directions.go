package excite

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Direction is a poorly determined combination of parameters.
type Direction struct {
	// Parts are the parameters with the largest weights in the combination; the largest weight is ±1. Each parameter is
	// in units of 1/(norm of its column), so that weights are comparable.
	Parts []Part
	// Deviation is the standard deviation of the combination, in those units, after the design; Before is that of the
	// prior, NaN without a prior.
	Deviation, Before float64
	// Share is each joint's fraction of the information on the combination; the rest is the prior's.
	Share []float64
}

// Part is a parameter's part in a direction.
type Part struct {
	Column int
	Weight float64
}

// directions is the number of least determined directions in a result.
const directions = 3

// weakest returns the least determined directions: of the prior, if it has a row for every column in use, otherwise of
// prior and design. decompose(true) must be called before.
func weakest(e *spectrum, prior [][]float64) []Direction {
	n := len(e.use)
	v, sigma := mat.DenseCopyOf(&e.v), slices.Clone(e.sigma)
	known := false
	if len(prior) > 0 {
		w := mat.NewDense(len(prior), n, nil)
		for i, row := range prior {
			for c, col := range e.use {
				w.Set(i, c, row[col]/e.norms[c])
			}
		}
		var svd mat.SVD
		if known = svd.Factorize(w, mat.SVDFullV) && len(prior) >= n; known {
			v.Reset()
			svd.VTo(v)
			sigma = svd.Values(nil)
		}
	}
	var out []Direction
	for k := range min(directions, n) {
		i := n - 1 - k
		x := Direction{Before: math.NaN(), Share: make([]float64, e.m.Joints())}
		largest := 0.0
		for c := range n {
			if math.Abs(v.At(c, i)) > math.Abs(largest) {
				largest = v.At(c, i)
			}
		}
		for c, col := range e.use {
			// Weights below half of the largest are left out.
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
			if joint := row / e.step; joint < len(x.Share) {
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
