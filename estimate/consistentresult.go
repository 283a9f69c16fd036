package estimate

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// pressing is the force, in half squared deviations for the size of the prior,
// from which on a bound is said to hold a parameter back.
const pressing = 0.1

// found is the outcome at an optimum.
func (c *consistency) found(s *Solution, h *interior) *Consistent {
	out := c.out
	out.Standard = c.standard(h.z)
	out.Base = c.set.FromStandard(out.Standard)
	out.Distance = mahalanobis(s.Covariance, out.Base, s.X)
	out.PriorShare = c.priorShare(s, h)
	n := 0
	for k := range c.blocks {
		b, at := &c.blocks[k], &h.cells[k]
		switch b.kind {
		case body:
			// Bound and prior pull together on the thinnest direction.
			x := sym4(b.part(h.z))
			f := at.bound.z
			if b.quad == nil {
				v := inverse4(&x, 0, b.weight)
				for i := range f {
					f[i] += v[i]
				}
			}
			e := newSpectrum(&f)
			if max(e.values[0], e.values[1], e.values[2], e.values[3]) > pressing*max(1, b.weight) {
				out.AtBound = append(out.AtBound, c.owner[n].Link)
			}
			n++
		case positive:
			f := at.low.z
			if b.quad == nil {
				f += b.weight / h.z[b.at]
			}
			if f > pressing*max(1, b.weight) && h.z[b.at] < 0.1 {
				out.ZeroDrives = append(out.ZeroDrives, c.column[k])
			}
		}
	}
	for k, v := range c.sides {
		pull := 0.0
		if v.size == 1 {
			pull = h.plain[h.index[k]].z * c.reach(v.at)
		} else {
			pull = h.balls[h.index[k]].z[0] * c.reach(v.at)
		}
		if pull > pressing {
			out.Held = append(out.Held, v.label)
		}
	}
	return &out
}

// reach is how much a number of the sides changes when bodies change by the
// size of their priors.
func (c *consistency) reach(row int) float64 {
	sum := 0.0
	for k := range c.blocks {
		b := &c.blocks[k]
		for i, r := range b.rows {
			if r == row {
				for _, v := range b.m[i] {
					sum += v * v
				}
			}
		}
	}
	return math.Sqrt(sum)
}

// priorShare is, of each base parameter, the part of its variance from the
// rows alone that prior and bounds take away: near zero where the data decide
// and near one where they do not. It is the part of all information on the
// parameter, that of rows, prior and bounds together, that is not the rows'.
func (c *consistency) priorShare(s *Solution, h *interior) []float64 {
	share := make([]float64, len(s.X))
	if c.measured < len(s.X) { // not all determined: those take part
		if solver, err := newScaled(s.Stack, columnNorms(s.Stack)); err == nil {
			for _, k := range solver.undetermined() {
				share[k] = 1
			}
		}
		return share
	}
	c.numbers(h.e, h.z)
	if h.scalings() != nil || h.factorise() != nil {
		return share
	}
	n, m := c.measured, len(c.offset)
	half := mat.NewDense(m, n, nil) // U⁻ᵀ·D·Cov, M = (U·D⁻¹)ᵀ·(U·D⁻¹)
	for i := range n {
		for j := range n {
			half.Set(i, j, h.scale[i]*c.cov.At(i, j))
		}
	}
	r := h.m.RawSymmetric()
	blas64.Trsm(blas.Left, blas.Trans, 1, blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: m, Data: r.Data, Stride: r.Stride}, half.RawMatrix())
	for k := range share {
		sum := 0.0
		for i := range m {
			v := half.At(i, k)
			sum += v * v
		}
		if v := c.cov.At(k, k); v > 0 {
			share[k] = min(sum/v, 1)
		}
	}
	return share
}

// mahalanobis is √((x−y)ᵀ·C⁺·(x−y)), with directions that have no variance left
// out.
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
	var eig mat.EigenSym
	if !eig.Factorize(scaled, true) {
		return 0
	}
	values := eig.Values(nil)
	var v mat.Dense
	eig.VectorsTo(&v)
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
