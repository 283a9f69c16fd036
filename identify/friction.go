package identify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/triangle"
	"ident/observation"
	"ident/physical"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// Velocities at which Stribeck friction is offered, rad/s or m/s: every second of those
// of its search.
const offeredSpeeds = 6

func offeredSpeed(i int) float64 { return slowest * math.Pow(nextFaster, float64(2*i+1)) }

// leastShown is the least effect of a unit of Stribeck friction, root mean square over
// the rows, after all other columns have explained their part: below a twentieth the
// term is a multiple of noise. A joint that never creeps, or never turns faster than the
// velocity, is below it.
const leastShown = 0.05

// reversalSamples is the least number of samples that a reversal with the joint's mean acceleration spends on either
// side of zero below an offered velocity. A curve over fewer is the error of the sample at which the sign changes.
const reversalSamples = 4

// resolvedSpeeds is, by joint, the slowest of the offered velocities that samples of all training runs resolve.
func resolvedSpeeds(e *experiment) []int {
	out := make([]int, e.model.Joints())
	for i, run := range e.noise {
		for k, n := range run {
			for out[k] < offeredSpeeds-1 && offeredSpeed(out[k]) < reversalSamples*n.Acceleration*e.segments[i][0].DT {
				out[k]++
			}
		}
	}
	return out
}

// frictionColumns are the columns of friction terms that are not in the model, behind
// those of the model: one of asymmetry for every joint, then the offered velocities of
// Stribeck friction of every joint, then the columns of terms that are offered by name. With Fv, Fs and Fo in the model, friction of each
// direction (Fa) adds one column a joint, q̇ where it is positive.
type frictionColumns struct {
	model, joints int              // columns of the model; joints
	resolved      []int            // by joint: the slowest of the offered velocities that the samples resolve
	more          *regressor.Model // of the terms that are offered by name, nil for none
}

func (f frictionColumns) named() int { return f.model + f.joints*(1+offeredSpeeds) } // the first column of more
func (f frictionColumns) columns() int {
	if f.more == nil {
		return f.named()
	}
	return f.named() + len(f.more.Columns())
}

// mask are the columns of more in the rows of a joint.
func (f frictionColumns) mask(joint int) []int {
	if f.more == nil {
		return nil
	}
	return f.more.Mask(joint)
}
func (f frictionColumns) asymmetric(joint int) int { return f.model + joint }
func (f frictionColumns) stribeck(joint, at int) int {
	return f.model + f.joints + joint*offeredSpeeds + at
}

// masks are those of the model with the further columns of each joint.
func (f frictionColumns) masks(own [][]int) [][]int {
	out := make([][]int, len(own))
	for k := range own {
		out[k] = append(slices.Clone(own[k]), f.asymmetric(k))
		for i := range offeredSpeeds {
			out[k] = append(out[k], f.stribeck(k, i))
		}
		for _, c := range f.mask(k) {
			out[k] = append(out[k], f.named()+c)
		}
	}
	return out
}

// applyFriction is apply with the columns of the friction terms.
func (r *reducer) applyFriction(c *observation.Chunk, f frictionColumns) (timeBlocks, error) {
	v, err := r.observer.Observe(c)
	if err != nil || v.Empty() {
		return timeBlocks{}, err
	}
	out := r.blocks(&v)
	out.added = r.extender.begin(&v, func(k int) int { return 1 + offeredSpeeds + len(f.mask(k)) })
	n := len(v.Torque[0])
	if f.more != nil {
		if r.named == nil || r.named.Rows < n {
			r.named, r.scratch = f.more.NewBlock(n), f.more.NewWorkspace()
		}
		r.named.Resize(n)
		in := regressor.Batch{Q: v.Motion.Q, DQ: v.Motion.DQ, DDQ: v.Motion.DDQ}
		if f.more.Needs()&regressor.NeedTime != 0 {
			in.Time = make([]float64, n)
			c.SinceBegan(in.Time)
		}
		f.more.EvalBatch(r.named, in, r.scratch)
	}
	r.friction = resized(r.friction, 1+offeredSpeeds, n)
	for k := range v.Torque {
		for i, rate := range v.Motion.DQ[k] {
			r.friction[0][i] = max(rate, 0)
			sign := 0.0
			if rate != 0 {
				sign = math.Copysign(1, rate)
			}
			for s := range offeredSpeeds {
				z := rate / offeredSpeed(s)
				r.friction[1+s][i] = sign * math.Exp(-z*z)
			}
		}
		further := r.friction
		if f.more != nil {
			further = append(slices.Clip(further), r.named.Joint[k]...)
		}
		rows, atRest := r.rows(&v, k, further, &out)
		out.add(k, rows, atRest, &r.work)
	}
	return out, nil
}

// offersFriction tells whether friction terms can be compared, with the reason if not.
// Their columns are those of the joints' own rates, in rows of joints.
func offersFriction(e *experiment, r *robot.Robot) string {
	switch {
	case e.cfg.Model != Dynamic:
		return "friction terms are compared on the rows of the dynamic model only"
	case e.model.Loops() != nil:
		return "friction terms are not compared for robots with closed loops: those of passive joints act as well"
	case e.cfg.Estimator != nil:
		return "friction terms are compared for least squares only"
	case len(e.cfg.Unactuated) > 0 || len(e.cfg.Immobile) > 0 || len(e.known.Values) > 0:
		return "friction terms are not compared beside known parameters, immobile joints or unmeasured forces"
	case e.needs() != 0:
		return "friction terms are not compared beside terms of loads, currents, wrenches and contacts"
	}
	if len(r.Mimics) > 0 {
		return "friction terms are not compared for robots with mimic joints"
	}
	for _, t := range []regressor.Term{regressor.Fv, regressor.Fs, regressor.Fo} {
		if !slices.Contains(e.terms, t) {
			return fmt.Sprintf("further friction terms are offered beside Fv, Fs and Fo; the model lacks %s", t)
		}
	}
	return ""
}

// offerable are the terms that can be offered by name: laws of a joint's own motion, and of the time.
func offerable() []regressor.Term {
	return []regressor.Term{regressor.Quadratic, regressor.Ripple, regressor.Warming, regressor.Spring, regressor.Balance}
}

// reduceFriction is the pass of the fit with the columns of all friction terms.
func (e *experiment) reduceFriction(ctx context.Context, r *robot.Robot) (reduction, frictionColumns, error) {
	f := frictionColumns{model: len(e.model.Columns()), joints: e.model.Joints(), resolved: resolvedSpeeds(e)}
	if offered := e.cfg.Choices.Offered; len(offered) > 0 {
		more, err := regressor.NewDynamic(r, offered)
		if err != nil {
			return reduction{}, f, fmt.Errorf("offered terms: %w", err)
		}
		for _, t := range offered {
			if !slices.Contains(offerable(), t.Name()) {
				return reduction{}, f, fmt.Errorf("offered terms: %s is chosen by nobody; those that can be are %v", t, offerable())
			}
		}
		f.more = more
	}
	sources, err := e.trainingSources(0)
	if err != nil {
		return reduction{}, f, err
	}
	sum := estimate.NewReduction(f.columns(), f.masks(shape(e.cfg.Model, e.model)))
	rows, err := e.pass(ctx, sources, sum, func(done, total int) { e.cfg.Progress("fitting", done, total) },
		func(r *reducer, c *observation.Chunk) (timeBlocks, error) { return r.applyFriction(c, f) })
	return rows, f, err
}

// frictionChoice is a set of terms beside those of the model.
type frictionChoice struct {
	name                 string
	asymmetric, stribeck bool
	further              []regressor.Term // of those offered by name
}

// titled is the choice with its name.
func (c frictionChoice) titled(base string) frictionChoice {
	c.name = base
	if c.asymmetric {
		c.name += ",Fa"
	}
	if c.stribeck {
		c.name += ",Fst"
	}
	for _, t := range c.further {
		c.name += "," + string(t)
	}
	return c
}

// with is the choice with a further term.
func (c frictionChoice) with(base string, t regressor.Term) frictionChoice {
	c.further = append(slices.Clip(c.further), t)
	return c.titled(base)
}

// without are the choices with one term less.
func (c frictionChoice) without(base string) (out []frictionChoice) {
	less := c
	if less.asymmetric = false; c.asymmetric {
		out = append(out, less.titled(base))
	}
	less = c
	if less.stribeck = false; c.stribeck {
		out = append(out, less.titled(base))
	}
	for i := range c.further {
		less = c
		less.further = slices.Delete(slices.Clone(c.further), i, i+1)
		out = append(out, less.titled(base))
	}
	return out
}

// bestSpeeds is, by joint, the offered velocity of the least residual of the joint's own
// rows, -1 where none is determined by them.
func (f frictionColumns) bestSpeeds(rows *estimate.Reduction, asymmetric bool) []int {
	out := make([]int, f.joints)
	var work triangle.Work
	for k, mask := range rows.Masks() {
		whole := rows.Joint(k, &work)
		out[k] = -1
		first := len(mask) - len(f.mask(k)) - offeredSpeeds
		after := first // rows of the factor from which the columns are those behind the model's
		if !asymmetric {
			after--
		}
		most := 0.0
		for s := f.resolved[k]; s < offeredSpeeds; s++ {
			var cc, cz float64
			for i := after; i < whole.N; i++ {
				if !asymmetric && i == after {
					continue
				}
				c := whole.R[i*whole.N+first+s]
				cc, cz = cc+c*c, cz+c*whole.Z[i]
			}
			if cc < leastShown*leastShown*float64(whole.Rows) {
				continue
			}
			if gain := cz * cz / cc; out[k] < 0 || gain > most {
				out[k], most = s, gain
			}
		}
	}
	return out
}

// selected are the columns of a choice, ascending; speeds are those of bestSpeeds.
func (f frictionColumns) selected(c frictionChoice, speeds []int) []int {
	var out []int
	for i := range f.model {
		out = append(out, i)
	}
	for k := range f.joints {
		if c.asymmetric {
			out = append(out, f.asymmetric(k))
		}
	}
	for k := range f.joints {
		if c.stribeck && speeds[k] >= 0 {
			out = append(out, f.stribeck(k, speeds[k]))
		}
	}
	for i := range f.columns() - f.named() {
		if slices.ContainsFunc(c.further, named(f.more.Columns()[i].Term)) {
			out = append(out, f.named()+i)
		}
	}
	return out
}

// with is the base parameter set of the model with the selected further columns, which
// are independent of all others.
func (f frictionColumns) with(set *baseparams.Set, m *regressor.Model, columns []int) *baseparams.Set {
	out := *set
	out.Columns, out.Base, out.Beta = slices.Clone(set.Columns), slices.Clone(set.Base), slices.Clone(set.Beta)
	for _, c := range columns[f.model:] {
		out.Base = append(out.Base, len(out.Columns))
		out.Beta = append(out.Beta, make([]float64, len(set.Dependent)))
		if c >= f.named() {
			out.Columns = append(out.Columns, f.more.Columns()[c-f.named()])
			continue
		}
		joint := c - f.model
		term := regressor.Asymmetric
		if joint >= f.joints {
			joint, term = (joint-f.joints)/offeredSpeeds, regressor.Stribeck
		}
		out.Columns = append(out.Columns, regressor.Column{Name: fmt.Sprintf("%s%d", term, joint+1), Term: term, Link: m.JointLinks()[joint], Signed: true})
	}
	return &out
}

// estimator is the estimate of a choice from rows with the columns of all terms, over
// all these columns.
func (e *experiment) frictionEstimator(ctx context.Context, f frictionColumns, c frictionChoice, r *robot.Robot, set *baseparams.Set, possible physical.Options) func(*estimate.Reduction) ([]float64, int, error) {
	return func(rest *estimate.Reduction) ([]float64, int, error) {
		var speeds []int
		if c.stribeck {
			speeds = f.bestSpeeds(rest, c.asymmetric)
		}
		columns := f.selected(c, speeds)
		own := rest.Select(columns)
		least := e.cfg.free
		if e.cfg.Consistent != nil {
			least = e.cfg.possible(ctx, r, f.with(set, e.model, columns), possible)
		}
		x, rank, err := least(own)
		if err != nil {
			return nil, 0, err
		}
		out := make([]float64, f.columns())
		for i, at := range columns {
			out[at] = x[i]
		}
		return out, rank, nil
	}
}

// chooseFriction compares the friction terms by cross-validation of the estimator.
func (d *reduced) chooseFriction(ctx context.Context, r *robot.Robot, wide *estimate.Reduction, f frictionColumns) (frictionChoice, []float64, result.Decision) {
	base := ""
	for i, t := range d.terms {
		if i > 0 {
			base += ","
		}
		base += string(t)
	}
	offered := []frictionChoice{{name: base}}
	asymmetric, stribeck := !slices.ContainsFunc(d.terms, named(regressor.Asymmetric)), !slices.ContainsFunc(d.terms, named(regressor.Stribeck))
	parts := wide.Parts()
	whole := f.bestSpeeds(parts, false)
	why := ""
	if k := slices.Index(whole, -1); k >= 0 && stribeck {
		stribeck = false
		why = fmt.Sprintf("; Fst is not offered: joint %q shows none of its velocities apart from other friction", r.Links[d.model.JointLinks()[k]].Joint.Name)
	}
	if stribeck && mostlySlowest(whole) {
		stribeck = false
		why = "; Fst is not offered: on most joints its best velocity is the slowest of all, which is the noise of reversals and no curve"
	}
	if asymmetric {
		offered = append(offered, frictionChoice{asymmetric: true}.titled(base))
	}
	if stribeck {
		offered = append(offered, frictionChoice{stribeck: true}.titled(base))
	}
	if asymmetric && stribeck {
		offered = append(offered, frictionChoice{asymmetric: true, stribeck: true}.titled(base))
	}
	var all []candidate
	var kept []frictionChoice
	var possible physical.Options
	if d.cfg.Consistent != nil {
		possible = *d.cfg.Consistent
		if sol, err := d.solve(); err == nil {
			possible = ofWhole(possible, sol)
		}
	}
	try := func(c frictionChoice) (candidate, bool) {
		cross, err := parts.CrossValidateBy(d.frictionEstimator(ctx, f, c, r, d.set, possible))
		return candidate{c.name, cross}, err == nil && cross != nil
	}
	for _, c := range offered {
		if x, ok := try(c); ok {
			all, kept = append(all, x), append(kept, c)
		}
	}
	if len(all) == 0 {
		return frictionChoice{}, nil, result.Decision{Decision: "terms", Chosen: base, Why: "no part of the rows can be left out"}
	}
	c := kept[simplestOfBest(all)]
	// Of the terms offered by name the best is added as long as rows left out are predicted better with it; then terms are
	// left out again without which they are predicted as well.
	best := all[simplestOfBest(all)]
	for grown := true; grown; {
		var next frictionChoice
		var with candidate
		for _, t := range d.cfg.Choices.Offered {
			if slices.Contains(c.further, t) {
				continue
			}
			more := c.with(base, t)
			if x, ok := try(more); ok && (with.cross == nil || x.cross.Percent < with.cross.Percent) {
				next, with = more, x
			}
		}
		if grown = with.cross != nil && simplestOfBest([]candidate{best, with}) == 1; grown {
			c, best, all = next, with, append(all, with)
		}
	}
	for shrunk := len(c.further) > 0; shrunk; {
		shrunk = false
		for _, less := range c.without(base) {
			if x, ok := try(less); ok && simplestOfBest([]candidate{x, best}) == 0 {
				c, best, all, shrunk = less, x, append(all, x), true
				break
			}
		}
	}
	var speeds []float64
	if c.stribeck {
		for _, s := range f.bestSpeeds(parts, c.asymmetric) {
			speeds = append(speeds, offeredSpeed(max(s, 0)))
		}
	}
	return c, speeds, decision("terms", all, c.name, "the simplest whose error on rows left out is within a standard error of the least"+why)
}

// mostlySlowest tells whether the best velocities of half of the joints or more are the slowest offered: a term
// that only acts where the sign of a velocity is in doubt takes up the errors of that sign.
func mostlySlowest(speeds []int) bool {
	slowest := 0
	for _, s := range speeds {
		if s == 0 {
			slowest++
		}
	}
	return 2*slowest >= len(speeds)
}

func named(name regressor.Term) func(regressor.Term) bool {
	return func(t regressor.Term) bool { return t.Name() == name }
}

// withFriction is the experiment with the chosen terms.
func (e *experiment) withFriction(ctx context.Context, r *robot.Robot, c frictionChoice, speeds []float64) (*experiment, *baseparams.Set, error) {
	terms := append(slices.Clone(e.terms), c.further...)
	if c.asymmetric {
		terms = append(terms, regressor.Asymmetric)
	}
	if !c.stribeck {
		return e.build(ctx, r, terms, nil)
	}
	return e.refineStribeck(ctx, r, append(terms, regressor.Stribeck), speeds, nearSteps, nearStep)
}

// Steps of the velocities of Stribeck friction that was chosen, and the relative step at
// which they end: the derivative's columns of the model hold the rest.
const (
	nearSteps = 4
	nearStep  = 0.05
)
