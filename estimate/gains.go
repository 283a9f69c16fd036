package estimate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/estimate/internal/singular"
	"ident/internal/triangle"
)

// Gains estimates drive gains g together with the other parameters, in rows of the form
//
//	y = W·χ − g·i,    i = î + e
//
// with exact columns W, a torque y that is known, and errors in the motor current i
// of the joint. Least squares takes the errors for part of a column and draws the
// gains to zero, and with them all that is measured by currents; total least squares
// has errors in all columns or a given ratio of them. Gains minimises
//
//	Σ_j ‖W·χ − g·i − y‖² / (g·σ_j)²
//
// which is the likelihood of Gaussian errors, σ_j² being the residual variance of
// the joint's current on W and y: neither gains nor other joints are needed for it.
// It starts where currents are replaced by their projections on that span, as
// two-stage least squares does (Theil 1953), and goes on by Gauss-Newton steps. A
// step is least squares of rows in which the current is replaced by the prediction
// of the present parameters, a linear map of the columns: the reduction is enough,
// and the standard deviations and their correction for correlation are those of the last
// step's rows. Joints without a gain have errors in the torque.
type Gains struct {
	Columns    []int // gain columns; each belongs to one joint
	Iterations int   // upper limit; 0 means 50
}

// Name returns "gains".
func (Gains) Name() string { return "gains" }

// Estimate identifies parameters and gains from the reduction, without another pass over the rows.
func (g Gains) Estimate(_ context.Context, p *Problem) (*Solution, error) {
	if len(g.Columns) == 0 {
		return p.Reduction.Solve(WLS, p.MinimumNorm)
	}
	d, err := newDrives(p.Reduction, g.Columns)
	if err != nil {
		return nil, err
	}
	x, err := d.start()
	if err != nil {
		return nil, err
	}
	it := iteration{g.Name(), orDefault(g.Iterations), stepTolerance}
	x, n, err := d.descend(it, x)
	if err != nil {
		return nil, err
	}
	rows := p.Reduction.gaussNewtonRows(d, x)
	s, err := rows.solve(fixedWeights(d.weights(x)), nil, false)
	if err != nil {
		return nil, err
	}
	s.Iterations, s.Linear = n, rows
	return s, nil
}

// drives is the state of an estimate of gains. whole has the rows of each joint as one block.
type drives struct {
	whole *Reduction
	at    []int     // per joint: position of its gain in its mask, −1 for none
	sigma []float64 // per joint: standard deviation of the current, or of the torque
}

func newDrives(r *Reduction, columns []int) (*drives, error) {
	d := &drives{whole: NewReduction(r.columns, r.masks), at: make([]int, len(r.masks)), sigma: make([]float64, len(r.masks))}
	var work triangle.Work
	b := TimeBlock{}
	for k, mask := range r.masks {
		b.Joints = append(b.Joints, r.Joint(k, &work))
		d.at[k] = slices.IndexFunc(mask, func(c int) bool { return slices.Contains(columns, c) })
	}
	d.whole.Append(b)
	// Joints with errors in the torque have the standard deviation of weighted least squares; the standard deviation of
	// a current does not depend on the torque.
	own := jointWeights(WLS, b.Joints, r.masks, r.columns)
	for k, f := range b.Joints {
		if f.Rows == 0 {
			return nil, fmt.Errorf("%w: joint %d has none", ErrNoData, k+1)
		}
		d.sigma[k] = 1 / own[k]
		if d.at[k] < 0 {
			continue
		}
		c := d.current(k)
		s, err := singular.Decompose(c, singular.ColumnNorms(c))
		if err != nil {
			return nil, err
		}
		left := c.RSS + s.Unexplained(c.Z)
		d.sigma[k] = math.Sqrt(left / float64(max(c.Rows-s.Rank(), 1)))
		// As in jointWeights: no smaller than rounding.
		d.sigma[k] = max(d.sigma[k], 1e-13*math.Sqrt(c.YY/float64(c.Rows)))
		if !(d.sigma[k] > 0) {
			return nil, fmt.Errorf("joint %d: its motor current is zero throughout; give its gain as known", k+1)
		}
	}
	return d, nil
}

// current returns the factor of the other columns of joint k, the known torque and, last, the current.
func (d *drives) current(k int) *triangle.Factor {
	f, at := d.whole.blocks[0].Joints[k], d.at[k]
	cols := entries(f)
	i := cols[at]
	out := triangle.New(f.N)
	out.Add(append(slices.Delete(slices.Clone(cols[:f.N]), at, at+1), cols[f.N]), negated(i), new(triangle.Work))
	out.Rows = f.Rows
	return out
}

// entries returns the columns of a factor's rows [R Z; 0 √RSS], Z last.
func entries(f *triangle.Factor) [][]float64 {
	store := make([]float64, (f.N+1)*(f.N+1))
	cols := make([][]float64, f.N+1)
	for j := range cols {
		cols[j] = store[j*(f.N+1) : (j+1)*(f.N+1)]
		if j == f.N {
			copy(cols[j], f.Z)
			cols[j][f.N] = math.Sqrt(f.RSS)
			continue
		}
		for i := range j + 1 {
			cols[j][i] = f.R[i*f.N+j]
		}
	}
	return cols
}

func negated(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = -v
	}
	return y
}

// weights returns the weights of the joints' torque rows at x.
func (d *drives) weights(x []float64) []float64 {
	w := make([]float64, len(d.sigma))
	for k, s := range d.sigma {
		w[k] = 1 / s
		if at := d.at[k]; at >= 0 {
			w[k] /= math.Abs(x[d.whole.masks[k][at]])
		}
	}
	return w
}

// start returns a starting point with the currents replaced by their projections. The weights of currents need the
// gains; the first of two rounds takes them as equal.
func (d *drives) start() ([]float64, error) {
	r := NewReduction(d.whole.columns, d.whole.masks)
	b := TimeBlock{}
	for k, f := range d.whole.blocks[0].Joints {
		at := d.at[k]
		if at < 0 {
			b.Joints = append(b.Joints, f)
			continue
		}
		c := d.current(k)
		s, err := singular.Decompose(c, singular.ColumnNorms(c))
		if err != nil {
			return nil, err
		}
		cols := entries(f)
		others := append(slices.Delete(slices.Clone(cols[:f.N]), at, at+1), cols[f.N])
		fitted := make([]float64, f.N+1)
		for j, v := range s.Solve(c.Z) {
			for i := range fitted {
				fitted[i] -= v * others[j][i]
			}
		}
		b.Joints = append(b.Joints, rebuilt(f, cols, at, fitted, cols[f.N]))
	}
	r.Append(b)
	x := make([]float64, r.columns)
	for i := range x {
		x[i] = 1
	}
	for range 2 {
		m, err := r.minimise(fixedWeights(d.weights(x)), nil, false)
		if err != nil {
			return nil, err
		}
		x = m.X
		var zero []int
		for k, at := range d.at {
			if at >= 0 && x[r.masks[k][at]] == 0 {
				zero = append(zero, r.masks[k][at])
			}
		}
		if len(zero) > 0 { // no torque is known: all could be multiplied by any number
			return nil, &RankError{Rank: r.columns - 1, Columns: r.columns, Undetermined: zero}
		}
	}
	return x, nil
}

// rebuilt returns the factor of f's rows (cols) with another gain column and another torque.
func rebuilt(f *triangle.Factor, cols [][]float64, at int, gain, torque []float64) *triangle.Factor {
	out := triangle.New(f.N)
	w := slices.Clone(cols[:f.N])
	w[at] = gain
	out.Add(w, torque, new(triangle.Work))
	out.Rows = f.Rows
	return out
}

// gaussNewtonRows returns the rows of a Gauss-Newton step from x. To first order, and in units
// of torque,
//
//	g₀·i − W·χ₀ + 2y = W·χ − î·g,    î = (W·χ₀ − y)/g₀
func (r *Reduction) gaussNewtonRows(d *drives, x []float64) *Reduction {
	out := NewReduction(r.columns, r.masks)
	for _, b := range r.blocks {
		// The blocks have no state: runs with and without a load pass through the same states, and recurring errors
		// cancel in the difference that determines a gain.
		t := TimeBlock{Run: b.Run}
		for k, f := range b.Joints {
			t.Joints = append(t.Joints, gaussNewtonFactor(f, r.masks[k], d.at[k], x))
		}
		out.Append(t)
	}
	return out
}

// gaussNewtonFactor returns the rows of a Gauss-Newton step of one joint, whose gain is the column at of its mask; −1 is none. The
// factor may have further columns behind those of the mask.
func gaussNewtonFactor(f *triangle.Factor, mask []int, at int, x []float64) *triangle.Factor {
	if at < 0 {
		return f
	}
	cols := entries(f)
	y := cols[f.N]
	gain, torque := make([]float64, f.N+1), make([]float64, f.N+1)
	g := x[mask[at]]
	for j, c := range mask {
		if j == at {
			continue
		}
		for i, v := range cols[j] {
			gain[i] += v * x[c] // W·χ₀
		}
	}
	for i, v := range gain {
		torque[i] = -g*cols[at][i] - v + 2*y[i]
		gain[i] = -(v - y[i]) / g
	}
	return rebuilt(f, cols, at, gain, torque)
}

// Linearised returns the joints' factors, which may have further columns behind those of their masks, as rows of the last step to
// the estimate x: least squares of them, with or without further columns, is what Estimate does to first order.
func (g Gains) Linearised(factors []*Factor, masks [][]int, x []float64) []*Factor {
	out := make([]*triangle.Factor, len(factors))
	for k, f := range factors {
		at := slices.IndexFunc(masks[k], func(c int) bool { return slices.Contains(g.Columns, c) })
		out[k] = gaussNewtonFactor(f, masks[k], at, x)
	}
	return out
}

// cost returns the objective.
func (d *drives) cost(x []float64) float64 {
	sum := 0.0
	for k, w := range d.weights(x) {
		f := d.whole.blocks[0].Joints[k]
		sum += w * w * residual(f, d.whole.masks[k], x)
	}
	return sum
}

// leastPart is the shortest part of a Gauss-Newton step that is tried.
const leastPart = 1.0 / 1024

// descend iterates from x until it converges.
func (d *drives) descend(it iteration, x []float64) ([]float64, int, error) {
	step := 0.0
	cost := d.cost(x)
	var last *Solution
	for n := 1; n <= it.limit; n++ {
		m, err := d.whole.gaussNewtonRows(d, x).minimise(fixedWeights(d.weights(x)), nil, false)
		if err != nil {
			return nil, 0, err
		}
		var ok bool
		if step, ok = it.settled(x, m.Solution); ok {
			return m.X, n, nil
		}
		last = m.Solution
		part := 1.0
		next := slices.Clone(m.X)
		for !d.keepsSigns(x, next) || !(d.cost(next) <= cost) {
			if part /= 2; part < leastPart {
				return nil, 0, it.fail(last, step, "no step makes the errors of the currents smaller")
			}
			for i := range next {
				next[i] = x[i] + part*(m.X[i]-x[i])
			}
		}
		x, cost = next, d.cost(next)
	}
	return nil, 0, it.fail(last, step, "the gains do not converge")
}

// keepsSigns reports whether no gain has changed its sign: at zero the torque error that a gain causes is unbounded.
func (d *drives) keepsSigns(x, next []float64) bool {
	for k, at := range d.at {
		if at >= 0 && !(x[d.whole.masks[k][at]]*next[d.whole.masks[k][at]] > 0) {
			return false
		}
	}
	return true
}

// RMSTorque returns the root mean square of W·x − y on a joint over the chosen runs. If x holds the parameters of
// payloads and zeros otherwise, it is the torque of payloads and known parameters, which y contains with a minus.
func (r *Reduction) RMSTorque(joint int, x []float64, runs func(run int) bool) float64 {
	sum, rows := 0.0, 0
	for _, b := range r.blocks {
		f := b.Joints[joint]
		if !runs(b.Run) || f.Rows == 0 {
			continue
		}
		rows += f.Rows
		cols := entries(f)
		v := negated(cols[f.N])
		for j, at := range r.masks[joint] {
			if x[at] == 0 {
				continue
			}
			for i, e := range cols[j] {
				v[i] += x[at] * e
			}
		}
		for _, e := range v {
			sum += e * e
		}
	}
	return math.Sqrt(sum / float64(max(rows, 1)))
}
