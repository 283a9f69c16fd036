package excite

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"ident/regressor"
)

// Result is a design.
type Result struct {
	Trajectory      Motion
	ConditionScaled float64 // of the regressor over a period, columns scaled to unit norm
	ConditionRaw    float64 // without scaling
	Criterion       Criterion
	Value           float64  // of the criterion, what is known before included
	Violations      int      // of any limit, on the dense grid and between its points
	Margins         []Margin // one a joint
	Distances       []Excess // what must stay apart, and the tip's speed, at the worst moment
	// Deviations are the predicted standard deviations of the model's columns'
	// parameters, what is known before included; NaN where nothing determines
	// one, nil without noise.
	Deviations []float64
	Weak       []Direction // the least determined directions; nil without noise
	// Learnt are rows over the model's columns, of unit noise, that hold what is
	// known after the design, for a Problem's Known; nil without noise.
	Learnt      [][]float64
	Limits      []Limits  // of the joints, defaults filled in
	KeepOuts    []KeepOut // that the motion stays out of
	Defaults    []string  // what was assumed where the problem said nothing
	Notes       []string  // what is odd about the motion
	Unexcited   []string  // columns that no allowed motion excites, left out of the criterion
	Stopped     bool      // the context ended the search early
	Evaluations int
	Seconds     float64
}

// Design searches for the trajectory that makes the criterion smallest within
// all limits. It returns an error that matches *MissingLimitsError or
// *LimitError where the limits do not allow a search, and *InfeasibleError where
// the search found no motion that keeps them all. When ctx ends, the best
// trajectory so far is returned with Stopped set; ctx's error is returned only
// if there is none yet.
func Design(ctx context.Context, p Problem) (*Result, error) {
	began := time.Now()
	d, err := prepare(&p)
	if err != nil {
		return nil, err
	}
	d.ctx = ctx
	best, v, err := d.search()
	if err != nil {
		return nil, err
	}
	m := d.s.trajectory(best.y)
	r := &Result{Trajectory: m, Criterion: p.Criterion, Margins: v.margins, Violations: v.violations, Defaults: d.defaults,
		Unexcited: d.unexcited, Stopped: ctx.Err() != nil}
	for i := range d.s.axes {
		r.Limits = append(r.Limits, d.s.axes[i].full)
	}
	r.KeepOuts = d.keepOuts
	for i, make := range d.coupled {
		if _, torque := make().(*torqueLimits); !torque {
			for _, x := range worstOf(v.excesses[i]) {
				if !math.IsInf(x.Part, -1) {
					r.Distances = append(r.Distances, x)
				}
			}
		}
	}
	for i := range r.Margins {
		// A joint that uses less than a hundredth of its range tells little.
		if x := r.Margins[i]; !d.s.axes[i].held && d.span(m, i) < 0.01 {
			r.Notes = append(r.Notes, fmt.Sprintf("joint %q uses less than 1 %% of its range: in %g s its other limits leave no more; lengthen the period or take fewer harmonics", x.Joint, p.Period))
		}
	}
	d.judge(r, m)
	r.Evaluations, r.Seconds = d.evals, time.Since(began).Seconds()
	return r, nil
}

// worstOf keeps the worst of what has the same name: bodies of several capsules.
func worstOf(all []Excess) (out []Excess) {
	for _, x := range all {
		i := slices.IndexFunc(out, func(y Excess) bool { return y.Of == x.Of && y.Constraint == x.Constraint })
		if i < 0 {
			out = append(out, x)
		} else if x.Part > out[i].Part {
			out[i] = x
		}
	}
	return out
}

// design is a problem being solved.
type design struct {
	ctx       context.Context
	p         *Problem
	s         *space
	use       []int     // columns that the criterion looks at
	weight    []float64 // of the joints' rows
	norms     []float64 // fixed norms of the columns in use, nil for their own
	coupled   []func() coupled
	keepOuts  []KeepOut
	defaults  []string
	unexcited []string
	mu        sync.Mutex
	evals     int
	done      int
	best      merit
}

func prepare(p *Problem) (*design, error) {
	d := &design{p: p, best: merit{math.Inf(1), Excess{Part: math.Inf(1)}}}
	var err error
	if d.defaults, err = p.fill(); err != nil {
		return nil, err
	}
	axes, defaults, err := resolve(p.Limits, p.Margin)
	if err != nil {
		return nil, err
	}
	d.defaults = append(d.defaults, defaults...)
	base, err := p.underneath(axes)
	if err != nil {
		return nil, err
	}
	var b basis
	cycles := 0 // of the fastest shape in a period
	switch p.Shape {
	case Fourier:
		b, cycles = newFourier(p.Harmonics, p.Period, base != nil), p.Harmonics
	case Spline:
		b, cycles = newSplines(p.Pieces, p.Period), (p.Pieces+1)/2
	case Points:
		b, cycles = newVias(p.Pieces, p.Period), p.Pieces
	}
	samples := 20 * cycles
	if p.SampleRate > 0 {
		samples = int(math.Round(p.SampleRate * p.Period))
		if least := 2*cycles + 1; samples < least {
			return nil, fmt.Errorf("excite: a sample rate of %g Hz sees less than the fastest part of the motion, %g Hz; give at least %g Hz",
				p.SampleRate, float64(cycles)/p.Period, float64(least)/p.Period)
		}
	} else {
		samples = max(samples, 2*len(p.Model.Columns())/p.Model.Joints()+8)
	}
	d.s = newSpace(axes, b, p.Period, samples, base)
	if d.s.vars == 0 {
		return nil, fmt.Errorf("excite: every joint is held still by its limits; widen the position range of one")
	}
	for k := range p.Noise {
		d.weight = append(d.weight, math.Sqrt(p.LogRate*p.Period*float64(p.Repeats)/float64(samples))/p.Noise[k])
	}
	d.constrain()
	return d, d.reachable()
}

// constrain lists the coupled constraints. Each evaluator has its own working
// copy; what is kept in hand is shared.
func (d *design) constrain() {
	p, axes := d.p, d.s.axes
	n := len(axes)
	c := torqueLimits{values: p.Values, spread: p.Uncertainty, margin: p.Margin, tight: make([]float64, 2*n),
		names: make([]string, n), prismatic: make([]bool, n), effort: make([]float64, n), power: make([]float64, n)}
	var limited []string
	for i := range axes {
		c.names[i], c.prismatic[i] = axes[i].name, axes[i].prismatic
		l := &p.Limits[i]
		if given(l.Effort) {
			c.effort[i] = l.Effort
		}
		if given(l.Power) {
			c.power[i] = l.Power
		}
		if c.effort[i] > 0 || c.power[i] > 0 {
			limited = append(limited, axes[i].name)
		}
	}
	switch {
	case len(limited) == 0:
	case p.Values == nil || p.Robot == nil:
		d.defaults = append(d.defaults, fmt.Sprintf("torque and power limits of %v are not kept: the robot's parameters are not known", limited))
	default:
		if c.spread == nil {
			c.spread = make([]float64, len(c.values))
		}
		for _, col := range p.Model.Columns() {
			c.coulomb = append(c.coulomb, col.Term == regressor.Fs)
		}
		d.coupled = append(d.coupled, func() coupled { return &c })
	}
	if p.Robot == nil {
		return
	}
	if loops := p.Model.Loops(); loops != nil {
		joints := passiveOf(p.Robot)
		tight := make([]float64, 2*len(joints)+1)
		d.coupled = append(d.coupled, func() coupled { return newPassiveLimits(joints, p.Model.Loops(), p.Margin, tight) })
	}
	f := newFigure(p.Robot)
	if p.KeepOuts != nil || p.SelfCollision {
		pairs, notes := proximities(p, f, axes)
		d.defaults = append(d.defaults, notes...)
		for k := range p.KeepOuts {
			if slices.ContainsFunc(pairs, func(x proximity) bool { return x.out == &p.KeepOuts[k] }) {
				d.keepOuts = append(d.keepOuts, p.KeepOuts[k])
			}
		}
		tight := make([]float64, len(pairs))
		if len(pairs) > 0 {
			d.coupled = append(d.coupled, func() coupled { return &apartness{f, f.newPose(), newBodies(p.Capsules), pairs, p.Clearance, tight} })
		}
	}
	if t := p.Tip; t != nil {
		tight := make([]float64, 1)
		d.coupled = append(d.coupled, func() coupled {
			return &tipSpeed{f.newPose(), t.Name, t.Link, t.At, t.Speed, p.Margin, tight}
		})
	}
	if len(d.coupled) > 0 {
		d.s.least = 0.02 // a joint that must move little may
	}
}

// reachable leaves out the columns that held joints keep from being excited,
// and finds the norms in which fixed criteria measure.
func (d *design) reachable() error {
	d.use = make([]int, len(d.p.Model.Columns()))
	for c := range d.use {
		d.use[c] = c
	}
	e := newEvaluator(d)
	rng := rand.New(rand.NewPCG(d.p.Seed, 1<<63))
	kept, left, norms := excited(e, rng)
	cols := d.p.Model.Columns()
	for _, c := range left {
		d.unexcited = append(d.unexcited, cols[c].Name)
	}
	held := false
	for i := range d.s.axes {
		held = held || d.s.axes[i].held
	}
	switch {
	case len(left) > 0 && !held:
		return fmt.Errorf("excite: columns %v of the model depend on the others whatever the motion; give a model of base parameters", d.unexcited)
	case len(kept) == 0:
		return fmt.Errorf("excite: the joints that are not held still excite none of the model's columns")
	}
	d.use = kept
	if d.p.Criterion != ConditionNumber {
		for _, c := range kept {
			d.norms = append(d.norms, norms[c])
		}
	}
	return nil
}

// span is the part of a joint's range that a motion goes through.
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

// finalRate is the sampling at which the result is judged: four times the
// search's.
func (d *design) finalRate() float64 { return 4 * float64(len(d.s.times)) / d.p.Period }

// judge fills in what a result says of its own motion.
func (d *design) judge(r *Result, m Motion) {
	r.ConditionScaled, r.ConditionRaw = d.conditions(m)
	samples := int(math.Round(d.finalRate() * d.p.Period))
	weight := slices.Clone(d.weight)
	for k := range weight {
		weight[k] *= math.Sqrt(float64(len(d.s.times)) / float64(samples))
	}
	e := newSpectrum(d.p.Model, samples, d.use, weight, d.p.Known)
	sampleAt(m, steps(samples, d.p.Period, 0.5), e.motion[0], e.motion[1], e.motion[2])
	if d.norms != nil {
		e.fixed = slices.Clone(d.norms)
		if weight == nil {
			// Without noise rows are not scaled to their number.
			for c := range e.fixed {
				e.fixed[c] *= math.Sqrt(float64(samples) / float64(len(d.s.times)))
			}
		}
	}
	e.rows()
	e.gather()
	r.Value = math.Inf(1)
	if !e.reduce() || !e.singular(true) {
		return
	}
	r.Value = d.p.Criterion.value(e.sigma)
	if weight == nil {
		return
	}
	r.Deviations = make([]float64, len(d.p.Model.Columns()))
	for c := range r.Deviations {
		r.Deviations[c] = math.NaN()
	}
	for i, s := range e.deviations() {
		r.Deviations[d.use[i]] = s
	}
	r.Weak = d.weakest(e)
	e.unscale()
	n := e.factor.N
	r.Learnt = grid(n, len(r.Deviations))
	for i := range n {
		for k := i; k < n; k++ {
			r.Learnt[i][d.use[k]] = e.factor.R[i*n+k]
		}
	}
}

// conditions returns the condition numbers of the motion's own rows.
func (d *design) conditions(m Motion) (scaled, raw float64) {
	return conditionOf(d.p.Model, m, d.finalRate(), d.use)
}

// Condition returns the condition number of a model's regressor along a
// trajectory, columns scaled to unit norm and as they are, sampled at the given
// rate in Hz from half a step on. It is +Inf where a column is not excited.
func Condition(m *regressor.Model, tr Motion, rate float64) (scaled, raw float64) {
	return conditionOf(m, tr, rate, nil)
}

func conditionOf(m *regressor.Model, tr Motion, rate float64, use []int) (scaled, raw float64) {
	e := newSpectrum(m, max(1, int(math.Round(rate*tr.Duration()))), use, nil, nil)
	sampleAt(tr, steps(e.samples, tr.Duration(), 0.5), e.motion[0], e.motion[1], e.motion[2])
	scaled = e.condition()
	if math.IsInf(scaled, 1) {
		return scaled, scaled
	}
	e.unscale()
	if !e.singular(false) {
		return scaled, math.Inf(1)
	}
	return scaled, ratio(e.sigma)
}
