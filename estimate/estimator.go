package estimate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"ident/internal/hint"
	"ident/internal/triangle"
)

// Estimator finds the parameters of a problem. It must be deterministic, keep nothing between calls, and be safe for
// concurrent use. Failures are errors to match: *RankError, *ConvergenceError, *VarianceError, ErrNoData, ErrPasses.
type Estimator interface {
	// Name returns the word for the estimator on the command line and in results.
	Name() string
	Estimate(ctx context.Context, p *Problem) (*Solution, error)
}

// Problem is the input of an estimator: a reduction, and a way to read its rows again.
type Problem struct {
	Reduction *Reduction
	// Rows reads the rows again, for estimators that need more than the reduction; nil if that is impossible.
	Rows Source
	// MinimumNorm asks for the smallest solution if the rows do not determine all parameters. Otherwise that is a
	// *RankError.
	MinimumNorm bool
}

// Source reads the rows behind a reduction again, any number of times, in their order and without storing them.
type Source interface {
	// Reduce reduces the rows after change, in the time blocks of the first reduction. It calls Apply from several
	// goroutines.
	Reduce(ctx context.Context, change Change) (*Reduction, error)
	// Residuals calls visit with y − W·x, batch after batch in order.
	Residuals(ctx context.Context, x []float64, visit func(*Residuals) error) error
}

// Change transforms rows in another pass before they are reduced. Apply must read only rows it was given, not rows it
// has written.
type Change interface {
	// Masks returns the columns that each joint's changed rows can have.
	Masks(masks [][]int) [][]int
	// Memory returns the number of preceding rows that a row's change depends on.
	Memory() int
	// Apply changes a batch, in place or by replacing its slices.
	Apply(s *Batch)
}

// Batch holds consecutive rows of all joints, from one segment of a run.
type Batch struct {
	Run int
	// At is the number of rows of the segment before the first row of the batch.
	At int
	// Lead is the number of leading rows that are present only as memory for the following ones: Change.Memory, or fewer
	// at the start.
	Lead    int
	Masks   [][]int       // by joint: the parameter of each of its columns
	Columns [][][]float64 // joint, column of the joint's mask, row
	Y       [][]float64   // joint, row
	// Measured holds, by joint and row, the measured side before known torque was moved from it; nil where that is Y. A
	// change that multiplies or mixes rows must do so here too.
	Measured [][]float64
	// LeftOut marks, by joint, rows that the reduction leaves out; nil for a joint without any. A change that mixes
	// joints must mark the rows of all of them.
	LeftOut [][]bool
}

// Residuals holds the residuals of consecutive rows of all joints.
type Residuals struct {
	Run int
	At  int         // position in the segment, as in Batch; 0 begins a new segment
	E   [][]float64 // joint, row
	// LeftOut marks, by joint, rows that are not in the reduction; nil for a joint without any.
	LeftOut [][]bool
}

// counts reports whether the row of a residual is in the reduction.
func (r *Residuals) counts(joint, row int) bool {
	return r.LeftOut == nil || r.LeftOut[joint] == nil || !r.LeftOut[joint][row]
}

// counted returns the residuals of a joint, with zeros for rows that do not count, and the number of those that do.
func (r *Residuals) counted(joint int) ([]float64, int) {
	e := r.E[joint]
	if r.LeftOut == nil || r.LeftOut[joint] == nil {
		return e, len(e)
	}
	e, n := slices.Clone(e), 0
	for i := range e {
		if r.LeftOut[joint][i] {
			e[i] = 0
		} else {
			n++
		}
	}
	return e, n
}

// ErrPasses is wrapped by the error of an estimator that must read the rows again if the problem has none.
var ErrPasses = errors.New("the estimator reads the rows more than once")

// ConvergenceError says that an iteration did not converge, and where it stopped.
type ConvergenceError struct {
	Estimator  string
	Iterations int
	Change     float64   // size of the last step, in standard deviations of the estimate
	X          []float64 // last iterate
	Reason     string    // settings stand in it as {key}
}

// Error names settings by their keys.
func (e *ConvergenceError) Error() string { return e.Naming(hint.Key).Error() }

// Naming returns the error with its settings as name says, for those that know them as options.
func (e *ConvergenceError) Naming(name func(key string) string) error {
	return fmt.Errorf("%s did not converge: %s; after %d iterations the last step was %.3g standard deviations", e.Estimator, hint.Name(e.Reason, name), e.Iterations, e.Change)
}

// VarianceError reports a given variance or standard deviation that is not positive and
// finite.
type VarianceError struct {
	What  string // what the variance belongs to
	Value float64
}

func (e *VarianceError) Error() string {
	return fmt.Sprintf("%s is %g: variances and standard deviations are positive numbers", e.What, e.Value)
}

// Linear is least squares with a weight for each joint.
type Linear struct{ Weighting Weighting }

// Name returns the name of the weighting.
func (l Linear) Name() string { return string(l.Weighting) }

// Estimate needs only the reduction.
func (l Linear) Estimate(_ context.Context, p *Problem) (*Solution, error) {
	return p.Reduction.Solve(l.Weighting, p.MinimumNorm)
}

// iteration holds the limits of an iterated estimator.
type iteration struct {
	name      string
	limit     int     // most iterations
	tolerance float64 // of a step, in standard deviations of the estimate
}

// defaultIterations is far above what a handful of parameters need: each iteration gains a digit or more.
const defaultIterations = 50

// stepTolerance is the step, in standard deviations, below which an iteration ends: printed digits no longer change.
// Near the end each step is at most half the previous one, so the remaining error is at most the last step.
const stepTolerance = 1e-5

// nuisanceTolerance replaces stepTolerance in iterations on the error model. With many samples each iterate is as good
// as the next, steps shrink slowly if errors are much alike, and two passes are expensive.
const nuisanceTolerance = 1e-2

// settled reports whether the step from x to s.X is negligible. step is the root mean square over the parameters, in
// standard deviations.
func (it iteration) settled(x []float64, s *Solution) (step float64, ok bool) {
	n := s.Stack.N
	d := make([]float64, n)
	for i := range d {
		d[i] = s.X[i] - x[i]
	}
	sum := 0.0
	for i := range n {
		v := 0.0
		for j := i; j < n; j++ {
			v += s.Stack.R[i*n+j] * d[j]
		}
		sum += v * v
	}
	// A step within the rounding of predicted torques is negligible.
	if sum <= 1e-24*s.Stack.YY {
		return 0, true
	}
	rows := 0
	for _, k := range s.Rows {
		rows += k
	}
	// RSS over the degrees of freedom is the variance of a weighted row.
	variance := s.RSS / float64(max(rows-s.Rank, 1))
	step = math.Sqrt(sum / (variance * float64(max(n, 1))))
	return step, step < it.tolerance
}

// fail returns the error of an iteration that has reached its limit.
func (it iteration) fail(s *Solution, step float64, reason string) error {
	return &ConvergenceError{Estimator: it.name, Iterations: it.limit, Change: step, X: append([]float64(nil), s.X...), Reason: reason}
}

// restateSigma sets the residual standard deviations in torque units, for the rows of r. Use it if the solution is one
// of changed rows.
func (s *Solution) restateSigma(r *Reduction) {
	var work triangle.Work
	for k, mask := range r.masks {
		f := r.Joint(k, &work)
		if free := float64(f.Rows) - s.Leverage[k]; free > 0 {
			s.Sigma[k] = math.Sqrt(residual(f, mask, s.X) / free)
		}
	}
}

// again returns the error that an estimator cannot read the rows again.
func again(name string) error {
	return fmt.Errorf("%s: %w, but these rows can be read only once", name, ErrPasses)
}
