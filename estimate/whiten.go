package estimate

import (
	"context"
	"fmt"
	"math"
)

// GLS is generalised least squares for coloured errors: each joint's errors are an autoregression, and rows are sent
// through its inverse, which leaves white errors; then joints are weighted as in WLS. The autoregression comes from the
// residuals, and both are repeated until the estimate moves by less than a hundredth of its standard deviation
// (Cochrane and Orcutt 1949). The first rows of a segment, which have too few before them, are whitened by the shorter
// predictors of the same recursion, so that none is lost.
type GLS struct {
	MaxOrder   int // highest order of the autoregressions; 0 means 20
	Iterations int // upper limit; 0 means 50
}

// Name returns "gls".
func (GLS) Name() string { return "gls" }

// oversampled is the least share of a residual's variance that earlier residuals may leave unpredicted. At a thousandth
// the rows have passed a low-pass far below half their rate, and whitening would undo it.
const oversampled = 1e-3

// Estimate needs two more passes over the rows in each iteration.
func (g GLS) Estimate(ctx context.Context, p *Problem) (*Solution, error) {
	if p.Rows == nil {
		return nil, again(g.Name())
	}
	if g.MaxOrder == 0 {
		g.MaxOrder = 20
	}
	it := iteration{g.Name(), orDefault(g.Iterations), nuisanceTolerance}
	first, err := p.Reduction.least(WLS, p.MinimumNorm)
	if err != nil {
		return nil, err
	}
	joints := len(p.Reduction.masks)
	orders := make([]int, joints)
	s, step, ok := first.Solution, 0.0, false
	for n := 1; n <= it.limit; n++ {
		a := newAutocovariance(joints, g.MaxOrder)
		if err := p.Rows.Residuals(ctx, s.X, a.add); err != nil {
			return nil, err
		}
		w := whitening{models: make([]autoregression, joints)}
		for k := range w.models {
			// Residuals of the first estimate may mistake model errors for colour. Those of the second choose the
			// orders, which then stay: an iteration cannot converge on an integer.
			m := levinson(a.covariances(k))
			if n <= 2 {
				orders[k] = m.order(a.rows[k])
			}
			w.models[k] = m.cut(orders[k])
		}
		r, err := p.Rows.Reduce(ctx, w)
		if err != nil {
			return nil, err
		}
		next, err := r.minimise(r.weigher(WLS), nil, p.MinimumNorm)
		if err != nil {
			return nil, err
		}
		step, ok = it.settled(s.X, next.Solution)
		s = next.Solution
		s.Iterations = n
		if ok && n > 2 {
			s = r.withCovariance(next)
			s.restateSigma(p.Reduction)
			for k, m := range w.models {
				if v := m.variance[len(m.variance)-1]; v < oversampled*m.variance[0] {
					s.Warnings = append(s.Warnings, fmt.Sprintf("gls: a residual of joint %d is known to %.2g %% from those before it: the rows are denser than the filter needs, so whitening would undo the filter; thin them with the setting decimate", k+1, 100*math.Sqrt(v/m.variance[0])))
				}
			}
			return s, nil
		}
	}
	return nil, it.fail(s, step, "the autoregression of the errors and the estimate do not settle; use wls")
}

func orDefault(n int) int {
	if n > 0 {
		return n
	}
	return defaultIterations
}

// autocovariance accumulates products of residuals up to lags rows apart, within segments. Residuals that do not count
// enter as zeros.
type autocovariance struct {
	lags int
	past [][]float64 // joint: the last rows, newest last
	sum  [][]float64 // joint, lag
	rows []int
}

func newAutocovariance(joints, lags int) *autocovariance {
	a := &autocovariance{lags: lags, past: make([][]float64, joints), sum: make([][]float64, joints), rows: make([]int, joints)}
	for k := range a.sum {
		a.sum[k] = make([]float64, lags+1)
	}
	return a
}

func (a *autocovariance) add(r *Residuals) error {
	for k := range r.E {
		e, rows := r.counted(k)
		if r.At == 0 {
			a.past[k] = a.past[k][:0]
		}
		before := len(a.past[k])
		all := append(a.past[k], e...)
		for l := range a.lags + 1 {
			sum := 0.0
			for i := max(before, l); i < len(all); i++ {
				sum += all[i] * all[i-l]
			}
			a.sum[k][l] += sum
		}
		a.rows[k] += rows
		if n := len(all) - a.lags; n > 0 {
			all = all[:copy(all, all[n:])]
		}
		a.past[k] = all
	}
	return nil
}

// covariances divides by the number of rows, not of products: only then is every autoregression from them stable.
func (a *autocovariance) covariances(k int) []float64 {
	c := make([]float64, a.lags+1)
	for l := range c {
		c[l] = a.sum[k][l] / float64(max(a.rows[k], 1))
	}
	return c
}

// autoregression holds the best linear predictors of a process from its last 0, 1, … values: e[i] + Σ_l
// coefficient[m][l−1]·e[i−l] has variance[m].
type autoregression struct {
	coefficient [][]float64
	variance    []float64
}

// levinson solves the Yule-Walker equations of all orders up to that of the
// autocovariances (Levinson 1947, Durbin 1960).
func levinson(c []float64) autoregression {
	a := autoregression{coefficient: [][]float64{{}}, variance: []float64{c[0]}}
	for m := 1; m < len(c); m++ {
		last, v := a.coefficient[m-1], a.variance[m-1]
		// Below this share the remainder is rounding of the sums.
		if !(v > 1e-12*c[0]) {
			break
		}
		reflection := c[m]
		for l, f := range last {
			reflection += f * c[m-1-l]
		}
		reflection /= -v
		next := make([]float64, m)
		for l, f := range last {
			next[l] = f + reflection*last[m-2-l]
		}
		next[m-1] = reflection
		a.coefficient = append(a.coefficient, next)
		a.variance = append(a.variance, v*(1-reflection*reflection))
	}
	return a
}

// order returns the order with the least Bayesian information criterion (Schwarz 1978).
func (a autoregression) order(rows int) int {
	best, least := 0, math.Inf(1)
	for m, v := range a.variance {
		if !(v > 0) {
			break
		}
		if c := float64(rows)*math.Log(v) + float64(m)*math.Log(float64(max(rows, 1))); c < least {
			best, least = m, c
		}
	}
	return best
}

func (a autoregression) cut(order int) autoregression {
	order = min(order, len(a.variance)-1)
	return autoregression{a.coefficient[:order+1], a.variance[:order+1]}
}

// whitening passes each joint's rows through the inverse of its autoregression.
type whitening struct{ models []autoregression }

func (whitening) Masks(masks [][]int) [][]int { return masks }

func (w whitening) Memory() int {
	n := 0
	for _, m := range w.models {
		n = max(n, len(m.variance)-1)
	}
	return n
}

func (w whitening) Apply(s *Batch) {
	for k, m := range w.models {
		for _, c := range s.Columns[k] {
			m.whiten(c, s.At, s.Lead)
		}
		m.whiten(s.Y[k], s.At, s.Lead)
		if s.Measured != nil {
			m.whiten(s.Measured[k], s.At, s.Lead)
		}
	}
}

// whiten works from the last row to the first, so that a row's predecessors are still unchanged.
func (m autoregression) whiten(x []float64, at, lead int) {
	order := len(m.variance) - 1
	for i := len(x) - 1; i >= lead; i-- {
		n := min(order, at+i)
		v := x[i]
		for l, f := range m.coefficient[n] {
			v += f * x[i-1-l]
		}
		if n < order && m.variance[n] > 0 {
			v *= math.Sqrt(m.variance[order] / m.variance[n])
		}
		x[i] = v
	}
}
