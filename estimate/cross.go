package estimate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ident/internal/eigen"
)

// Cross is weighted least squares with the covariance of the joints' errors
// among each other: a cause that couples joints, such as a wrong payload or an
// unmodelled elasticity, disturbs several at once. The rows of one sample are
// multiplied by the inverse root of that covariance (Zellner 1962, seemingly
// unrelated regressions). Without a given covariance it is that of the
// residuals, repeated until the estimate moves by less than a hundredth of its
// standard deviation, on the way to maximum likelihood for Gaussian errors.
type Cross struct {
	Covariance [][]float64 // covariance of the joints' errors; nil to estimate it from the residuals
	Iterations int         // upper limit; 0 means 50
}

// Name returns "wls-cross".
func (Cross) Name() string { return "wls-cross" }

// Estimate needs two more passes over the rows in each iteration, or one if the covariance is given.
func (c Cross) Estimate(ctx context.Context, p *Problem) (*Solution, error) {
	if p.Rows == nil {
		return nil, again(c.Name())
	}
	joints := len(p.Reduction.masks)
	mix := func(cov [][]float64) (*Reduction, error) {
		inv, err := inverseRoot(cov)
		if err != nil {
			return nil, err
		}
		return p.Rows.Reduce(ctx, mixing{inv})
	}
	if c.Covariance != nil {
		if len(c.Covariance) != joints {
			panic(fmt.Sprintf("estimate: covariance of %d joints for %d", len(c.Covariance), joints))
		}
		r, err := mix(c.Covariance)
		if err != nil {
			return nil, err
		}
		s, err := r.Solve(OLS, p.MinimumNorm)
		if err != nil {
			return nil, err
		}
		s.restateSigma(p.Reduction)
		s.Iterations = 1
		return s, nil
	}
	first, err := p.Reduction.least(WLS, p.MinimumNorm)
	if err != nil {
		return nil, err
	}
	s := first.Solution
	it := iteration{c.Name(), orDefault(c.Iterations), nuisanceTolerance}
	floor := p.Reduction.roundingFloor()
	step, ok := 0.0, false
	for n := 1; n <= it.limit; n++ {
		cov, err := residualCovariance(ctx, p.Rows, s.X, joints)
		if err != nil {
			return nil, err
		}
		for k := range cov {
			// Joints of one drive may have the same error. The added part keeps the matrix regular; it is of the size of
			// rounding.
			cov[k][k] = cov[k][k]*(1+1e-9) + floor[k]*floor[k]
		}
		r, err := mix(cov)
		if err != nil {
			return nil, err
		}
		next, err := r.minimise(r.weigher(OLS), nil, p.MinimumNorm)
		if err != nil {
			return nil, err
		}
		step, ok = it.settled(s.X, next.Solution)
		s = next.Solution
		s.Iterations = n
		if ok {
			s = r.withCovariance(next)
			s.restateSigma(p.Reduction)
			return s, nil
		}
	}
	return nil, it.fail(s, step, "the covariance of the joints and the estimate do not settle; use wls")
}

// roundingFloor returns, by joint, the standard deviation of its torque due to rounding.
func (r *Reduction) roundingFloor() []float64 {
	yy, rows := make([]float64, len(r.masks)), r.Rows()
	for _, b := range r.blocks {
		for k, f := range b.Joints {
			yy[k] += f.YY
		}
	}
	for k := range yy {
		yy[k] = 1e-13 * math.Sqrt(yy[k]/float64(max(rows[k], 1)))
		if yy[k] == 0 {
			yy[k] = 1e-150 // a joint without any torque
		}
	}
	return yy
}

// residualCovariance returns the mean products of the joints' residuals.
func residualCovariance(ctx context.Context, rows Source, x []float64, joints int) ([][]float64, error) {
	cov := make([][]float64, joints)
	for k := range cov {
		cov[k] = make([]float64, joints)
	}
	rowsOf := make([]int, joints)
	err := rows.Residuals(ctx, x, func(r *Residuals) error {
		counted := make([][]float64, joints)
		for k := range r.E {
			e, n := r.counted(k)
			counted[k], rowsOf[k] = e, rowsOf[k]+n
			for j, d := range counted[:k+1] {
				sum := 0.0
				for i, v := range e {
					sum += v * d[i]
				}
				cov[k][j] += sum
			}
		}
		return nil
	})
	for k := range cov {
		for j := range k + 1 {
			// If all rows count, n is their number; the matrix stays positive semidefinite.
			n := float64(max(rowsOf[k], 1))
			if rowsOf[j] != rowsOf[k] {
				n = math.Sqrt(n * float64(max(rowsOf[j], 1)))
			}
			cov[k][j] /= n
			cov[j][k] = cov[k][j]
		}
	}
	return cov, err
}

// inverseRoot returns a matrix A with A·cov·Aᵀ = I: the inverse symmetric root of the correlations times the inverse
// standard deviations. It depends neither on the order of the joints nor on their units.
func inverseRoot(cov [][]float64) ([][]float64, error) {
	n := len(cov)
	m := mat.NewSymDense(max(n, 1), nil)
	scale := make([]float64, n)
	for k := range cov {
		if v := cov[k][k]; !(v > 0) || math.IsInf(v, 0) {
			return nil, &VarianceError{What: fmt.Sprintf("variance %d of the covariance", k+1), Value: v}
		}
		scale[k] = math.Sqrt(cov[k][k])
		for j := range k + 1 {
			if cov[k][j] != cov[j][k] {
				return nil, fmt.Errorf("the covariance is not symmetric: (%d, %d) is %g and (%d, %d) is %g", k+1, j+1, cov[k][j], j+1, k+1, cov[j][k])
			}
			m.SetSym(k, j, cov[k][j]/scale[k]/scale[j])
		}
	}
	values, vectors, ok := eigen.Scaled(m, true)
	if !ok {
		return nil, errors.New("the eigenvalues of the covariance did not converge: it holds values that are not finite")
	}
	// Rounding of the eigenvalues of a correlation matrix is n·ε; a smaller
	// one is zero.
	if v := values[0]; n > 0 && !(v > float64(n)*1e-15) {
		return nil, &VarianceError{What: "the smallest eigenvalue of the correlations", Value: v}
	}
	out := make([][]float64, n)
	for k := range out {
		out[k] = make([]float64, n)
		for j := range n {
			for i, v := range values {
				out[k][j] += vectors.At(k, i) * vectors.At(j, i) / math.Sqrt(v)
			}
			out[k][j] /= scale[j]
		}
	}
	return out, nil
}

// mixing multiplies the rows of each sample by a matrix over the joints.
type mixing struct{ inv [][]float64 }

func (mixing) Memory() int { return 0 }

func (m mixing) Masks(masks [][]int) [][]int {
	out := make([][]int, len(masks))
	for k := range masks {
		for j := range masks {
			if m.inv[k][j] != 0 {
				out[k] = append(out[k], masks[j]...)
			}
		}
		slices.Sort(out[k])
		out[k] = slices.Compact(out[k])
	}
	return out
}

// Apply replaces the rows of the batch by their mixtures over the joints, which have the columns of all joints that they mix.
func (m mixing) Apply(s *Batch) {
	masks := m.Masks(s.Masks)
	columns, y := make([][][]float64, len(masks)), make([][]float64, len(masks))
	var measured [][]float64
	if s.Measured != nil {
		measured = make([][]float64, len(masks))
	}
	for k, mask := range masks {
		y[k] = make([]float64, len(s.Y[k]))
		if measured != nil {
			measured[k] = make([]float64, len(s.Y[k]))
		}
		columns[k] = make([][]float64, len(mask))
		for c := range mask {
			columns[k][c] = make([]float64, len(s.Y[k]))
		}
		for j := range masks {
			f := m.inv[k][j]
			if f == 0 {
				continue
			}
			floats.AddScaled(y[k], f, s.Y[j])
			if measured != nil {
				floats.AddScaled(measured[k], f, s.Measured[j])
			}
			for c, at := range s.Masks[j] {
				to, _ := slices.BinarySearch(mask, at)
				floats.AddScaled(columns[k][to], f, s.Columns[j][c])
			}
		}
	}
	s.Columns, s.Y, s.Measured, s.Masks = columns, y, measured, masks
	m.spread(s)
}

// spread also leaves out rows that depend on a joint whose row is left out.
func (m mixing) spread(s *Batch) {
	if s.LeftOut == nil {
		return
	}
	all := make([][]bool, len(m.inv))
	for k := range all {
		for j, out := range s.LeftOut {
			if out == nil || m.inv[k][j] == 0 {
				continue
			}
			if all[k] == nil {
				all[k] = make([]bool, len(out))
			}
			for i, left := range out {
				all[k][i] = all[k][i] || left
			}
		}
	}
	s.LeftOut = all
}
