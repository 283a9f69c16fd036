package estimate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"ident/estimate/internal/singular"
	"ident/internal/triangle"
)

// Weighting says how the joints' rows are weighted relative to each other.
type Weighting string

// The weightings.
const (
	OLS Weighting = "ols" // all rows have equal weight
	WLS Weighting = "wls" // weight 1/σ by joint, with its residual standard deviation σ (Gautier 1997)
)

// ErrNoData is returned if the reduction has no rows, or fewer rows than parameters.
var ErrNoData = errors.New("not enough rows")

// RankError says that the data do not determine all parameters.
type RankError struct {
	Rank, Columns int
	Undetermined  []int // columns that take part in the null space, the most involved first
}

func (e *RankError) Error() string {
	return fmt.Sprintf("the data determine %d of %d parameters", e.Rank, e.Columns)
}

// Solution is a weighted least-squares estimate of a reduction's parameters.
type Solution struct {
	X                 []float64
	Weights           []float64 // per joint: rows were multiplied by this
	Sigma             []float64 // per joint: standard deviation of the residual at the estimate
	VarianceInflation []float64 // per joint: variance factor of the samples' correlation
	Rows              []int
	Leverage          []float64   // per joint: number of parameters that its rows determine (trace of its part of the hat matrix)
	Covariance        [][]float64 // covariance of X, corrected for correlated rows and for model errors that repeat with the motion
	ConditionScaled   float64     // condition number with columns of unit norm
	ConditionRaw      float64
	Rank              int
	// InflationSpread is the relative variance of each joint's VarianceInflation.
	InflationSpread []float64
	// Recurrence is, by joint, the factor on its part of Covariance due to errors that recur with the motion; nil if
	// they do not exceed chance. NoiseCovariance is then the covariance without it, for tests whether the model is true;
	// otherwise nil.
	Recurrence      []float64
	NoiseCovariance [][]float64
	// DegreesOfFreedom of each parameter's standard deviation: the number of independent residuals behind it, reduced
	// for the uncertainty of VarianceInflation. Use StudentQuantile of it for intervals.
	DegreesOfFreedom []float64
	// Stack is the factor of the weighted rows of all joints, RSS their residual sum of squares. Stack is nil if the
	// estimate does not minimise a sum of squares of rows.
	Stack *Factor
	RSS   float64
	// Linear holds the linearised rows of the last step if the estimate is not linear in the parameters; otherwise nil.
	Linear *Reduction
	Notes
}

// Notes holds remarks and measures that some estimators add to their estimate.
type Notes struct {
	Iterations int
	// PriorShare is, by parameter, the part of the information that came from the prior: zero if the data alone decided,
	// one if they contributed nothing. Nil without a prior.
	PriorShare []float64
	// Bias is, by parameter, the estimator's own estimate of its mean error, if it has one: a shrunken estimate is
	// biased by design.
	Bias []float64
	// Removed marks the parameters that were set to zero because the data hardly distinguish them from zero.
	Removed  []bool
	Remarks  []string // what was chosen and done
	Warnings []string // reasons to doubt the estimate
	// MotionFree says that the regressor contains no measured motion, whose noise would bias the estimate.
	MotionFree bool
}

// Solve estimates the parameters. If the rows do not determine all, the error is a *RankError; with minimumNorm Solve
// instead returns the smallest solution in scaled columns.
func (r *Reduction) Solve(weighting Weighting, minimumNorm bool) (*Solution, error) {
	m, err := r.least(weighting, minimumNorm)
	if err != nil {
		return nil, err
	}
	return r.withCovariance(m), nil
}

// WithoutCovariance estimates as Solve does but without standard deviations, covariance and inflation. Use it if only
// the parameters are needed, as in cross-validation: it costs a fraction of Solve.
func (r *Reduction) WithoutCovariance(weighting Weighting, minimumNorm bool) (*Solution, error) {
	m, err := r.least(weighting, minimumNorm)
	return m.Solution, err
}

// SolveWeighted is Solve with a given weight for each joint's rows: the inverse
// of their standard deviation. Weights must be positive, otherwise the error is a
// *VarianceError.
func (r *Reduction) SolveWeighted(weights []float64, minimumNorm bool) (*Solution, error) {
	m, err := r.weighted(weights, minimumNorm)
	if err != nil {
		return nil, err
	}
	return r.withCovariance(m), nil
}

// WeightedWithoutCovariance is SolveWeighted without standard deviations, covariance and inflation, as WithoutCovariance is Solve.
func (r *Reduction) WeightedWithoutCovariance(weights []float64, minimumNorm bool) (*Solution, error) {
	m, err := r.weighted(weights, minimumNorm)
	return m.Solution, err
}

func (r *Reduction) weighted(weights []float64, minimumNorm bool) (minimum, error) {
	if len(weights) != len(r.masks) {
		panic(fmt.Sprintf("estimate: %d weights for %d joints", len(weights), len(r.masks)))
	}
	for k, w := range weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return minimum{}, &VarianceError{What: fmt.Sprintf("the weight of joint %d", k+1), Value: w}
		}
	}
	return r.minimise(fixedWeights(weights), nil, minimumNorm)
}

// weigher returns the joints' weights from their factors.
type weigher func(joints []*triangle.Factor) []float64

func (r *Reduction) weigher(w Weighting) weigher {
	return func(joints []*triangle.Factor) []float64 { return jointWeights(w, joints, r.masks, r.columns) }
}

func fixedWeights(weights []float64) weigher {
	return func([]*triangle.Factor) []float64 { return slices.Clone(weights) }
}

// minimum is a solution before its standard deviations and covariance are computed.
type minimum struct {
	*Solution
	joints []*triangle.Factor
	solver singular.Solver
}

// withCovariance adds condition numbers, standard deviations and covariance to a minimum.
func (r *Reduction) withCovariance(m minimum) *Solution {
	m.ConditionScaled, m.ConditionRaw = m.solver.Condition(), singular.Condition(m.Stack)
	r.setCovariance(m.Solution, m.joints, m.solver)
	return m.Solution
}

// solve returns the minimum with its covariance.
func (r *Reduction) solve(weigh weigher, prior *triangle.Factor, minimumNorm bool) (*Solution, error) {
	m, err := r.minimise(weigh, prior, minimumNorm)
	if err != nil {
		return nil, err
	}
	return r.withCovariance(m), nil
}

// minimise determines the weights, stacks the joints and then the rows of prior (may be nil), and solves.
func (r *Reduction) minimise(weigh weigher, prior *triangle.Factor, minimumNorm bool) (minimum, error) {
	var work triangle.Work
	joints := make([]*triangle.Factor, len(r.masks))
	for k := range joints {
		joints[k] = r.joint(k, &work)
	}
	return r.minimumOf(joints, weigh, prior, minimumNorm)
}

// leastTorque is the least size of torques that can be weighted: fourth powers of their standard deviations, in moments
// of residuals, stay far from underflow.
const leastTorque = 1e-30

// minimumOf is minimise for given factors of the joints, which it does not change.
func (r *Reduction) minimumOf(joints []*triangle.Factor, weigh weigher, prior *triangle.Factor, minimumNorm bool) (minimum, error) {
	var work triangle.Work
	total := 0
	s := &Solution{Rows: r.Rows()}
	for _, n := range s.Rows {
		total += n
	}
	if total == 0 || total < r.columns && prior == nil {
		return minimum{}, fmt.Errorf("%w: %d rows for %d parameters", ErrNoData, total, r.columns)
	}
	for k, f := range joints {
		if v := f.YY + f.RSS; math.IsNaN(v) || math.IsInf(v, 0) {
			return minimum{}, fmt.Errorf("joint %d: the rows hold a value that is not finite", k+1)
		}
		if size := math.Sqrt(f.YY / float64(max(f.Rows, 1))); f.YY != 0 && size < leastTorque {
			return minimum{}, fmt.Errorf("joint %d: its torques have a root mean square of %.3g, which cannot be weighted: give the unit of the channel, or mend the log", k+1, size)
		}
	}
	s.Weights = weigh(joints)
	stack := triangle.New(r.columns)
	for k, f := range joints {
		stack.MergeColumns(f, r.masks[k], s.Weights[k], &work)
	}
	if prior != nil {
		stack.Merge(prior, &work)
	}
	solver, err := singular.Of(stack)
	if err != nil {
		return minimum{}, err
	}
	s.Rank = solver.Rank()
	if s.Rank < r.columns && !minimumNorm {
		return minimum{}, deficient(solver, r.columns)
	}
	s.X = solver.Solve(stack.Z)
	s.Stack, s.RSS = stack, stack.RSS+solver.Unexplained(stack.Z)
	return minimum{s, joints, solver}, nil
}

// jointWeights returns ones for OLS. For WLS it returns the inverse residual standard deviation of each joint's own
// least squares, with the rank of its own columns. A column that is mere rounding in this joint, compared with the
// others, does not count.
func jointWeights(weighting Weighting, joints []*triangle.Factor, masks [][]int, columns int) []float64 {
	w := slices.Repeat([]float64{1}, len(joints))
	if weighting != WLS {
		return w
	}
	whole := make([]float64, columns)
	for k, f := range joints {
		for j, norm := range singular.ColumnNorms(f) {
			whole[masks[k][j]] = math.Hypot(whole[masks[k][j]], norm)
		}
	}
	floor := 0.0
	sigma := make([]float64, len(joints))
	for k, f := range joints {
		norms := make([]float64, f.N)
		for j, c := range masks[k] {
			norms[j] = whole[c]
		}
		rank, rss := 0, f.RSS
		if own, unexplained, ok := singular.Determined(f, norms); ok {
			rank = own
			rss += unexplained
		}
		if free := f.Rows - rank; free > 0 {
			sigma[k] = math.Sqrt(rss / float64(free))
		}
		// Bound the standard deviation of a noise-free joint by the rounding of its torque: otherwise its weight would
		// be infinite.
		if f.Rows > 0 {
			sigma[k] = max(sigma[k], 1e-13*math.Sqrt(f.YY/float64(f.Rows)))
		}
		floor = max(floor, sigma[k])
	}
	for k := range w {
		if sigma[k] > 0 {
			w[k] = 1 / sigma[k]
		} else if floor > 0 {
			w[k] = 1 / floor
		}
	}
	return w
}
