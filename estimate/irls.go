package estimate

import (
	"context"
	"fmt"
	"math"
)

// Loss is the function of a residual whose sum a robust estimate minimises.
type Loss string

// The losses of IRLS. Their constants cost 5 % of efficiency with Gaussian errors (Holland and Welsch 1977).
const (
	Huber    Loss = "huber"    // quadratic up to 1.345 standard deviations, then linear
	Bisquare Loss = "bisquare" // constant beyond 4.685 standard deviations: such rows have no influence
)

const (
	huberBend   = 1.345
	bisquareEnd = 4.685
)

// weight returns ψ(u)/u.
func (l Loss) weight(u float64) float64 {
	u = math.Abs(u)
	if l == Bisquare {
		t := u / bisquareEnd
		if t >= 1 {
			return 0
		}
		return (1 - t*t) * (1 - t*t)
	}
	if u <= huberBend {
		return 1
	}
	return huberBend / u
}

// slope returns ψ′(u).
func (l Loss) slope(u float64) float64 {
	u = math.Abs(u)
	if l == Bisquare {
		t := u / bisquareEnd
		if t >= 1 {
			return 0
		}
		return (1 - t*t) * (1 - 5*t*t)
	}
	if u <= huberBend {
		return 1
	}
	return 0
}

// IRLS is iteratively reweighted least squares: rows whose residuals are far
// from the others' count less. Each joint's scale is 1.4826 times its median
// absolute residual; once it has converged it is kept, so that the
// objective no longer changes. Bisquare starts from where Huber ends.
//
// The standard deviations come from one more reduction, in which each torque is replaced
// by the prediction plus σ·ψ(e/σ)/mean ψ′: least squares of these pseudo-values is
// the robust estimate, and their residuals have the variance that its standard deviation
// follows from (Huber 1981, section 7.9; Bickel 1976), correlation included.
type IRLS struct {
	Loss       Loss // "" is Huber
	Iterations int  // upper limit for each loss; 0 means 50
}

// Name returns "irls".
func (IRLS) Name() string { return "irls" }

// settledScale is the relative change of a scale below which its updates end: two bins of the histogram that gives the
// median. A single residual can move it by that much.
const settledScale = 0.022

// leastSlope is the least mean of ψ′: below it most rows are outliers.
const leastSlope = 0.1

// Estimate needs one more pass over the rows in each iteration, and one for each update of the scales.
func (r IRLS) Estimate(ctx context.Context, p *Problem) (*Solution, error) {
	if p.Rows == nil {
		return nil, again(r.Name())
	}
	losses := []Loss{Huber}
	switch r.Loss {
	case "", Huber:
	case Bisquare:
		losses = append(losses, Bisquare)
	default:
		return nil, fmt.Errorf("loss %q: must be huber or bisquare", r.Loss)
	}
	first, err := p.Reduction.least(WLS, p.MinimumNorm)
	if err != nil {
		return nil, err
	}
	s := first.Solution
	m := &robust{p: p, it: iteration{r.Name(), orDefault(r.Iterations), stepTolerance}, scale: make([]float64, len(s.Weights))}
	iterations := 0
	for i, loss := range losses {
		m.loss = loss
		// A starting point need not be accurate.
		if m.it.tolerance = stepTolerance; i+1 < len(losses) {
			m.it.tolerance = nuisanceTolerance
		}
		if s, err = m.descend(ctx, s); err != nil {
			return nil, err
		}
		iterations += s.Iterations
	}
	if s, err = m.judge(ctx, s.X); err != nil {
		return nil, err
	}
	s.Iterations = iterations
	return s, nil
}

// robust is the state of a robust estimate.
type robust struct {
	p      *Problem
	it     iteration
	loss   Loss
	scale  []float64 // by joint
	rested bool      // the scales stay
}

// descend iterates from s until the estimate converges.
func (m *robust) descend(ctx context.Context, s *Solution) (*Solution, error) {
	step, ok := 0.0, false
	for n := 1; n <= m.it.limit; n++ {
		if !m.rested {
			if err := m.rescale(ctx, s.X); err != nil {
				return nil, err
			}
		}
		r, err := m.p.Rows.Reduce(ctx, &reweighing{loss: m.loss, scale: m.scale, x: s.X})
		if err != nil {
			return nil, err
		}
		weights := make([]float64, len(m.scale))
		for k, v := range m.scale {
			weights[k] = 1 / v
		}
		next, err := r.minimise(fixedWeights(weights), nil, m.p.MinimumNorm)
		if err != nil {
			return nil, err
		}
		step, ok = m.it.settled(s.X, next.Solution)
		s = next.Solution
		s.Iterations = n
		if ok && m.rested {
			return s, nil
		}
	}
	reason := "the weights and the estimate do not settle"
	if !m.rested {
		reason = "the scale of the residuals does not converge"
	}
	return nil, m.it.fail(s, step, reason)
}

// rescale sets the joints' scales from the residuals at x.
func (m *robust) rescale(ctx context.Context, x []float64) error {
	median, err := medianResiduals(ctx, m.p, x)
	if err != nil {
		return err
	}
	floor := m.p.Reduction.roundingFloor()
	m.rested = true
	for k, v := range median {
		v = max(v/0.6744897501960817, floor[k]) // the median of |u| for a standard normal u
		if !(math.Abs(v-m.scale[k]) <= settledScale*v) {
			m.rested = false
		}
		m.scale[k] = v
	}
	return nil
}

// judge solves with pseudo-values for the standard deviations.
func (m *robust) judge(ctx context.Context, x []float64) (*Solution, error) {
	joints := len(m.scale)
	slope, low, rows := make([]float64, joints), make([]int, joints), make([]int, joints)
	err := m.p.Rows.Residuals(ctx, x, func(r *Residuals) error {
		for k, e := range r.E {
			for i, v := range e {
				if !r.counts(k, i) {
					continue
				}
				rows[k]++
				slope[k] += m.loss.slope(v / m.scale[k])
				if m.loss.weight(v/m.scale[k]) < 0.5 {
					low[k]++
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	weights := make([]float64, joints)
	var remarks []string
	for k := range slope {
		slope[k] /= float64(max(rows[k], 1))
		if !(slope[k] >= leastSlope) {
			return nil, &ConvergenceError{Estimator: m.it.name, X: append([]float64(nil), x...),
				Reason: fmt.Sprintf("most residuals of joint %d are outliers (mean slope %.2g), so a robust estimate does not exist; repair the log or use least squares", k+1, slope[k])}
		}
		weights[k] = math.Sqrt(slope[k]) / m.scale[k]
		if low[k] > 0 {
			remarks = append(remarks, fmt.Sprintf("irls: %.3g %% of the rows of joint %d count less than half", 100*float64(low[k])/float64(rows[k]), k+1))
		}
	}
	r, err := m.p.Rows.Reduce(ctx, &pseudoValues{loss: m.loss, scale: m.scale, slope: slope, x: x})
	if err != nil {
		return nil, err
	}
	s, err := r.SolveWeighted(weights, m.p.MinimumNorm)
	if err != nil {
		return nil, err
	}
	s.Remarks = remarks
	return s, nil
}

// reweighing multiplies rows by the root of their weight.
type reweighing struct {
	loss  Loss
	scale []float64
	x     []float64
}

func (*reweighing) Masks(masks [][]int) [][]int { return masks }
func (*reweighing) Memory() int                 { return 0 }

func (w *reweighing) Apply(s *Batch) {
	for k, cols := range s.Columns {
		e := append([]float64(nil), s.Y[k]...)
		subtract(e, cols, s.Masks[k], w.x, 0)
		for i, v := range e {
			e[i] = math.Sqrt(w.loss.weight(v / w.scale[k]))
		}
		rows := append(cols[:len(cols):len(cols)], s.Y[k])
		if s.Measured != nil {
			rows = append(rows, s.Measured[k])
		}
		for _, c := range rows {
			for i, f := range e {
				c[i] *= f
			}
		}
	}
}

// pseudoValues replaces each torque by the pseudo-value whose least-squares estimate is
// the robust one.
type pseudoValues struct {
	loss         Loss
	scale, slope []float64
	x            []float64
}

func (*pseudoValues) Masks(masks [][]int) [][]int { return masks }
func (*pseudoValues) Memory() int                 { return 0 }

func (w *pseudoValues) Apply(s *Batch) {
	for k, cols := range s.Columns {
		y := s.Y[k]
		e := append([]float64(nil), y...)
		subtract(e, cols, s.Masks[k], w.x, 0)
		for i, v := range e {
			y[i] += v*w.loss.weight(v/w.scale[k])/w.slope[k] - v
		}
	}
}

// Residual magnitudes are counted in bins 2^(1/binsPerOctave) wide, relative to
// their root mean square, between 2^lowestOctave and 2^highestOctave of it. The
// median within a bin of one per cent is interpolated.
const (
	binsPerOctave = 64
	lowestOctave  = -40
	highestOctave = 20
)

// medianResiduals returns each joint's median absolute residual at x.
func medianResiduals(ctx context.Context, p *Problem, x []float64) ([]float64, error) {
	joints := len(p.Reduction.masks)
	unit := make([]float64, joints)
	rows := p.Reduction.Rows()
	for _, b := range p.Reduction.blocks {
		for k, f := range b.Joints {
			unit[k] += residual(f, p.Reduction.masks[k], x)
		}
	}
	counts := make([][]int, joints)
	for k := range counts {
		unit[k] = math.Sqrt(unit[k] / float64(max(rows[k], 1)))
		counts[k] = make([]int, binsPerOctave*(highestOctave-lowestOctave)+1)
	}
	err := p.Rows.Residuals(ctx, x, func(r *Residuals) error {
		for k, e := range r.E {
			if unit[k] == 0 {
				continue
			}
			for i, v := range e {
				if !r.counts(k, i) {
					continue
				}
				bin := binsPerOctave * (math.Log2(math.Abs(v)/unit[k]) - lowestOctave)
				counts[k][int(min(max(bin+1, 0), float64(len(counts[k])-1)))]++
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	median := make([]float64, joints)
	for k, c := range counts {
		median[k] = unit[k] * middle(c)
	}
	return median, nil
}

// middle returns the median of the counted values, in units of the root mean square;
// the first bin counts all values below the lowest octave.
func middle(counts []int) float64 {
	total := 0
	for _, n := range counts {
		total += n
	}
	below := 0
	for bin, n := range counts {
		if 2*(below+n) >= total && n > 0 {
			if bin == 0 {
				return 0
			}
			at := float64(bin-1) + (float64(total)/2-float64(below))/float64(n)
			return math.Exp2(at/binsPerOctave + lowestOctave)
		}
		below += n
	}
	return 0
}
