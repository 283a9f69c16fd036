package estimate

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/estimate/internal/singular"
	"ident/internal/triangle"
)

// TorqueError is an error common to all rows of one equation, that of a drive gain. The torque by the gain is y_g, the
// true one (1 − Sigma·ε)·y_g, with ε of unit variance and independent of other errors. Rows must have y_g as measurement
// vector and the same blocks as the estimate's own rows. Columns made from the measured torque, such as load-dependent
// friction, carry the same error: their part of the torque is not part of it.
type TorqueError struct {
	Rows     *Reduction
	Equation int // index of the joint's equation; 0 if one equation holds all joints
	Sigma    float64
	Measured []int // columns computed from the equation's measured torque
}

func (r *Reduction) checkErrors(s *Solution, errors []TorqueError) {
	for _, e := range errors {
		if e.Rows.columns != r.columns || len(e.Rows.blocks) != len(r.blocks) || len(s.Weights) != len(r.masks) {
			panic(fmt.Sprintf("estimate: a calibration error has %d columns in %d blocks, the estimate %d in %d", e.Rows.columns, len(e.Rows.blocks), r.columns, len(r.blocks)))
		}
	}
}

// Response returns the change of the estimate s over r by each error:
//
//	δx = A⁺·w²·Wᵀ·δy
//
// with A the information of s, w the weight of the equation and W its columns. It is
// exact for least squares with these weights, with a prior or without; other estimators
// are taken to respond as least squares with their weights does. Parameters that an
// estimator has taken as zero stay there.
func (r *Reduction) Response(s *Solution, errors []TorqueError) ([][]float64, error) {
	r.checkErrors(s, errors)
	var work triangle.Work
	stack := s.Stack
	if s.PriorShare == nil || stack == nil {
		stack = triangle.New(r.columns)
		for k := range r.masks {
			f := r.Joint(k, &work).Embed(r.columns, r.masks[k])
			f.Scale(s.Weights[k])
			for c, removed := range s.Removed {
				for i := 0; removed && i <= c; i++ {
					f.R[i*f.N+c] = 0
				}
			}
			stack.Merge(f, &work)
		}
	}
	solver, err := singular.Decompose(stack, singular.ColumnNorms(stack))
	if err != nil {
		return nil, err
	}
	root := solver.Root()
	out := make([][]float64, len(errors))
	for n, e := range errors {
		f := e.Rows.Joint(e.Equation, &work)
		score := mat.NewVecDense(r.columns, nil) // w²·Wᵀ·δy
		w := s.Weights[e.Equation] * s.Weights[e.Equation]
		wrong := slices.Clone(f.Z) // y_g less the part of the columns with the same error
		for j, c := range r.masks[e.Equation] {
			if slices.Contains(e.Measured, c) {
				for i := range j + 1 {
					wrong[i] -= f.R[i*f.N+j] * s.X[c]
				}
			}
		}
		for j, c := range r.masks[e.Equation] {
			if s.Removed != nil && s.Removed[c] {
				continue
			}
			for i := range j + 1 {
				score.SetVec(c, score.AtVec(c)+w*e.Sigma*f.R[i*f.N+j]*wrong[i])
			}
		}
		var inner, change mat.VecDense
		inner.MulVec(root.T(), score)
		change.MulVec(root, &inner)
		out[n] = change.RawVector().Data
		for c, removed := range s.Removed {
			if removed {
				out[n][c] = 0 // its direction is rounding
			}
		}
	}
	return out, nil
}

// Widen adds to the covariance the changes of the estimate by errors that residuals do not show. The degrees of freedom
// grow by the part of each standard deviation that is not estimated from residuals (Welch 1947).
func (s *Solution) Widen(changes [][]float64) {
	s.Covariance = slices.Clone(s.Covariance)
	s.DegreesOfFreedom = slices.Clone(s.DegreesOfFreedom)
	for i := range s.Covariance {
		row := slices.Clone(s.Covariance[i])
		before := row[i]
		for _, c := range changes {
			for j := range row {
				row[j] += c[i] * c[j]
			}
		}
		s.Covariance[i] = row
		s.DegreesOfFreedom[i] = freer(s.DegreesOfFreedom[i], before, row[i])
	}
}

// freer returns the degrees of freedom of a variance whole, of which only before is estimated from residuals.
func freer(freedom, before, whole float64) float64 {
	if !(before > 0) || !(whole > before) {
		return freedom
	}
	return min(freedom*whole/before*whole/before, math.MaxFloat32)
}

// Calibrated is least squares over r in which the errors are unknowns as well, with
// their standard deviations as prior,
//
//	y = W·x + Σ ε·Sigma·y_g,   ε ~ N(0, 1)
//
// where least squares alone would take the disagreement of the joints for
// noise. s is that estimate, with weights that are inverse standard deviations of its rows; an
// equation has one error at most. As a column y_g stands without its noise, which would
// draw it to the residuals: as the torque predicted by the estimate before, and that of
// known parameters beside it. The covariance is that of x together with ε, the stack that
// of x with ε eliminated; found are the errors and their standard deviations.
func (r *Reduction) Calibrated(s *Solution, errors []TorqueError) (out *Solution, found, deviation []float64, err error) {
	r.checkErrors(s, errors)
	n, m := r.columns, len(errors)
	prior := triangle.New(n + m)
	for i := range m {
		prior.R[(n+i)*(n+m)+n+i] = 1
	}
	at := make([]float64, n+m)
	copy(at, s.X)
	weights := s.Weights
	var whole *Reduction
	for round := range calibrations {
		whole = r.withErrors(errors, at)
		if round+1 == calibrations {
			break
		}
		step, err := whole.minimise(fixedWeights(weights), prior, false)
		if err != nil {
			return nil, nil, nil, err
		}
		at = step.X
		if round == 0 {
			// The residuals give the noise, and the noise gives the weight of the prior.
			whole.setCovariance(step.Solution, step.joints, step.solver)
			weights, _ = step.independent()
		}
	}
	joint, err := whole.solve(fixedWeights(weights), prior, false)
	if err != nil {
		return nil, nil, nil, err
	}
	solver, err := singular.Decompose(joint.Stack, singular.ColumnNorms(joint.Stack))
	if err != nil {
		return nil, nil, nil, err
	}
	var posterior mat.SymDense
	posterior.SymOuterK(1, solver.Root())
	c := *s
	c.X, c.Weights, c.Sigma, c.VarianceInflation, c.Leverage = joint.X[:n], joint.Weights, joint.Sigma, joint.VarianceInflation, joint.Leverage
	c.Stack, c.RSS = eliminated(joint.Stack, n), joint.RSS
	c.Covariance, c.DegreesOfFreedom = make([][]float64, n), make([]float64, n)
	for i := range n {
		c.Covariance[i] = make([]float64, n)
		for j := range n {
			c.Covariance[i][j] = posterior.At(i, j)
		}
		c.DegreesOfFreedom[i] = freer(joint.DegreesOfFreedom[i], joint.Covariance[i][i], posterior.At(i, i))
	}
	for i := range m {
		found, deviation = append(found, joint.X[n+i]), append(deviation, math.Sqrt(posterior.At(n+i, n+i)))
	}
	return &c, found, deviation, nil
}

// calibrations is the number of rounds in which predicted torques and weights follow the estimate. The first leaves an
// error of second order in Sigma; each further one multiplies it by Sigma.
const calibrations = 3

// withErrors returns the reduction with one more column for each error, at x: the parameters and the errors.
func (r *Reduction) withErrors(errors []TorqueError, x []float64) *Reduction {
	n := r.columns
	masks := make([][]int, len(r.masks))
	of := make([]int, len(r.masks)) // error of each equation, −1 for none
	for k := range masks {
		masks[k], of[k] = slices.Clone(r.masks[k]), -1
		for i, e := range errors {
			if e.Equation == k {
				masks[k], of[k] = append(masks[k], n+i), i
			}
		}
	}
	out := NewReduction(n+len(errors), masks)
	for b := range r.blocks {
		t := TimeBlock{Run: r.blocks[b].Run}
		for k, f := range r.blocks[b].Joints {
			if of[k] < 0 {
				t.Joints = append(t.Joints, f)
				continue
			}
			e := errors[of[k]]
			cols := entries(f)
			column := make([]float64, f.N+1)
			for i := range f.N {
				// Sigma·y_g, minus Sigma times the noise of y.
				column[i] = e.Rows.blocks[b].Joints[k].Z[i] - f.Z[i]
				for j := i; j < f.N; j++ {
					if c := r.masks[k][j]; !slices.Contains(e.Measured, c) {
						column[i] += f.R[i*f.N+j] * x[c]
					}
				}
				column[i] *= e.Sigma / (1 - e.Sigma*x[n+of[k]])
			}
			g := triangle.New(f.N + 1)
			g.Add(append(cols[:f.N:f.N], column), cols[f.N], new(triangle.Work))
			g.Rows = f.Rows
			t.Joints = append(t.Joints, g)
		}
		out.Append(t)
	}
	return out
}

// eliminated returns the factor of the first n columns of f with the others eliminated: the sum of squares as a function
// of the first alone.
func eliminated(f *triangle.Factor, n int) *triangle.Factor {
	cols := entries(f)
	order := append(slices.Clone(cols[n:f.N]), cols[:n]...)
	g := triangle.New(f.N)
	g.Add(order, cols[f.N], new(triangle.Work))
	out := triangle.New(n)
	first := f.N - n
	for i := range n {
		copy(out.R[i*n:(i+1)*n], g.R[(first+i)*f.N+first:(first+i+1)*f.N])
		out.Z[i] = g.Z[first+i]
	}
	out.RSS, out.YY, out.Rows = g.RSS, f.YY, f.Rows
	return out
}
