package estimate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"ident/internal/triangle"
)

// Estimator finds the parameters of a problem. It is deterministic, keeps
// nothing between calls, and may be used from several goroutines. Doubt is an
// error that can be matched: *RankError, *ConvergenceError, *VarianceError,
// ErrNoData, ErrPasses.
type Estimator interface {
	// Name is the word that the command line and results use.
	Name() string
	Estimate(ctx context.Context, p *Problem) (*Solution, error)
}

// Problem is the input of an estimator: a reduction, and a way to read its rows again.
type Problem struct {
	Reduction *Reduction
	// Rows reads the rows again, for the estimators that cannot do with the
	// reduction; nil where that is not possible.
	Rows Source
	// MinimumNorm takes the smallest solution where the rows do not determine
	// all parameters; otherwise that is a *RankError.
	MinimumNorm bool
}

// Source reads the rows behind a reduction again, as often as it is asked, in
// their order and without holding them.
type Source interface {
	// Reduce summarises the changed rows, in the time blocks of the
	// first reduction. Apply is called from several goroutines.
	Reduce(ctx context.Context, change Change) (*Reduction, error)
	// Residuals hands y − W·x to visit, batch after batch in order.
	Residuals(ctx context.Context, x []float64, visit func(*Residuals) error) error
}

// Change transforms rows in a further pass before they are reduced. Apply reads the
// rows that it is given and no row that it has written.
type Change interface {
	// Masks are the columns that each joint's changed rows can have.
	Masks(masks [][]int) [][]int
	// Memory is the number of rows before a row that its change depends on.
	Memory() int
	// Apply changes a batch, in place or by giving it other slices.
	Apply(s *Batch)
}

// Batch holds consecutive rows of all joints, from one segment of a run.
type Batch struct {
	Run int
	// At is the number of rows of the same segment before the first row here.
	At int
	// Lead is how many of the rows here are there only for the memory of those
	// that follow: as many as Change.Memory, or as there are.
	Lead    int
	Masks   [][]int       // joint: the parameters that its columns belong to
	Columns [][][]float64 // joint, column of the joint's mask, row
	Y       [][]float64   // joint, row
	// LeftOut are rows that the reduction does without, by joint; nil of a joint without any. A
	// change that mixes joints spreads them.
	LeftOut [][]bool
}

// Residuals are those of consecutive rows of all joints.
type Residuals struct {
	Run int
	At  int         // as in Batch; 0 begins a segment
	E   [][]float64 // joint, row
	// LeftOut are rows that are not in the reduction, by joint; nil of a joint without any.
	LeftOut [][]bool
}

// counts reports whether a residual is that of a row in the reduction.
func (r *Residuals) counts(joint, row int) bool {
	return r.LeftOut == nil || r.LeftOut[joint] == nil || !r.LeftOut[joint][row]
}

// counted are the residuals of a joint with zeros instead of those that do not count, and the
// number of the others.
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

// ErrPasses is returned by estimators that have to read the rows again where
// the problem has none.
var ErrPasses = errors.New("the estimator reads the rows more than once")

// ConvergenceError says that an iteration did not come to rest, and where it
// stopped.
type ConvergenceError struct {
	Estimator  string
	Iterations int
	Change     float64   // last step, in standard deviations of the estimate
	X          []float64 // last iterate
	Reason     string
}

func (e *ConvergenceError) Error() string {
	return fmt.Sprintf("%s did not converge: %s; after %d iterations the last step was %.3g standard deviations", e.Estimator, e.Reason, e.Iterations, e.Change)
}

// VarianceError reports a given variance or standard deviation that is not positive and
// finite.
type VarianceError struct {
	What  string // name of the variance
	Value float64
}

func (e *VarianceError) Error() string {
	return fmt.Sprintf("%s is %g: variances and deviations are positive numbers", e.What, e.Value)
}

// Linear is least squares with a weight for each joint.
type Linear struct{ Weighting Weighting }

// Name is that of the weighting.
func (l Linear) Name() string { return string(l.Weighting) }

// Estimate solves from the reduction alone.
func (l Linear) Estimate(_ context.Context, p *Problem) (*Solution, error) {
	return p.Reduction.Solve(l.Weighting, p.MinimumNorm)
}

// iteration is how far an iterated estimator goes.
type iteration struct {
	name      string
	limit     int     // most iterations
	tolerance float64 // of a step, in standard deviations of the estimate
}

// defaultIterations is many times the iterations that a handful of parameters
// need: each gains a digit or more.
const defaultIterations = 50

// stepTolerance is the step, in standard deviations, below which an iteration
// ends: no printed digit changes any more. Near the end each step is at most half
// of the one before, so the remaining error is at most the last step.
const stepTolerance = 1e-5

// nuisanceTolerance takes its place in iterations on the model of the
// errors: each iterate is as good an estimate as the next one for many samples,
// steps shrink slowly where the errors are much alike, and two passes are dear.
const nuisanceTolerance = 1e-2

// settled reports whether the step from x to s.X is negligible: its length in the
// metric of the estimate, root mean square a parameter in standard deviations.
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
	// Rounding of the torques' predictions is not worth another step.
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

// fail is the error of an iteration that has run out.
func (it iteration) fail(s *Solution, step float64, reason string) error {
	return &ConvergenceError{Estimator: it.name, Iterations: it.limit, Change: step, X: append([]float64(nil), s.X...), Reason: reason}
}

// restateSigma sets the residual deviations in the torques' own units, of the rows
// as r has them, where the solution is one of changed rows.
func (s *Solution) restateSigma(r *Reduction) {
	var work triangle.Work
	for k, mask := range r.masks {
		f := r.Joint(k, &work)
		if free := float64(f.Rows) - s.Leverage[k]; free > 0 {
			s.Sigma[k] = math.Sqrt(residual(f, mask, s.X) / free)
		}
	}
}

// again reports that an estimator cannot read the rows again.
func again(name string) error {
	return fmt.Errorf("%s: %w, and these rows are gone", name, ErrPasses)
}
