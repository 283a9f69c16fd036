package physical

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/estimate"
	"ident/physical/internal/conic"
	"ident/regressor"
	"ident/robot"
)

// BodyOptions are the options of Bodies. The zero value takes the bodies of the robot's own file as prior.
type BodyOptions struct {
	// Source of the prior's bodies; nil means the fitted robot. Name is its name in messages, "robot" if empty.
	Source *robot.Robot
	Name   string
	// Geometry replaces the file's bodies by shapes.Envelope for every link.
	Geometry bool
	// Drives also draws the drive parameters towards those of the source.
	Drives bool
	// Weight of the prior; 0 chooses it by the torque budget.
	Weight   float64
	Distance Distance
	Bounds   Bounds
	// Given as in Options.
	Given []Given
	// Total is the known total mass of the links, with standard deviation TotalDeviation, in kg; 0 means unknown.
	Total, TotalDeviation float64
	// Inflation as in Options.
	Inflation float64
	// Chosen fixes weight, factor and trust; nil chooses them on the data.
	Chosen *BodyChoice
}

// BodyChoice is what Bodies chooses from the data. It may be reused for other columns of the same robot.
type BodyChoice struct {
	Weight float64
	// Factor on all masses of the source that the data suggest; 1 if they suggest none.
	Factor float64
	Trust  []float64 // by link: trust in the mass of the source
}

// MassOrigin says what determines a mass.
type MassOrigin string

// The origins of a mass. It is of the data if they remove more than half of its variance without them and determine it
// to 30 %; of bounds or a total if these remove more than half of the rest; otherwise of the prior, a file or the links'
// geometry.
const (
	OfData     MassOrigin = "data"
	OfFile     MassOrigin = "file"
	OfBounds   MassOrigin = "bounds"
	OfGeometry MassOrigin = "geometry"
)

// LinkMass is the mass of a link with the bodies fixed to it, or of all links together.
type LinkMass struct {
	Link      int     // −1 for the total
	Mass      float64 // kg
	Deviation float64 // standard deviation, kg
	File      float64 // mass in the prior's source, kg; 0 if it gives none
	Share     float64 // fraction of the prior variance that the data remove
	Trust     float64 // trust in the row of this mass; 1 if it has no row
	From      MassOrigin
}

// BodyEstimate is the result of Bodies.
type BodyEstimate struct {
	Estimate
	BodyChoice
	FromFile bool // the source gives at least one body
	// Squared and NearestSquared are the squared deviations of the rows for these bodies and for the nearest feasible
	// ones. If the weight is chosen, Squared may exceed NearestSquared by Budget.
	Squared, NearestSquared, Budget float64
	// Freedom is the squared residual of the free estimate in the same units: effective rows minus parameters.
	Freedom float64
	// Nearest is the nearest feasible estimate, with bodies that only data and bounds determine.
	Nearest *Estimate
	Masses  []LinkMass
	Total   LinkMass
	Assumed float64 // largest relative standard deviation of the prior's masses; it is raised if the data show larger errors
	// Determined is the number of base parameters of bodies that the data determine, out of Of.
	Determined float64
	Of         int
}

// bodyWeights are the weights to try, the largest first, four a decade. Bodies from geometry alone get the last: a
// length says less about a body than a file does.
var bodyWeights = []float64{1, 0.56, 0.32, 0.18, 0.1}

const geometryOnly = 3

const (
	// torqueBudget is the relative increase of the squared residuals, over the nearest feasible estimate, that is
	// allowed.
	torqueBudget = 0.02
	// factorGain is the least decrease of the objective, in half squared deviations, for which a common factor on all
	// masses is adopted.
	factorGain = 3
	factorStep = 0.3 // of the factor's logarithm
	factorSpan = 6   // steps to either side: a factor of six
	// factorRise is the rise above the least objective from which larger factors on that side are not tried. Torques and
	// the distance between bodies pull back ever more, and a mass released by Student's rows lowers the objective by a
	// few units at most.
	factorRise = 10
	reweights  = 4 // of the masses' rows at one weight and factor
	loose      = 1e-6
)

// Bodies returns likely bodies with the torques of an estimate: of all feasible bodies those that minimise
//
//	½‖R·(K(χ) − K̂)‖² + w·[Σ D(J‖g·J̃) + ½Σ ρ((m − g·m⁰)/(s·g·m⁰))²] + ½((Σm − M)/σ_M)²
//
// J̃ are the bodies of the source, thickened by 30 mm (see fattening), m⁰ their masses, s is 0.3, and 1 for bodies that
// the source does not give. ρ are the weights of Student's t distribution of two degrees of freedom, so one wrong mass
// costs little. The common factor g is one unless another lowers the objective by more than 3. The weight w is the
// largest of 1 … 0.1 with which the squared residuals stay within 2 % of those of the nearest feasible estimate. Errors
// are those of Consistent.
//
// Torques hardly determine masses: on a fixed base with revolute joints no mass is a combination of base parameters. The nearest
// feasible estimate takes bodies as thin and as heavy as they come; these are the likely ones among those that data cannot tell apart.
func Bodies(ctx context.Context, s *estimate.Solution, r *robot.Robot, set *baseparams.Set, opt BodyOptions) (*BodyEstimate, error) {
	nearest, err := Consistent(s, r, set, Options{Bounds: opt.Bounds, Given: opt.Given, Inflation: opt.Inflation})
	if err != nil {
		return nil, err
	}
	b, err := newBodySearch(ctx, s, r, set, opt)
	if err != nil {
		return nil, err
	}
	b.out.Nearest = nearest
	if opt.Chosen != nil {
		b.out.BodyChoice = *opt.Chosen
		return b.finish()
	}
	if err := b.chooseFactor(); err != nil {
		return nil, err
	}
	if err := b.chooseWeight(nearest); err != nil {
		return nil, err
	}
	return b.finish()
}

// bodySearch is the search for factor and weight.
type bodySearch struct {
	ctx   context.Context
	s     *estimate.Solution
	r     *robot.Robot
	set   *baseparams.Set
	opt   BodyOptions
	of    *likely
	out   BodyEstimate
	last  []float64 // complete parameters of the last optimum, the start of the next
	steps int
}

func newBodySearch(ctx context.Context, s *estimate.Solution, r *robot.Robot, set *baseparams.Set, opt BodyOptions) (*bodySearch, error) {
	from := opt.Source
	if from == nil {
		from = r
	} else if err := SameTree(r, from); err != nil {
		return nil, fmt.Errorf("prior %s: %w", opt.Name, err)
	}
	if opt.Geometry {
		from = nil
	}
	if opt.Name == "" {
		opt.Name = "robot"
	}
	if opt.Inflation == 0 {
		opt.Inflation = MeanInflation(s)
	}
	set, opt.Given = withGiven(set, opt.Given)
	b := &bodySearch{ctx: ctx, s: s, r: r, set: set, opt: opt, of: likelyBodies(r, from, set.Columns, opt.Name, opt.Drives)}
	for _, g := range opt.Given {
		if g.Column.Term == regressor.Links && g.Column.Param == robot.M {
			b.of.masses.Deviation[g.Column.Link] = 0 // the value replaces the row
		}
	}
	b.of.masses.Total, b.of.masses.TotalDeviation = opt.Total, opt.TotalDeviation
	rows := 0
	for _, n := range s.Rows {
		rows += n
	}
	b.out.Freedom = max(float64(rows)/opt.Inflation-float64(s.Rank), 0)
	b.out.Assumed = slices.Max(append(b.of.masses.Deviation, 0))
	return b, nil
}

// options returns the options for a weight, a factor and the trust in masses.
func (b *bodySearch) options(weight, g float64, trust []float64) Options {
	masses := b.of.masses
	masses.Trust = trust
	return Options{Prior: b.of.scaled(g, b.set.Columns), Weight: weight, Distance: b.opt.Distance, Bounds: b.opt.Bounds, Given: b.opt.Given, Inflation: b.opt.Inflation, Masses: &masses}
}

// optimum is a minimum at which the trust in the masses is consistent with the masses found.
type optimum struct {
	options Options
	value   float64 // of the objective with Student's rows
	squared float64
}

// minimise returns the optimum for a weight and a factor, starting from the last one. The trust in the masses starts at
// one.
func (b *bodySearch) minimise(weight, g float64) (optimum, error) {
	if err := b.ctx.Err(); err != nil {
		return optimum{}, err
	}
	out := optimum{options: b.options(weight, g, nil), value: math.Inf(1)}
	c, full, err := newProgram(b.s, b.r, b.set, out.options)
	if err != nil {
		return optimum{}, err
	}
	for k := range reweights {
		if k > 0 {
			out.options.Masses.Trust = c.trusts(c.inside(b.last), out.options.Masses)
			c.weighMasses(full.Weight, out.options.Masses)
		}
		h := conic.NewSolver(&c.Program)
		if b.last != nil {
			h = conic.NewSolverAt(&c.Program, c.inside(b.last))
		}
		if _, _, err := h.Minimise(loose); err != nil {
			return optimum{}, &ConvergenceError{Reason: err, Iterations: h.Steps, Standard: c.standard(h.Z), Barrier: h.Barrier()}
		}
		b.steps += h.Steps
		b.last = c.complete(h.Z)
		before := out.value
		out.value, out.squared = c.penalised(h.Z, full.Weight, out.options.Masses), c.squared(h.Z)
		if before-out.value < settled || len(c.masses) == 0 {
			break
		}
	}
	return out, nil
}

// knownPart is the relative standard deviation above which a mass is weak.
const knownPart = 0.3

// settled is the decrease of the objective below which the trust in the masses is not updated again.
const settled = 0.01

// inside returns the program's variables for complete parameters, moved into the cones if they are on a boundary.
func (c *program) inside(chi []float64) []float64 {
	const least = 1e-4
	z := c.variables(chi)
	for k := range c.Blocks {
		b := &c.Blocks[k]
		part := b.Variables(z)
		switch b.Kind {
		case conic.Nonnegative:
			part[0] = max(part[0], least)
		case conic.Semidefinite:
			x := conic.Sym4(part)
			if e := conic.NewEigen(&x); e.Min() < least {
				for i := range 4 {
					part[i] += least - e.Min()
				}
			}
		}
	}
	return z
}

// chooseFactor searches for a common factor on all masses of a file, at weight one.
func (b *bodySearch) chooseFactor() error {
	b.out.Factor = 1
	if !b.of.file {
		return nil
	}
	weight := bodyWeights[0]
	if b.opt.Weight > 0 {
		weight = b.opt.Weight
	}
	one, err := b.minimise(weight, 1)
	if err != nil {
		return err
	}
	start, best, at := b.last, one.value, 0.0
	values := map[int]float64{0: one.value}
	for _, sign := range []int{-1, 1} {
		b.last = start
		for k := 1; k <= factorSpan; k++ {
			o, err := b.minimise(weight, math.Exp(float64(sign*k)*factorStep))
			if err != nil {
				break // masses that far from the data; the factors before it stand
			}
			values[sign*k] = o.value
			if o.value < best {
				best, at = o.value, float64(sign*k)
			} else if o.value > best+factorRise {
				break
			}
		}
	}
	b.last = start
	if !(best < one.value-factorGain) {
		return nil
	}
	k := int(at)
	left, okLeft := values[k-1]
	right, okRight := values[k+1]
	if curve := left - 2*best + right; okLeft && okRight && curve > 0 {
		at += (left - right) / curve / 2
	}
	b.out.Factor = math.Exp(at * factorStep)
	return nil
}

// chooseWeight chooses the largest weight within the budget, or the least weight.
func (b *bodySearch) chooseWeight(nearest *Estimate) error {
	c, _, err := newProgram(b.s, b.r, b.set, b.options(1, 1, nil))
	if err != nil {
		return err
	}
	b.out.NearestSquared = c.squared(c.variables(append(slices.Clip(nearest.Standard), valuesOf(b.opt.Given)...)))
	b.out.Budget = torqueBudget * (b.out.Freedom + b.out.NearestSquared)
	weights := bodyWeights
	if !b.of.file {
		weights = weights[len(weights)-geometryOnly:]
	}
	if b.opt.Weight > 0 {
		weights = []float64{b.opt.Weight}
	}
	for _, w := range weights {
		o, err := b.minimise(w, b.out.Factor)
		if err != nil {
			return err
		}
		if b.out.Weight, b.out.Trust = w, o.options.Masses.Trust; o.squared <= b.out.NearestSquared+b.out.Budget {
			break
		}
	}
	return nil
}

// finish solves the program with the choices and reports the result.
func (b *bodySearch) finish() (*BodyEstimate, error) {
	c, opt, err := newProgram(b.s, b.r, b.set, b.options(b.out.Weight, b.out.Factor, b.out.Trust))
	if err != nil {
		return nil, err
	}
	found, h, err := c.nearest(b.s, opt)
	if err != nil {
		return nil, err
	}
	out := &b.out
	out.Estimate, out.FromFile = *found, b.of.file
	out.Squared = c.squared(h.Z)
	if opt.Distance == Geodesic { // its Hessian is that of the entropic distance nearby
		h = conic.NewSolverAt(&c.Program, c.inside(c.complete(h.Z)))
	}
	if err := b.describe(c, h); err != nil {
		return nil, err
	}
	return out, nil
}

// trustIn returns the trust in the mass of a link.
func (c *program) trustIn(link int, trust []float64) float64 {
	if link < len(trust) {
		return trust[link]
	}
	return 1
}

// describe fills in the masses and what the data determine.
func (b *bodySearch) describe(c *program, h *conic.Solver) error {
	type deviations struct{ whole, noData, noBounds float64 }
	var forms []conic.Form
	total := LinkMass{Link: -1, Trust: 1}
	var all []int
	fromGeometry := 0.0
	for n, o := range c.owner {
		if o.Term != regressor.Links || c.at[n][robot.M] >= len(c.set.Columns) {
			continue
		}
		m := LinkMass{Link: o.Link, Mass: c.massOf(h.Z, []int{n}), Trust: c.trustIn(o.Link, b.out.Trust), From: OfGeometry}
		if !b.of.geometry[o.Link] {
			m.From, m.File = OfFile, c.priorMass(n)/b.out.Factor
		} else {
			fromGeometry += m.Mass
		}
		total.Mass, total.File = total.Mass+m.Mass, total.File+m.File
		all = append(all, n)
		forms = append(forms, c.massForm([]int{n}, 1))
		b.out.Masses = append(b.out.Masses, m)
	}
	if len(all) == 0 {
		return nil
	}
	total.From = OfFile
	if fromGeometry > total.Mass/2 {
		total.From = OfGeometry
	}
	forms = append(forms, c.massForm(all, 1))
	// A wider normal distribution has the 95 % interval of Student's.
	masses := MassPrior{Deviation: slices.Clone(b.of.masses.Deviation), Total: b.of.masses.Total, TotalDeviation: b.of.masses.TotalDeviation}
	for i := range masses.Deviation {
		masses.Deviation[i] *= tails
	}
	c.weighMasses(b.out.Weight, &masses)
	found := make([]deviations, len(forms))
	bound := func(row int) bool { return row >= c.Measured || c.total != nil && row == c.total.row }
	for _, v := range []struct {
		keep func(int) bool
		to   func(*deviations) *float64
	}{
		{nil, func(d *deviations) *float64 { return &d.whole }},
		{func(row int) bool { return row >= c.estimated }, func(d *deviations) *float64 { return &d.noData }},
		{func(row int) bool { return !bound(row) }, func(d *deviations) *float64 { return &d.noBounds }},
	} {
		p, err := h.Posterior(v.keep)
		if err != nil {
			return err
		}
		for i := range forms {
			*v.to(&found[i]) = p.Deviation(&forms[i])
		}
		if v.keep == nil {
			b.determined(c, p)
		}
	}
	b.out.Masses = append(b.out.Masses, total)
	for i := range b.out.Masses {
		m, d := &b.out.Masses[i], found[i]
		m.Deviation = d.whole
		if d.noData > 0 {
			m.Share = max(0, 1-d.whole*d.whole/(d.noData*d.noData))
		}
	}
	if by := b.rougher(c, h.Z); by > 1 {
		b.out.Assumed *= by
		weight := b.out.Weight / (by * by)
		w, _, err := newProgram(b.s, b.r, b.set, b.options(weight, b.out.Factor, b.out.Trust))
		if err != nil {
			return err
		}
		w.weighMasses(weight, &masses)
		p, err := conic.NewSolverAt(&w.Program, w.inside(c.complete(h.Z))).Posterior(nil)
		if err != nil {
			return err
		}
		for i := range b.out.Masses {
			m := &b.out.Masses[i]
			m.Deviation = max(m.Deviation, p.Deviation(&forms[i]))
		}
	}
	for i := range b.out.Masses {
		m, d := &b.out.Masses[i], found[i]
		switch {
		case m.Share > 0.5 && m.Deviation <= knownPart*m.Mass:
			m.From = OfData
		case d.whole*d.whole < d.noBounds*d.noBounds/2:
			m.From = OfBounds
		}
	}
	b.out.Masses, b.out.Total = b.out.Masses[:len(forms)-1], b.out.Masses[len(forms)-1]
	return nil
}

// rougher returns by how much the prior's masses are wider spread than assumed, at least one: Birge's ratio of the squares of their
// rows at z to as many as the data determine (MacKay 1992), both beside Student's degrees of freedom of the rows. A prior as much
// wider has the standard deviations of the masses; five masses tell too little of the spread to make standard deviations smaller.
func (b *bodySearch) rougher(c *program, z []float64) float64 {
	square, determined := 0.0, 0.0
	for _, v := range c.masses {
		e := c.massError(z, &v, &b.of.masses)
		square += e * e
	}
	for i := range b.out.Masses {
		if m := &b.out.Masses[i]; m.Link >= 0 && b.of.masses.Deviation[m.Link] > 0 {
			determined += m.Share
		}
	}
	return max(1, math.Sqrt((freedom+square)/(freedom+determined)))
}

// determined counts the base parameters of bodies that the data determine.
func (b *bodySearch) determined(c *program, p *conic.Posterior) {
	for _, i := range b.set.Base {
		if b.set.Columns[i].Term == regressor.Links {
			b.out.Of++
		}
	}
	shares := p.DataShare(c.estimated)
	if c.estimated == len(b.set.Base) {
		for k, share := range shares {
			if b.set.Columns[b.set.Base[k]].Term == regressor.Links {
				b.out.Determined += share
			}
		}
		return
	}
	for _, share := range shares { // of combinations; those of drives are taken as known
		b.out.Determined += share
	}
	b.out.Determined = min(max(b.out.Determined-float64(len(b.set.Base)-b.out.Of), 0), float64(b.out.Of))
}

// LikelyFrom returns the base parameters of Bodies for the least squares of a reduction, and the rank of its rows, as
// accurately as errors on rows left out can show. Without a choice in opt the weight is the least. If opt gives no
// inflation, it is measured. If ctx is done, its error is returned at once.
func LikelyFrom(ctx context.Context, r *estimate.Reduction, weighting estimate.Weighting, rb *robot.Robot, set *baseparams.Set, opt BodyOptions) ([]float64, int, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	solve := r.Solve
	if opt.Inflation != 0 {
		solve = func(w estimate.Weighting, minimumNorm bool) (*estimate.Solution, error) {
			return r.WithoutCovariance(w, minimumNorm)
		}
	}
	s, err := solve(weighting, true)
	if err != nil {
		return nil, 0, err
	}
	x, err := Likely(ctx, s, rb, set, opt)
	return x, s.Rank, err
}

// Likely returns only the base parameters of Bodies.
func Likely(ctx context.Context, s *estimate.Solution, rb *robot.Robot, set *baseparams.Set, opt BodyOptions) ([]float64, error) {
	b, err := newBodySearch(ctx, s, rb, set, opt)
	if err != nil {
		return nil, err
	}
	chosen := BodyChoice{Weight: bodyWeights[len(bodyWeights)-1], Factor: 1}
	if opt.Chosen != nil {
		chosen = *opt.Chosen
	}
	return Nearest(s, rb, b.set, b.options(chosen.Weight, chosen.Factor, chosen.Trust))
}
