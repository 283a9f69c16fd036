package estimate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/internal/triangle"
)

// Weighting tells how the joints' rows are weighted against each other.
type Weighting string

// The estimators of the linear family.
const (
	OLS Weighting = "ols" // every row alike
	WLS Weighting = "wls" // each joint by its own residual deviation (Gautier 1997)
)

// ErrNoData is returned where the reduction has no rows, or fewer than
// parameters.
var ErrNoData = errors.New("not enough rows")

// RankError says that the data do not determine all parameters.
type RankError struct {
	Rank, Columns int
	Undetermined  []int // columns that take part in the null space, most involved first
}

func (e *RankError) Error() string {
	return fmt.Sprintf("the data determine %d of %d parameters", e.Rank, e.Columns)
}

// Solution is a weighted least-squares estimate of a reduction's parameters.
type Solution struct {
	X                 []float64
	Weights           []float64 // per joint: rows were multiplied by this
	Sigma             []float64 // per joint: residual deviation, at the estimate
	VarianceInflation []float64 // per joint: variance factor of the samples' correlation
	Rows              []int
	Leverage          []float64   // per joint: the number of parameters that its rows took up
	Covariance        [][]float64 // corrected for correlation
	ConditionScaled   float64     // condition number with columns of unit norm
	ConditionRaw      float64
	Rank              int
	// DegreesOfFreedom of each parameter's deviation: the independent residuals behind
	// it, fewer for the uncertainty of VarianceInflation. Intervals take StudentQuantile.
	DegreesOfFreedom []float64
	// Stack is the factor of the weighted rows of all joints, and RSS their
	// residual sum of squares. Stack is nil where the estimate is not the minimum of a sum
	// of squares of rows.
	Stack *triangle.Factor
	RSS   float64
	// Linear, of an estimate that is not linear in the parameters, has the rows of
	// its last step, which are; nil otherwise.
	Linear *Reduction
	Notes
}

// Notes are the remarks and measures of some estimators on their estimate.
type Notes struct {
	Iterations int
	// PriorShare, by parameter, is the part of the information that came from the
	// prior: zero where the data decided alone, one where they had none. Nil
	// without a prior.
	PriorShare []float64
	// Bias, by parameter, is the estimator's own guess of its mean error, where
	// it has one: a shrunken estimate is biased by design.
	Bias []float64
	// Removed tells, by parameter, that it was taken as zero, because the data
	// tell it apart from zero too poorly.
	Removed  []bool
	Remarks  []string // choices and steps
	Warnings []string // reasons to doubt the estimate
}

// rankTolerance is the smallest singular value, of the column-scaled factor
// and relative to the largest, that counts as determined. Rounding in the
// regressor of a noise-free log leaves singular values of 1e-13 or less;
// real logs with any excitation stay above 1e-6.
const rankTolerance = 1e-10

// Solve estimates the parameters. Rank deficiency is a *RankError; with
// minimumNorm it instead takes the smallest solution in scaled columns.
func (r *Reduction) Solve(weighting Weighting, minimumNorm bool) (*Solution, error) {
	return r.solve(weighingOf(r, weighting), nil, minimumNorm)
}

// SolveWeighted is Solve with a given weight for each joint's rows: the inverse
// of their deviation. Weights are positive, otherwise a *VarianceError.
func (r *Reduction) SolveWeighted(weights []float64, minimumNorm bool) (*Solution, error) {
	if len(weights) != len(r.masks) {
		panic(fmt.Sprintf("estimate: %d weights for %d joints", len(weights), len(r.masks)))
	}
	for k, w := range weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return nil, &VarianceError{What: fmt.Sprintf("the weight of joint %d", k+1), Value: w}
		}
	}
	return r.solve(fixedWeights(weights), nil, minimumNorm)
}

// weigher finds the joints' weights from their factors.
type weigher func(joints []*triangle.Factor) []float64

func weighingOf(r *Reduction, w Weighting) weigher {
	return func(joints []*triangle.Factor) []float64 { return jointWeights(w, joints, r.masks, r.columns) }
}

func fixedWeights(weights []float64) weigher {
	return func([]*triangle.Factor) []float64 { return slices.Clone(weights) }
}

// minimum is a solution that has not been judged yet: it has no deviations.
type minimum struct {
	*Solution
	joints []*triangle.Factor
	solver *scaledSVD
}

// solve finds the minimum and judges it.
func (r *Reduction) solve(weigh weigher, prior *triangle.Factor, minimumNorm bool) (*Solution, error) {
	m, err := r.minimise(weigh, prior, minimumNorm)
	if err != nil {
		return nil, err
	}
	r.judge(m.Solution, m.joints, m.solver)
	return m.Solution, nil
}

// minimise finds the weights, stacks the joints and below them the rows of prior,
// which may be nil, and solves.
func (r *Reduction) minimise(weigh weigher, prior *triangle.Factor, minimumNorm bool) (minimum, error) {
	var work triangle.Work
	joints := make([]*triangle.Factor, len(r.masks))
	total := 0
	s := &Solution{Rows: r.Rows()}
	for k := range joints {
		joints[k] = r.Joint(k, &work)
		total += s.Rows[k]
	}
	if total == 0 || total < r.columns && prior == nil {
		return minimum{}, fmt.Errorf("%w: %d rows for %d parameters", ErrNoData, total, r.columns)
	}
	for k, f := range joints {
		if v := f.YY + f.RSS; math.IsNaN(v) || math.IsInf(v, 0) {
			return minimum{}, fmt.Errorf("joint %d: the rows hold a value that is not finite", k+1)
		}
	}
	s.Weights = weigh(joints)
	stack := triangle.New(r.columns)
	for k, f := range joints {
		g := f.Embed(r.columns, r.masks[k])
		g.Scale(s.Weights[k])
		stack.Merge(g, &work)
	}
	if prior != nil {
		stack.Merge(prior, &work)
	}
	solver, err := newScaledSVD(stack, columnNorms(stack))
	if err != nil {
		return minimum{}, err
	}
	s.ConditionScaled, s.ConditionRaw, s.Rank = solver.condition(), rawCondition(stack), solver.rank()
	if s.Rank < r.columns && !minimumNorm {
		return minimum{}, &RankError{Rank: s.Rank, Columns: r.columns, Undetermined: solver.undetermined()}
	}
	s.X = solver.solve(stack.Z)
	s.Stack, s.RSS = stack, stack.RSS+solver.unexplained(stack.Z)
	return minimum{s, joints, solver}, nil
}

// jointWeights is 1 for OLS; for WLS the inverse of the residual deviation of
// each joint's own least squares, with the rank that its own columns have. A
// column that is rounding in this joint, compared with the others, does not count.
func jointWeights(weighting Weighting, joints []*triangle.Factor, masks [][]int, columns int) []float64 {
	w := make([]float64, len(joints))
	for k := range w {
		w[k] = 1
	}
	if weighting != WLS {
		return w
	}
	whole := make([]float64, columns)
	for k, f := range joints {
		for j, norm := range columnNorms(f) {
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
		if solver, err := newScaledSVD(f, norms); err == nil {
			rank = solver.rank()
			rss += solver.unexplained(f.Z)
		}
		if free := f.Rows - rank; free > 0 {
			sigma[k] = math.Sqrt(rss / float64(free))
		}
		// A noise-free joint would get an infinite weight: its deviation is
		// taken no smaller than rounding of its own torque.
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

// scaledSVD is the singular value decomposition of a factor with unit columns.
type scaledSVD struct {
	n      int
	norms  []float64 // of the columns, 1 where the column is zero
	u, v   mat.Dense
	values []float64
}

// columnNorms returns the norms of the columns that a factor summarises.
func columnNorms(f *triangle.Factor) []float64 {
	norms := make([]float64, f.N)
	for j := range norms {
		for i := range j + 1 {
			norms[j] = math.Hypot(norms[j], f.R[i*f.N+j])
		}
	}
	return norms
}

// newScaledSVD decomposes a factor with its columns divided by norms; zeros are
// replaced by ones.
func newScaledSVD(f *triangle.Factor, norms []float64) (*scaledSVD, error) {
	n := f.N
	s := &scaledSVD{n: n, norms: norms}
	if n == 0 {
		return s, nil
	}
	a := mat.NewDense(n, n, nil)
	for j := range n {
		if norms[j] == 0 {
			norms[j] = 1
		}
		for i := range j + 1 {
			a.Set(i, j, f.R[i*n+j]/norms[j])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDFull) {
		return nil, errors.New("the singular values of the regressor did not converge: its rows hold values that are not finite")
	}
	s.values = svd.Values(nil)
	svd.UTo(&s.u)
	svd.VTo(&s.v)
	return s, nil
}

func (s *scaledSVD) rank() int {
	rank := 0
	for _, v := range s.values {
		if v > rankTolerance*s.values[0] {
			rank++
		}
	}
	return rank
}

func (s *scaledSVD) condition() float64 {
	if s.n == 0 {
		return 1
	}
	return s.values[0] / s.values[s.n-1]
}

// undetermined ranks the columns by their part in the null directions.
func (s *scaledSVD) undetermined() []int {
	part := make([]float64, s.n)
	for k := s.rank(); k < s.n; k++ {
		for j := range s.n {
			part[j] += s.v.At(j, k) * s.v.At(j, k)
		}
	}
	var out []int
	for {
		best := -1
		for j, p := range part {
			// A hundredth of a unit direction is where a share stops being a cause.
			if p > 1e-2 && (best < 0 || p > part[best]) {
				best = j
			}
		}
		if best < 0 {
			return out
		}
		out = append(out, best)
		part[best] = 0
	}
}

// Directions are the combinations of parameters that the rows of an estimate
// determine, in columns of unit norm.
type Directions struct {
	Singular     []float64   // singular values, descending
	Forms        [][]float64 // by singular value: coefficients of the parameters
	Undetermined []int       // columns that take part in the null space, most involved first
}

// Directions decomposes the weighted rows of s, which is the minimum of a sum of
// squares.
func (s *Solution) Directions() (*Directions, error) {
	solver, err := newScaledSVD(s.Stack, columnNorms(s.Stack))
	if err != nil {
		return nil, err
	}
	d := &Directions{Singular: solver.values[:solver.rank()], Undetermined: solver.undetermined()}
	for k := range d.Singular {
		form := make([]float64, solver.n)
		for j := range form {
			form[j] = solver.v.At(j, k) * solver.norms[j]
		}
		d.Forms = append(d.Forms, form)
	}
	return d, nil
}

// unexplained is the squared part of z in the directions that are not determined.
func (s *scaledSVD) unexplained(z []float64) float64 {
	sum := 0.0
	for k := s.rank(); k < s.n; k++ {
		d := 0.0
		for i := range s.n {
			d += s.u.At(i, k) * z[i]
		}
		sum += d * d
	}
	return sum
}

// solve returns the solution of R·x = z, of smallest norm in scaled columns
// where the rank is not full.
func (s *scaledSVD) solve(z []float64) []float64 {
	x := make([]float64, s.n)
	for k := range s.rank() {
		d := 0.0
		for i := range s.n {
			d += s.u.At(i, k) * z[i]
		}
		d /= s.values[k]
		for j := range s.n {
			x[j] += s.v.At(j, k) * d
		}
	}
	for j := range x {
		x[j] /= s.norms[j]
	}
	return x
}

// inverse returns N⁻¹·V·S⁻¹·Uᵀ, the inverse of the factor U·S·Vᵀ·N, of full rank.
func (s *scaledSVD) inverse() *mat.Dense {
	out := new(mat.Dense)
	out.Mul(s.root(), s.u.T())
	return out
}

// root returns the n×rank matrix B with (RᵀR)⁺ = B·Bᵀ, one column of zeros for
// rank zero.
func (s *scaledSVD) root() *mat.Dense {
	b := mat.NewDense(s.n, max(s.rank(), 1), nil)
	for j := range s.n {
		for k := range s.rank() {
			b.Set(j, k, s.v.At(j, k)/s.values[k]/s.norms[j])
		}
	}
	return b
}

func rawCondition(f *triangle.Factor) float64 {
	if f.N == 0 {
		return 1
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewTriDense(f.N, mat.Upper, append([]float64(nil), f.R...)), mat.SVDNone) {
		return math.NaN()
	}
	v := svd.Values(nil)
	return v[0] / v[len(v)-1]
}
