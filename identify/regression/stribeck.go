package regression

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/estimate"
	"ident/identify/regression/internal/frictionterms"
	"ident/internal/triangle"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// tried is the number of velocities that the search tries, from frictionterms.Slowest up.
const tried = 12

// Bounds of the Gauss-Newton steps that follow: their number, and the relative step that ends them, far below any
// standard deviation of a velocity.
const (
	maxSteps = 12
	settled  = 1e-7
)

// leastStribeck is the amplitude, in its own standard deviations, below which a joint has no Stribeck friction; its
// velocity is then no parameter.
const leastStribeck = 3

// searchStribeck finds the velocities of the Stribeck term, which has no argument. It
// returns the experiment with the term at these velocities, and its base parameters.
// They are the only parameters in which the torques are not linear: for every choice
// of them the others follow by least squares (variable projection, Golub and Pereyra
// 1973). A joint's velocity acts on its own rows alone: one pass for each of a geometric
// series of velocities, all joints having the same, gives each joint its best by the
// residual of its own rows. Gauss-Newton steps with the derivative's columns take all to
// the minimum. Those columns stay in the model, where their parameters are zero: standard deviations then
// count the doubt about the velocities.
func (e *experiment) searchStribeck(ctx context.Context, r *robot.Robot) (*experiment, *baseparams.Set, error) {
	terms := slices.Clone(e.terms)
	at := slices.Index(terms, regressor.Stribeck)
	cfg := e.cfg
	cfg.Model, cfg.Progress = Dynamic, func(string, int, int) {}
	quiet := e.with(cfg)
	joints := len(e.runs[0].Roles.Q)
	v, least := make([]float64, joints), make([]float64, joints)
	var set *baseparams.Set
	for i := range tried {
		speed := frictionterms.Slowest * math.Pow(frictionterms.NextFaster, float64(i))
		all := slices.Repeat([]float64{speed}, joints)
		terms[at] = regressor.StribeckAt(regressor.Stribeck, all)
		own, s, err := quiet.build(ctx, r, terms, set)
		if err != nil {
			return nil, nil, err
		}
		set = s
		rows, err := own.reduce(ctx)
		if err != nil {
			return nil, nil, err
		}
		var work triangle.Work
		for k := range joints {
			if rss := rows.sum.Joint(k, &work).RSS; i == 0 || rss < least[k] {
				v[k], least[k] = speed, rss
			}
		}
		e.cfg.Progress("Stribeck velocities", i+1, tried+maxSteps)
	}
	return e.refineStribeck(ctx, r, e.terms, v, maxSteps, settled)
}

// refineStribeck minimises over the velocities of the Stribeck term, starting from v; terms must name it without an
// argument. It takes at most steps Gauss-Newton steps and ends at a relative step below settled. The derivative's
// columns stay in the model.
func (e *experiment) refineStribeck(ctx context.Context, r *robot.Robot, terms []regressor.Term, v []float64, steps int, settled float64) (*experiment, *baseparams.Set, error) {
	terms = slices.Clone(terms)
	at := slices.Index(terms, regressor.Stribeck)
	cfg := e.cfg
	cfg.Model, cfg.Progress = Dynamic, func(string, int, int) {}
	quiet := e.with(cfg)
	terms = append(terms, "")
	slope := len(terms) - 1
	var set *baseparams.Set
	start := slices.Clone(v)
	for i := range steps {
		terms[at], terms[slope] = regressor.StribeckAt(regressor.Stribeck, v), regressor.StribeckAt(regressor.StribeckV, v)
		own, s, err := quiet.build(ctx, r, terms, set)
		if err != nil {
			return nil, nil, err
		}
		set = s
		rows, err := own.reduce(ctx)
		if err != nil {
			return nil, nil, err
		}
		sol, err := rows.sum.Solve(estimate.WLS, true)
		if err != nil {
			return nil, nil, err
		}
		most := 0.0
		for k, o := range outerOf(set, sol, own.model, v) {
			if !o.found {
				continue
			}
			next := min(max(o.value, start[k]/frictionterms.NextFaster), start[k]*frictionterms.NextFaster)
			most = max(most, math.Abs(next/v[k]-1))
			v[k] = next
		}
		e.cfg.Progress("Stribeck velocities", tried+i+1, tried+maxSteps)
		if most < settled {
			break
		}
	}
	terms[at], terms[slope] = regressor.StribeckAt(regressor.Stribeck, v), regressor.StribeckAt(regressor.StribeckV, v)
	out, set, err := e.build(ctx, r, terms, nil)
	if err != nil {
		return nil, nil, err
	}
	out.searched = true
	return out, set, nil
}

// build returns the experiment with the model of other terms. If set has the same columns, its base parameters are
// reused.
func (e *experiment) build(ctx context.Context, r *robot.Robot, terms []regressor.Term, set *baseparams.Set) (*experiment, *baseparams.Set, error) {
	full, known, err := modelsOf(r, terms, e.cfg.Known)
	if err != nil {
		return nil, nil, err
	}
	if set == nil {
		set = baseparams.QR(full, baseparams.Options{Seed: e.cfg.Seed})
	}
	out := *e
	out.parametrization = parametrization{terms: slices.Clone(terms), model: full.Select(set.Base).Compiled(), known: known}
	out.model, err = followLoops(ctx, out.model, e.runs, e.cfg.Progress)
	return &out, set, err
}

// outer is the estimate of a joint's Stribeck velocity, rad/s or m/s.
type outer struct {
	value, sigma float64
	found        bool // there is such friction
}

// outerOf reads the velocities from a solution with the derivative's columns: with Fstv = Fst·δv the velocity is v +
// Fstv/Fst.
func outerOf(set *baseparams.Set, sol *estimate.Solution, m *regressor.Model, v []float64) []outer {
	out := make([]outer, len(v))
	find := func(term regressor.Term, link int) int {
		return slices.IndexFunc(set.Base, func(c int) bool { return set.Columns[c].Term == term && set.Columns[c].Link == link })
	}
	for k, link := range m.JointLinks() {
		out[k].value = v[k]
		f, d := find(regressor.Stribeck, link), find(regressor.StribeckV, link)
		if f < 0 || d < 0 {
			continue
		}
		x := sol.X[f]
		if sigma := math.Sqrt(sol.Covariance[f][f]); math.Abs(x) <= leastStribeck*sigma || x == 0 {
			continue
		}
		out[k] = outer{v[k] + sol.X[d]/x, math.Sqrt(sol.Covariance[d][d]) / math.Abs(x), true}
	}
	return out
}

// fillOuter writes the velocities of a searched Stribeck term into the result.
func (p *parametrization) fillOuter(res *result.Result, r *robot.Robot, set *baseparams.Set, sol *estimate.Solution) error {
	if !p.searched {
		return nil
	}
	at := slices.IndexFunc(p.terms, func(t regressor.Term) bool { return t.Name() == regressor.Stribeck })
	v, err := regressor.StribeckVelocities(r, p.terms[at])
	if err != nil {
		return err
	}
	for k, o := range outerOf(set, sol, p.model, v) {
		l := &r.Links[p.model.JointLinks()[k]]
		unit := "rad/s"
		if l.Joint.Kind == robot.Prismatic {
			unit = "m/s"
		}
		q := result.OuterParameter{Name: fmt.Sprintf("vs%d", p.model.JointLinks()[k]+1), Joint: l.Joint.Name, Unit: unit, Value: o.value, Sigma: o.sigma, Determined: o.found}
		res.OuterParameters = append(res.OuterParameters, q)
		if !o.found {
			res.Notes = append(res.Notes, fmt.Sprintf("joint %q shows no friction that falls with speed: its Stribeck velocity is not determined", l.Joint.Name))
			continue
		}
		res.Notes = append(res.Notes, fmt.Sprintf("Stribeck velocity of joint %q: %.4g ± %.2g %s", l.Joint.Name, o.value, o.sigma, unit))
	}
	return nil
}
