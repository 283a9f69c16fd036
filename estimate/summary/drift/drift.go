package drift

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"ident/estimate"
	"ident/estimate/summary"
)

// Schema is the version of a Report's document.
const Schema = "ident.drift/1"

// FalseAlarms is the chance of any change in a robot without drift.
const FalseAlarms = 0.05

// fewestWindows is the least number of windows in which changes are looked for: two on either side of a split, and the scatter of
// their differences.
const fewestWindows = 5

// ErrClocks is the error if some runs have calendar times and others do not: their order is then unknown.
var ErrClocks = errors.New("some runs have calendar times and others do not, so their order is unknown")

// ErrFew is the error of fewer windows than changes can be looked for in.
var ErrFew = errors.New("too few windows can be fitted to look for changes: take shorter ones, or more runs")

// Report is the parameters of a robot over time.
type Report struct {
	Schema     string      `json:"schema"`
	Robot      string      `json:"robot"`
	Absolute   bool        `json:"absolute"`         // times are seconds since 1970-01-01 UTC
	WindowS    float64     `json:"window_s"`         // length of the windows
	Windows    []Window    `json:"windows"`          // windows that contain runs, in time order
	Parameters []Parameter `json:"parameters"`       // base parameters
	Changes    []Change    `json:"changes"`          // the clearest first
	Limit      float64     `json:"limit"`            // threshold of |z|
	Chance     float64     `json:"false_alarm_rate"` // probability that a robot without drift shows any change
}

// Window holds the runs of an interval of time.
type Window struct {
	From float64 `json:"from_s"`
	To   float64 `json:"to_s"`
	Runs int     `json:"runs"`
	Rows int     `json:"rows"`          // number of rows of the joint that has the most
	Why  string  `json:"why,omitempty"` // why the window has no estimate; "" if it has one
}

// Parameter is a base parameter in the windows that have estimates, in their order.
type Parameter struct {
	Name    string    `json:"name"`
	Value   []float64 `json:"value"`
	Sigma   []float64 `json:"sigma"`   // standard deviation, including the scatter between windows
	Scatter float64   `json:"scatter"` // factor, at least 1, by which Sigma was widened for that scatter

	ratios []float64 // of the variance in a window to that of independent errors
}

// Change is a step of a parameter.
type Change struct {
	Parameter   string  `json:"parameter"`
	Time        float64 `json:"time_s"` // start of the first window after the step
	Window      int     `json:"window"` // number of that window among all windows, from 1
	Before      float64 `json:"before"` // mean of the windows since the previous change
	BeforeSigma float64 `json:"before_sigma"`
	After       float64 `json:"after"` // mean of the windows until the next change
	AfterSigma  float64 `json:"after_sigma"`
	Percent     float64 `json:"percent"` // change as percent of Before
	Z           float64 `json:"z"`
	Chance      float64 `json:"chance"` // upper bound of the probability that a robot without drift shows such a step anywhere
}

// Of fits each window of the given length in seconds and looks for changes of the parameters. It returns ErrClocks, the
// error of ctx, or ErrFew together with a report without changes.
func Of(ctx context.Context, s *summary.Summary, seconds float64) (*Report, error) {
	if !(seconds > 0) {
		return nil, fmt.Errorf("windows cannot have a length of %g s", seconds)
	}
	r := &Report{Schema: Schema, Robot: s.Robot.Name, WindowS: seconds, Chance: FalseAlarms, Windows: []Window{}, Changes: []Change{}}
	groups, err := grouped(s, seconds, r)
	if err != nil {
		return nil, err
	}
	for _, name := range s.Model.Columns[:s.Model.Base] {
		r.Parameters = append(r.Parameters, Parameter{Name: name})
	}
	var fitted []int // windows
	for i, runs := range groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		part := *s
		part.Runs = runs
		moving, _ := part.Reduction()
		rows := moving.Select(leading(s.Model.Base))
		w := &r.Windows[i]
		w.Runs, w.Rows = len(runs), slices.Max(append(rows.Rows(), 0))
		sol, err := rows.Solve(estimate.WLS, false)
		if err != nil {
			w.Why = err.Error()
			continue
		}
		fitted = append(fitted, i)
		for k, v := range independent(sol.Stack) {
			p := &r.Parameters[k]
			p.Value, p.Sigma = append(p.Value, sol.X[k]), append(p.Sigma, math.Sqrt(v))
			p.ratios = append(p.ratios, sol.Covariance[k][k]/v)
		}
	}
	n := len(fitted)
	if n < fewestWindows {
		return r, fmt.Errorf("%w (%d of %d windows, %d needed)", ErrFew, n, len(r.Windows), fewestWindows)
	}
	tests := float64(2 * (n - 1) * len(r.Parameters))
	student := distuv.StudentsT{Sigma: 1, Nu: float64(n - 2)}
	r.Limit = student.Quantile(1 - FalseAlarms/tests)
	for k := range r.Parameters {
		p := &r.Parameters[k]
		p.correlate()
		p.widen()
		for _, at := range p.steps(0, n, r.Limit, nil) {
			c := p.change(at.first, at.split, at.last)
			c.Window, c.Time = fitted[at.split]+1, r.Windows[fitted[at.split]].From
			c.Chance = min(1, tests*student.Survival(math.Abs(c.Z)))
			r.Changes = append(r.Changes, c)
		}
	}
	slices.SortStableFunc(r.Changes, func(a, b Change) int { return -cmp.Compare(math.Abs(a.Z), math.Abs(b.Z)) })
	return r, nil
}

// leading returns the numbers of the first n columns, which are those of the base parameters.
func leading(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// grouped puts the runs into the windows of a report.
func grouped(s *summary.Summary, seconds float64, r *Report) ([][]summary.Run, error) {
	runs := slices.Clone(s.Runs)
	slices.SortStableFunc(runs, func(a, b summary.Run) int { return cmp.Compare(a.Start, b.Start) })
	var out [][]summary.Run
	for i, run := range runs {
		if i == 0 {
			r.Absolute = run.Absolute
		}
		if run.Absolute != r.Absolute {
			return nil, ErrClocks
		}
		from := runs[0].Start + seconds*math.Floor((run.Start-runs[0].Start)/seconds)
		if n := len(r.Windows); n == 0 || r.Windows[n-1].From != from {
			r.Windows = append(r.Windows, Window{From: from, To: from + seconds})
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], run)
	}
	return out, nil
}

// independent returns the variances of an estimate with independent errors of variance one in the weighted rows of a
// factor.
func independent(f *estimate.Factor) []float64 {
	out, column := make([]float64, f.N), make([]float64, f.N)
	for j := range f.N { // of the inverse of R
		clear(column)
		for i := j; i >= 0; i-- {
			sum := 0.0
			if i == j {
				sum = 1
			}
			for k := i + 1; k <= j; k++ {
				sum -= f.R[i*f.N+k] * column[k]
			}
			column[i] = sum / f.R[i*f.N+i]
			out[i] += column[i] * column[i]
		}
	}
	return out
}

// correlate takes the correlation of errors into the standard deviations: one ratio for all windows, the median of
// theirs. A window has so few time blocks that its own may be off by a factor of ten, and that window would outweigh
// all others.
func (p *Parameter) correlate() {
	ratios := slices.Sorted(slices.Values(p.ratios))
	ratio := math.Sqrt(ratios[len(ratios)/2])
	for i := range p.Sigma {
		p.Sigma[i] *= ratio
	}
}

// medianSquare is the median of the square of a normal number.
const medianSquare = 0.4549

// widen takes the scatter between windows into the standard deviations.
func (p *Parameter) widen() {
	var squares []float64
	for i := 1; i < len(p.Value); i++ {
		d := p.Value[i] - p.Value[i-1]
		if v := p.Sigma[i]*p.Sigma[i] + p.Sigma[i-1]*p.Sigma[i-1]; v > 0 {
			squares = append(squares, d*d/v)
		}
	}
	p.Scatter = 1
	if len(squares) == 0 {
		return
	}
	slices.Sort(squares)
	p.Scatter = math.Sqrt(max(1, squares[len(squares)/2]/medianSquare))
	for i := range p.Sigma {
		p.Sigma[i] *= p.Scatter
	}
}

// mean returns the mean of the windows [first, last), weighted, with its standard deviation.
func (p *Parameter) mean(first, last int) (mean, sigma float64) {
	var weights, sum float64
	for i := first; i < last; i++ {
		w := 1 / (p.Sigma[i] * p.Sigma[i])
		weights, sum = weights+w, sum+w*p.Value[i]
	}
	return sum / weights, 1 / math.Sqrt(weights)
}

// step is one at window split, among the windows [first, last) of its search.
type step struct{ first, split, last int }

// steps appends those beyond the limit among the windows [first, last), in their order.
func (p *Parameter) steps(first, last int, limit float64, to []step) []step {
	best, at := limit, -1
	for k := first + 1; k < last; k++ {
		if c := p.change(first, k, last); math.Abs(c.Z) > best {
			best, at = math.Abs(c.Z), k
		}
	}
	if at < 0 {
		return to
	}
	to = p.steps(first, at, limit, to)
	to = append(to, step{first, at, last})
	return p.steps(at, last, limit, to)
}

// change compares the windows [first, at) with [at, last).
func (p *Parameter) change(first, at, last int) Change {
	c := Change{Parameter: p.Name}
	c.Before, c.BeforeSigma = p.mean(first, at)
	c.After, c.AfterSigma = p.mean(at, last)
	if s := math.Hypot(c.BeforeSigma, c.AfterSigma); s > 0 {
		c.Z = (c.After - c.Before) / s
	}
	if c.Before != 0 {
		c.Percent = 100 * (c.After - c.Before) / math.Abs(c.Before)
	}
	return c
}
