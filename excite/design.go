package excite

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"ident/regressor"
)

// Result is the outcome of a design.
type Result struct {
	Trajectory      Motion
	ConditionScaled float64 // condition number of the regressor over a period, columns scaled to unit norm
	ConditionRaw    float64 // the same without scaling
	Criterion       Criterion
	Value           float64  // value of the criterion, prior included
	Violations      int      // how often a limit is exceeded, at and between the samples of the final check
	Margins         []Margin // one for each joint
	Distances       []Excess // coupled constraints other than torque, each at its worst moment
	// Deviations are the predicted standard deviations of the parameters of the model's columns, including the prior;
	// NaN for undetermined ones, nil without noise.
	Deviations []float64
	Weak       []Direction // the least determined directions; nil without noise
	// PosteriorRows are rows of unit noise over the model's columns with the information of prior and design; nil
	// without noise. Use them as PriorRows of another Problem.
	PosteriorRows [][]float64
	Limits        []Limits  // limits of the joints, with defaults where the problem gave none
	KeepOuts      []KeepOut // those taken into account
	Defaults      []string  // assumptions for settings left out of the problem
	Notes         []string  // remarks about the motion
	Unexcited     []string  // columns that no allowed motion excites, left out of the criterion
	Stopped       bool      // the context ended the search early
	Evaluations   int
	Seconds       float64
}

// Design searches for the trajectory with the smallest criterion within all limits. If the limits do not allow a search,
// the error matches *MissingLimitsError or *LimitError; if no motion within all constraints was found, *InfeasibleError.
// If ctx ends, it returns the best trajectory so far with Stopped set, or ctx's error if there is none.
func Design(ctx context.Context, p Problem) (*Result, error) {
	began := time.Now()
	d, err := prepare(&p)
	if err != nil {
		return nil, err
	}
	best, v, err := d.search(ctx)
	if err != nil {
		return nil, err
	}
	m := d.s.trajectory(best.y)
	r := &Result{Trajectory: m, Criterion: p.Criterion, Margins: v.margins, Violations: v.violations, Defaults: d.defaults,
		KeepOuts: d.keepOuts, Unexcited: d.unexcited, Stopped: ctx.Err() != nil}
	for i := range d.s.axes {
		r.Limits = append(r.Limits, d.s.axes[i].full)
	}
	for i, c := range d.coupled {
		if _, torque := c.(*torqueLimits); !torque {
			for _, x := range worstOf(v.excesses[i]) {
				if !math.IsInf(x.Relative, -1) {
					r.Distances = append(r.Distances, x)
				}
			}
		}
	}
	for i := range r.Margins {
		// A joint that uses less than a hundredth of its range gives little information.
		if x := r.Margins[i]; !d.s.axes[i].held && d.span(m, i) < 0.01 {
			r.Notes = append(r.Notes, fmt.Sprintf("joint %q uses less than 1 %% of its range: in %g s its other limits leave no more; lengthen the period or take fewer harmonics", x.Joint, p.Period))
		}
	}
	d.assess(r, m)
	r.Evaluations, r.Seconds = d.tally.evaluations, time.Since(began).Seconds()
	return r, nil
}

// worstOf keeps the worst excess of each constraint and name, because a body may have several capsules.
func worstOf(all []Excess) (out []Excess) {
	for _, x := range all {
		i := slices.IndexFunc(out, func(y Excess) bool { return y.Of == x.Of && y.Constraint == x.Constraint })
		if i < 0 {
			out = append(out, x)
		} else if x.Relative > out[i].Relative {
			out[i] = x
		}
	}
	return out
}

// design is a problem ready for the search.
type design struct {
	p         *Problem
	s         *searchSpace
	weighting weighting
	coupled   []coupled // prototypes: every evaluator has its own clones
	keepOuts  []KeepOut
	defaults  []string
	unexcited []string
	tally     *tally
	workers   []*evaluator // of the stages so far, one a core
}

func prepare(p *Problem) (*design, error) {
	defaults, err := p.fill()
	if err != nil {
		return nil, err
	}
	p.Model = p.Model.Compiled()
	axes, assumed, err := resolve(p.Limits, p.Margin)
	if err != nil {
		return nil, err
	}
	base, err := p.baseMotion(axes)
	if err != nil {
		return nil, err
	}
	b, samples, err := p.basis(base != nil)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(axes, func(a axis) bool { return !a.held }) {
		return nil, fmt.Errorf("excite: every joint is held still by its limits; widen the position range of one")
	}
	constraints, keepOuts, notes, err := constraintsOf(p, axes)
	if err != nil {
		return nil, err
	}
	least := leastUse
	if len(constraints) > 0 {
		least = leastUseCoupled
	}
	s := newSearchSpace(axes, b, p.Period, samples, base, least)
	w := weighting{prior: p.PriorRows}
	for k := range p.Noise {
		w.joint = append(w.joint, math.Sqrt(p.LogRate*p.Period*float64(p.Repeats)/float64(samples))/p.Noise[k])
	}
	kept, unexcited, norms, err := excitable(p, s, w, constraints)
	if err != nil {
		return nil, err
	}
	w.use = kept
	if p.Criterion != ConditionNumber {
		w.norms = norms
	}
	return &design{p: p, s: s, weighting: w, coupled: constraints, keepOuts: keepOuts, unexcited: unexcited,
		defaults: slices.Concat(defaults, assumed, notes), tally: newTally(p)}, nil
}

// basis returns the basis functions for the problem's shape, and the number of samples in a period. If the motion is
// added to a given one (above), positions vanish at both ends.
func (p *Problem) basis(above bool) (b basis, samples int, err error) {
	cycles := 0 // of the fastest basis function in a period
	switch p.Shape {
	case Fourier:
		b, cycles = newFourier(p.Harmonics, p.Period, above), p.Harmonics
	case Spline:
		b, cycles = newSplines(p.Pieces, p.Period), (p.Pieces+1)/2
	case Points:
		b, cycles = newPointToPoint(p.Pieces, p.Period), p.Pieces
	}
	if p.SampleRate > 0 {
		samples = int(math.Round(p.SampleRate * p.Period))
		if least := 2*cycles + 1; samples < least {
			return nil, 0, fmt.Errorf("excite: a sample rate of %.4g Hz sees less than the fastest part of the motion, %.4g Hz; give at least %.4g Hz",
				p.SampleRate, float64(cycles)/p.Period, float64(least)/p.Period)
		}
		return b, samples, nil
	}
	// Enough rows for all columns, too.
	return b, max(20*cycles, 2*len(p.Model.Columns())/p.Model.Joints()+8), nil
}

// excitable returns the columns that motions within the limits excite independently, their norms on random motions, and
// the names of the others, which are due to held joints.
func excitable(p *Problem, s *searchSpace, w weighting, constraints []coupled) (kept []int, unexcited []string, norms []float64, err error) {
	rng := rand.New(rand.NewPCG(p.Seed, 1<<63))
	kept, left, all := independentColumns(newEvaluator(p, s, w, constraints), rng)
	for _, c := range left {
		unexcited = append(unexcited, p.Model.Columns()[c].Name)
	}
	held := slices.ContainsFunc(s.axes, func(a axis) bool { return a.held })
	switch {
	case len(left) > 0 && !held:
		return nil, nil, nil, fmt.Errorf("excite: columns %v of the model depend on the others whatever the motion; give a model of base parameters", unexcited)
	case len(kept) == 0:
		return nil, nil, nil, fmt.Errorf("excite: the joints that are not held still excite none of the model's columns")
	}
	for _, c := range kept {
		norms = append(norms, all[c])
	}
	return kept, unexcited, norms, nil
}

// span returns the fraction of a joint's range that a motion covers.
func (d *design) span(m Motion, joint int) float64 {
	n := m.DOF()
	q, dq, ddq := make([]float64, n), make([]float64, n), make([]float64, n)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, t := range d.s.times {
		m.Eval(t, q, dq, ddq)
		lo, hi = min(lo, q[joint]), max(hi, q[joint])
	}
	l := d.s.axes[joint].full
	return (hi - lo) / (l.Upper - l.Lower)
}

// finalRate returns the sampling rate of a result's figures, in Hz: four times that of the search.
func (d *design) finalRate() float64 { return 4 * float64(len(d.s.times)) / d.p.Period }

// assess fills in the figures of the final motion.
func (d *design) assess(r *Result, m Motion) {
	r.ConditionScaled, r.ConditionRaw = conditionOf(d.p.Model, m, d.finalRate(), d.weighting.use)
	samples := int(math.Round(d.finalRate() * d.p.Period))
	more := float64(samples) / float64(len(d.s.times)) // samples for one of the search
	w := d.weighting
	w.joint, w.norms = slices.Clone(w.joint), slices.Clone(w.norms)
	noise := w.joint != nil
	for k := range w.joint {
		w.joint[k] *= math.Sqrt(float64(len(d.s.times)) / float64(samples))
	}
	for c := range w.norms {
		if !noise {
			w.norms[c] *= math.Sqrt(more) // rows without noise have no scaling by their number
		}
	}
	e := newSpectrum(d.p.Model, samples, w)
	sampleAt(m, steps(samples, d.p.Period, 0.5), e.motion[0], e.motion[1], e.motion[2])
	e.evalRows()
	r.Value = math.Inf(1)
	if !e.decompose(true) {
		return
	}
	r.Value = d.p.Criterion.Of(e.sigma)
	if !noise {
		return
	}
	r.Deviations = make([]float64, len(d.p.Model.Columns()))
	for c := range r.Deviations {
		r.Deviations[c] = math.NaN()
	}
	for i, s := range e.deviations() {
		r.Deviations[w.use[i]] = s
	}
	r.Weak = weakest(e, d.p.PriorRows)
	factor, n := e.unscaledFactor(), e.factor.N
	r.PosteriorRows = grid(n, len(r.Deviations))
	for i := range n {
		for k := i; k < n; k++ {
			r.PosteriorRows[i][w.use[k]] = factor[i*n+k]
		}
	}
}

// conditionOf returns the condition numbers of a model's regressor along a motion, with columns scaled to unit norm and
// unscaled, over the columns in use (nil for all). It samples at the given rate in Hz, from half a step on. They are
// +Inf if a column is not excited.
func conditionOf(m *regressor.Model, tr Motion, rate float64, use []int) (scaled, raw float64) {
	e := newSpectrum(m, max(1, int(math.Round(rate*tr.Duration()))), weighting{use: use})
	sampleAt(tr, steps(e.samples, tr.Duration(), 0.5), e.motion[0], e.motion[1], e.motion[2])
	return e.condition()
}
