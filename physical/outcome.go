package physical

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"ident/estimate"
	"ident/internal/eigen"
	"ident/physical/internal/conic"
)

// pressing is the least dual of an active bound, in half squared deviations for a change by the prior's size.
const pressing = 0.1

// found returns the estimate at an optimum.
func (c *program) found(s *estimate.Solution, h *conic.Solver) *Estimate {
	out := c.out
	whole := c.complete(h.Z)
	out.Standard = whole[:c.own:c.own]
	out.Completed = c.completed(whole)
	out.Base = c.set.FromStandard(whole[:len(c.set.Columns)])
	if c.estimated < len(s.X) {
		out.Distance = c.determinedDistance(h)
	} else {
		out.Distance = mahalanobis(s.NoiseOnly(), out.Base, s.X)
	}
	out.Limit = s.DistanceQuantile()
	out.PriorShare = c.priorShare(s, h)
	n := 0
	for k := range c.Blocks {
		b := &c.Blocks[k]
		switch b.Kind {
		case conic.Semidefinite:
			// Bound and prior both act on the thinnest direction.
			x := conic.Sym4(b.Variables(h.Z))
			f := h.MatrixDual(k)
			if b.Quadratic == nil {
				v := conic.ShiftedInverse(&x, 0, b.Weight)
				for i := range f {
					f[i] += v[i]
				}
			}
			e := conic.NewEigen(&f)
			if max(e.Values[0], e.Values[1], e.Values[2], e.Values[3]) > pressing*max(1, b.Weight) {
				out.AtBound = append(out.AtBound, c.owner[n].Link)
			}
			n++
		case conic.Nonnegative:
			f := h.BoundDual(k)
			if b.Quadratic == nil {
				f += b.Weight / h.Z[b.At]
			}
			if f > pressing*max(1, b.Weight) && h.Z[b.At] < 0.1 {
				out.ZeroDrives = append(out.ZeroDrives, c.column[k])
			}
		}
	}
	for k, v := range c.Constraints {
		if h.ConstraintDual(k)[0]*c.reach(v.At) > pressing {
			out.Held = append(out.Held, v.Label)
		}
	}
	return &out
}

// determinedDistance returns the distance of an optimum from the estimate in the combinations that the rows determine.
func (c *program) determinedDistance(h *conic.Solver) float64 {
	e := make([]float64, len(c.Offset))
	c.AffineMap(e, h.Z)
	d := blas64.Vector{N: c.Factor.N, Inc: 1, Data: e[:c.Factor.N]}
	for i := c.estimated; i < d.N; i++ {
		d.Data[i] = 0 // rows of zeros and masses
	}
	blas64.Trmv(blas.NoTrans, c.Factor, d)
	return blas64.Nrm2(d)
}

// reach returns the change of a constraint's row if the bodies change by the size of their priors.
func (c *program) reach(row int) float64 {
	sum := 0.0
	for k := range c.Blocks {
		b := &c.Blocks[k]
		for i, r := range b.Rows {
			if r == row {
				for _, v := range b.Coefficients[i] {
					sum += v * v
				}
			}
		}
	}
	return math.Sqrt(sum)
}

// priorShare returns, for each base parameter, the part of its variance from the rows alone that prior and bounds
// remove: near zero if the data decide, near one if not.
func (c *program) priorShare(s *estimate.Solution, h *conic.Solver) []float64 {
	share := make([]float64, len(s.X))
	if c.estimated < len(s.X) { // some combinations are not determined: their parameters take part
		if d, err := s.Directions(); err == nil {
			for _, k := range d.Undetermined {
				share[k] = 1
			}
		}
		return share
	}
	if known := h.VarianceReduction(); known != nil {
		return known[:c.estimated]
	}
	return share
}

// mahalanobis returns √((x−y)ᵀ·C⁺·(x−y)), ignoring directions of zero variance.
func mahalanobis(cov [][]float64, x, y []float64) float64 {
	n := len(x)
	scaled := mat.NewSymDense(max(n, 1), nil)
	d := make([]float64, n)
	for i := range n {
		si := math.Sqrt(cov[i][i])
		if si > 0 {
			d[i] = (x[i] - y[i]) / si
		}
		for j := i; j < n; j++ {
			if sj := math.Sqrt(cov[j][j]); si > 0 && sj > 0 {
				scaled.SetSym(i, j, cov[i][j]/si/sj)
			}
		}
	}
	if n == 0 {
		return 0
	}
	// Most matrices are definite, and need no eigenvalues.
	u := mat.NewSymDense(n, append([]float64(nil), scaled.RawSymmetric().Data...))
	if t, ok := lapack64.Potrf(u.RawSymmetric()); ok && leastDiagonal(t) > 1e-6 {
		blas64.Trsv(blas.Trans, t, blas64.Vector{N: n, Inc: 1, Data: d})
		return math.Sqrt(floats.Dot(d, d))
	}
	values, v, ok := eigen.Scaled(scaled, true)
	if !ok {
		return 0
	}
	sum := 0.0
	for k, l := range values {
		if l <= 1e-12*values[n-1] {
			continue
		}
		dot := 0.0
		for i := range n {
			dot += v.At(i, k) * d[i]
		}
		sum += dot * dot / l
	}
	return math.Sqrt(sum)
}

func leastDiagonal(t blas64.Triangular) float64 {
	least := math.Inf(1)
	for i := range t.N {
		least = min(least, t.Data[i*t.Stride+i])
	}
	return least
}
