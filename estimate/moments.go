package estimate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/internal/triangle"
)

// Moments returns the sum of [W y]ᵀ[W y] over all rows. weights must hold the factor of each joint's rows, one over
// their standard deviation.
func (r *Reduction) Moments(weights []float64) *mat.SymDense {
	n := r.columns
	out := mat.NewSymDense(n+1, nil)
	var work triangle.Work
	for k, mask := range r.masks {
		f := r.Joint(k, &work).Embed(n, mask)
		rows := mat.NewDense(n, n+1, nil)
		for i := range n {
			for j := i; j < n; j++ {
				rows.Set(i, j, weights[k]*f.R[i*n+j])
			}
			rows.Set(i, n, weights[k]*f.Z[i])
		}
		var g mat.SymDense
		g.SymOuterK(1, rows.T())
		out.AddSym(out, &g)
		// What the joint's own columns leave of its measurement is in no row of the factor.
		out.SetSym(n, n, out.At(n, n)+weights[k]*weights[k]*f.RSS)
	}
	return out
}

// SolveMoments solves the normal equations in scaled columns. It returns false if they are not positive definite.
func SolveMoments(g *mat.SymDense) ([]float64, bool) {
	c, scale, ok := scaledCholesky(g)
	if !ok {
		return nil, false
	}
	n := len(scale)
	b := mat.NewVecDense(n, nil)
	for i := range n {
		b.SetVec(i, g.At(i, n)*scale[i])
	}
	var x mat.VecDense
	if err := c.SolveVecTo(&x, b); err != nil {
		return nil, false // a condition number at rounding
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = x.AtVec(i) * scale[i]
	}
	return out, true
}

// MomentVariances returns the variances of parameters whose rows have these moments and unit variance: the diagonal of the inverse of
// WᵀW. It returns false unless that is positive definite.
func MomentVariances(g *mat.SymDense) ([]float64, bool) {
	c, scale, ok := scaledCholesky(g)
	if !ok {
		return nil, false
	}
	var inverse mat.SymDense
	if c.InverseTo(&inverse) != nil {
		return nil, false // a condition number at rounding
	}
	out := make([]float64, len(scale))
	for i, s := range scale {
		out[i] = inverse.At(i, i) * s * s
	}
	return out, true
}

// scaledCholesky factorises moments without their last row and column, in columns scaled to unit norm. It returns false unless they
// are positive definite.
func scaledCholesky(g *mat.SymDense) (c *mat.Cholesky, scale []float64, ok bool) {
	n := g.SymmetricDim() - 1
	scale = make([]float64, n)
	for i := range n {
		if !(g.At(i, i) > 0) {
			return nil, nil, false
		}
		scale[i] = 1 / math.Sqrt(g.At(i, i))
	}
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, g.At(i, j)*scale[i]*scale[j])
		}
	}
	c = new(mat.Cholesky)
	return c, scale, c.Factorize(a)
}

// BlockGradients returns Wᵀ·(W·x − y) for every time block: one row a block, one entry per parameter. weights must hold
// the factor of each joint's rows, as in Moments.
func (r *Reduction) BlockGradients(weights, x []float64) [][]float64 {
	var out [][]float64
	for _, b := range r.blocks {
		u := make([]float64, r.columns)
		for k, mask := range r.masks {
			f := b.Joints[k]
			for i, d := range residuals(f, mask, x) {
				for j := i; j < f.N; j++ {
					u[mask[j]] -= weights[k] * weights[k] * f.R[i*f.N+j] * d
				}
			}
		}
		out = append(out, u)
	}
	return out
}

// GradientErrors returns the standard errors of G⁻¹·Σ u_b by parameter, the roots of Σ (G⁻¹·u_b)². moments is G from
// Moments; the gradients u_b of blocks must be independent with mean zero. It returns zeros if G is not positive
// definite.
func GradientErrors(moments *mat.SymDense, gradients [][]float64) []float64 {
	n := moments.SymmetricDim() - 1
	out := make([]float64, n)
	system := mat.NewSymDense(n+1, nil)
	system.CopySym(moments)
	for _, u := range gradients {
		for i := range n {
			system.SetSym(i, n, u[i])
		}
		x, _ := SolveMoments(system)
		for i, v := range x {
			out[i] += v * v
		}
	}
	for i := range out {
		out[i] = math.Sqrt(out[i])
	}
	return out
}

// SubtractPrediction returns the reduction of the same rows with the torques W·x subtracted from the measurement vector. Estimates
// from it are smaller by x, with the same residuals; what the errors are per cents of stays. x must have one entry per column.
func (r *Reduction) SubtractPrediction(x []float64) *Reduction {
	out := NewReduction(r.columns, r.masks)
	for _, b := range r.blocks {
		b.Joints = slices.Clone(b.Joints)
		for k, mask := range r.masks {
			f := b.Joints[k].Clone()
			for i := range f.Z {
				for j := i; j < f.N; j++ {
					f.Z[i] -= f.R[i*f.N+j] * x[mask[j]]
				}
			}
			b.Joints[k] = f
		}
		out.blocks = append(out.blocks, b)
	}
	return out
}
