package estimate

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"ident/estimate/internal/singular"
	"ident/internal/triangle"
)

// CrossValidation says how well rows of a run are predicted by an estimate from the other runs.
type CrossValidation struct {
	By    string `json:"by"` // "run", or "stretch" (a part of a run) where there is one run only
	Folds []Fold `json:"folds"`
	// Percent is 100·‖τ̂ − τ‖/‖τ‖ over all rows, each predicted by an estimate without its fold; Inside is that by the
	// estimate from all rows. With estimated drive gains, τ is the torque of the currents by the gains from all rows.
	Percent float64 `json:"percent"`
	Inside  float64 `json:"inside"`
	// Joints are the relative errors of the joints over all rows, per cent, of their own torques; each row is predicted by
	// an estimate without its fold.
	Joints []float64 `json:"joints,omitempty"`

	Rank int `json:"-"` // the number of parameters, or of combinations, that all rows determine
}

// Fold is a part that was left out.
type Fold struct {
	Run     int     `json:"run"`     // -1 for a part of the only run
	Percent float64 `json:"percent"` // relative error on the rows of this fold
	Missing int     `json:"missing"` // parameters that the other rows do not determine

	error2 float64 // ‖y − W·x‖² of its rows
}

// CrossValidate leaves out one run after another (or one fifth of a single run), estimates from the rest, and predicts
// the rows left out. It needs only the reduction. It returns nil if there is a single block.
func (r *Reduction) CrossValidate(weighting Weighting) (*CrossValidation, error) {
	return r.CrossValidateBy(func(rest *Reduction) ([]float64, int, error) { return rest.Minimum(weighting) })
}

// SameParts reports whether a cross-validation of r leaves out the parts that c left out, so that their errors can be compared part by part.
func (r *Reduction) SameParts(c *CrossValidation) bool {
	parts, by := r.leaveOutParts()
	return len(parts) == len(c.Folds) && by == c.By
}

// CrossValidateBy is CrossValidate with another estimator. estimate must return the parameters and the rank of the rows; it is called
// from several goroutines at a time.
func (r *Reduction) CrossValidateBy(estimate func(rest *Reduction) (x []float64, rank int, err error)) (*CrossValidation, error) {
	return r.crossValidate(r, nil, estimate)
}

// CrossValidateGains is CrossValidateBy for an estimator of drive gains; columns are the gains' columns. The rows
// must have the torque of known bodies as right-hand side; the measured torque is then that of the currents.
func (r *Reduction) CrossValidateGains(columns []int, estimate func(rest *Reduction) (x []float64, rank int, err error)) (*CrossValidation, error) {
	return r.crossValidate(r, columns, estimate)
}

// CrossValidateOn estimates from the parts of from that are not left out, and predicts the rows of r in the part left
// out. Both reductions must have the same time blocks: it panics if their numbers differ.
func (r *Reduction) CrossValidateOn(from *Reduction, estimate func(rest *Reduction) (x []float64, rank int, err error)) (*CrossValidation, error) {
	if len(from.blocks) != len(r.blocks) {
		panic("estimate: cross-validation between other time blocks")
	}
	return r.crossValidate(from, nil, estimate)
}

// crossValidate is CrossValidateOn; gains lists the columns of drive gains, if any.
func (r *Reduction) crossValidate(from *Reduction, gains []int, estimate func(rest *Reduction) (x []float64, rank int, err error)) (*CrossValidation, error) {
	parts, by := r.leaveOutParts()
	if len(parts) < 2 {
		return nil, nil
	}
	// The estimates do not depend on each other; sums are taken in the order of the parts, so that the bits are the same on any number of
	// processors.
	type left struct {
		x    []float64
		rank int
		err  error
	}
	all := make([]left, len(parts)+1) // from all rows, then without each part
	inParallel(len(all), func(i int) {
		rest := from
		if i > 0 {
			rest = from.without(parts[i-1][0], parts[i-1][1])
		}
		all[i].x, all[i].rank, all[i].err = estimate(rest)
	})
	out, whole := &CrossValidation{By: by, Rank: all[0].rank}, all[0]
	if whole.err != nil {
		return nil, whole.err
	}
	var error2, known float64
	errors2, torques2 := make([]float64, len(r.masks)), make([]float64, len(r.masks))
	for i, part := range parts {
		rest := all[i+1]
		if errors.Is(rest.err, ErrNoData) {
			return nil, nil // one part is nearly all
		}
		if rest.err != nil {
			return nil, rest.err
		}
		held := r.cut(part[0], part[1])
		ofJoints, measured := held.squaredErrors(rest.x), held.MeasuredSquares(gains, whole.x)
		e, y := sum(ofJoints), sum(measured)
		for k := range errors2 {
			errors2[k], torques2[k] = errors2[k]+ofJoints[k], torques2[k]+measured[k]
		}
		fold := Fold{Run: -1, Percent: percent(e, y), Missing: whole.rank - rest.rank, error2: e}
		if by == "run" {
			fold.Run = held.blocks[0].Run
		}
		out.Folds = append(out.Folds, fold)
		error2, known = error2+e, known+y
	}
	out.Percent = percent(error2, known)
	for k := range errors2 {
		out.Joints = append(out.Joints, percent(errors2[k], torques2[k]))
	}
	out.Inside = percent(sum(r.squaredErrors(whole.x)), sum(r.MeasuredSquares(gains, whole.x)))
	return out, nil
}

// inParallel calls do with 0 … n-1, as many at a time as there are processors.
func inParallel(n int, do func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	group.Wait()
}

// without returns the rows outside of the blocks first … last-1. A column that is mere rounding there, compared with its
// norm in all rows, is zero: the tail of a low-pass after a motion's end has no size, and its parameter would have none.
func (r *Reduction) without(first, last int) *Reduction {
	rest := r.cut(last, first)
	whole, left := r.columnNorms(), rest.columnNorms()
	lost := make([]bool, r.columns)
	for c := range lost {
		lost[c] = left[c] > 0 && left[c] < singular.Tolerance*whole[c]
	}
	if !slices.Contains(lost, true) {
		return rest
	}
	out := NewReduction(r.columns, r.masks)
	for _, b := range rest.blocks {
		b.Joints = slices.Clone(b.Joints)
		for k, mask := range r.masks {
			for j, c := range mask {
				if lost[c] {
					b.Joints[k] = b.Joints[k].Clone()
					for i := range j + 1 {
						b.Joints[k].R[i*b.Joints[k].N+j] = 0
					}
				}
			}
		}
		out.Append(b)
	}
	return out
}

// columnNorms returns the norms of the columns over the rows of all joints.
func (r *Reduction) columnNorms() []float64 {
	var work triangle.Work
	out := make([]float64, r.columns)
	for k, mask := range r.masks {
		for j, norm := range singular.ColumnNorms(r.joint(k, &work)) {
			out[mask[j]] = math.Hypot(out[mask[j]], norm)
		}
	}
	return out
}

// Minimum returns only the parameters of Solve, and the rank. If the rows do not determine all parameters, it returns
// those of smallest norm in scaled columns.
func (r *Reduction) Minimum(weighting Weighting) (x []float64, rank int, err error) {
	s, err := r.least(weighting, true)
	if err != nil {
		return nil, 0, err
	}
	return s.X, s.Rank, nil
}

// Excess returns the mean difference of the squared errors of c and over, which must have the same parts, and its
// standard error over the parts.
func (c *CrossValidation) Excess(over *CrossValidation) (mean, deviation float64) {
	n := float64(len(c.Folds))
	for i, f := range c.Folds {
		mean += (f.error2 - over.Folds[i].error2) / n
	}
	square := 0.0
	for i, f := range c.Folds {
		d := f.error2 - over.Folds[i].error2 - mean
		square += d * d
	}
	return mean, math.Sqrt(square / (n - 1) / n)
}

// squaredErrors returns ‖y − W·x‖² over the rows of each joint.
func (r *Reduction) squaredErrors(x []float64) []float64 {
	var work triangle.Work
	out := make([]float64, len(r.masks))
	for k, mask := range r.masks {
		out[k] = residual(r.joint(k, &work), mask, x)
	}
	return out
}

// MeasuredSquares returns, by joint, the sum of squares that errors are per cents of: that of the measured side before any
// known torque was moved from it. For joints with a column in gains it is that of gain times current, with the gain in x.
func (r *Reduction) MeasuredSquares(gains []int, x []float64) []float64 {
	var work triangle.Work
	out := make([]float64, len(r.masks))
	for k, mask := range r.masks {
		f := r.joint(k, &work)
		at := slices.IndexFunc(mask, func(c int) bool { return slices.Contains(gains, c) })
		if at < 0 {
			out[k] = f.YY
			continue
		}
		for i := range at + 1 {
			v := x[mask[at]] * f.R[i*f.N+at]
			out[k] += v * v
		}
	}
	return out
}

func sum(of []float64) (all float64) {
	for _, v := range of {
		all += v
	}
	return all
}

// percent returns 100·√(a/b), or 0 if a or b is zero.
func percent(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return 100 * math.Sqrt(a/b)
}
