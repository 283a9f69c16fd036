package regression

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"ident/baseparams"
	"ident/estimate"
	"ident/estimate/summary"
	"ident/identify/regression/internal/frictionterms"
	"ident/observation"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// FitSummary identifies from the rows of a summary as Fit does from those of its runs. Parameters, their covariance and every
// decision that falls on reduced rows are those of Fit with the summary's path, to the last bit. Findings of further passes of Fit are
// not in the result, and a note says so; an estimator that needs one is a *RowsError.
func FitSummary(ctx context.Context, r *robot.Robot, terms []regressor.Term, s *summary.Summary, cfg Config) (*Outcome, error) {
	cfg.Fixed, cfg.KeepRows = PathOf(s), KeepAll
	e, set, err := opened(r, terms, s, cfg)
	if err != nil {
		return nil, err
	}
	watch := stopwatch{time.Now()}
	decided := reduced{experiment: e, set: set, apart: true}
	var f frictionterms.Columns
	moving, rest := s.Reduction()
	rows := reduction{sum: moving, rest: rest}
	const held = "the summaries hold no columns of further terms"
	why := held
	if e.cfg.Choices.Terms {
		if no := offersFriction(e, r); no != "" {
			why = no
		}
	}
	if wide := s.Model.Base < len(s.Model.Columns); wide {
		if f, err = offeredColumns(e, r, s); err != nil {
			return nil, err
		}
		if e.cfg.Choices.Terms && why == held {
			decided.wide = rows
		}
		rows = rows.selected(leading(f.Model))
	}
	if e.cfg.Choices.Terms && decided.wide.sum == nil {
		decided.made = append(decided.made, result.Decision{Decision: "terms", Chosen: termList(e.terms), Why: why})
	}
	decided.rows = rows
	if err := decided.choose(ctx, r, f); err != nil {
		return nil, err
	}
	return fitApart(ctx, decided.experiment, r, &decided, watch)
}

// opened returns the experiment of a summary: its runs have clocks but no logs.
func opened(r *robot.Robot, terms []regressor.Term, s *summary.Summary, cfg Config) (*experiment, *baseparams.Set, error) {
	cfg = cfg.withDefaults(nil)
	if err := cfg.validate(); err != nil {
		return nil, nil, err
	}
	if len(s.Runs) == 0 {
		return nil, nil, errors.New("a summary without runs cannot be fitted")
	}
	full, known, err := modelsOf(r, terms, cfg.Known)
	if err != nil {
		return nil, nil, err
	}
	set := baseparams.QR(full, baseparams.Options{Seed: cfg.Seed, Immobile: cfg.Immobile, Rows: cfg.Measured(full.JointLinks())})
	if set.Count() != s.Model.Base {
		return nil, nil, fmt.Errorf("the summary has %d base parameters, its robot %d: it was made by another version", s.Model.Base, set.Count())
	}
	for k := range set.Base {
		if set.Name(k) != s.Model.Columns[k] {
			return nil, nil, fmt.Errorf("the summary's base parameter %s is %s for its robot: it was made by another version", s.Model.Columns[k], set.Name(k))
		}
	}
	e := &experiment{cfg: cfg, parametrization: parametrization{terms: terms, model: full.Select(set.Base).Compiled(), known: known}, training: len(s.Runs), likely: new([]likelyBodies), solved: new([]solvedRows)}
	e.choice, e.rest = cfg.Fixed.choice(), cfg.RestRule
	for i, run := range s.Runs {
		e.runs = append(e.runs, Run{Name: run.Name, First: run.First, Last: run.Last, State: observation.State{Gains: s.Processing.Gains}})
		e.fingerprints = append(e.fingerprints, run.Prints[:min(len(run.Prints), 512)])
		seg := observation.Segment{Run: i, T0: run.Start, DT: 1 / run.Rate, Uniform: !run.Resampled, N: 1 + int(math.Round(run.Seconds*run.Rate))}
		e.segments = append(e.segments, slices.Repeat([]observation.Segment{seg}, max(1, run.Segments)))
	}
	own := shape(cfg.Model, e.model)
	if len(own) != len(s.Model.Masks) {
		return nil, nil, fmt.Errorf("the summary has %d equations, its robot %d: it was made by another version", len(s.Model.Masks), len(own))
	}
	for k, mask := range own {
		if len(s.Model.Masks[k]) < len(mask) || !slices.Equal(s.Model.Masks[k][:len(mask)], mask) {
			return nil, nil, fmt.Errorf("equation %d of the summary has other columns than its robot: it was made by another version", k+1)
		}
	}
	return e, set, nil
}

// offeredColumns describes the additional columns of a summary.
func offeredColumns(e *experiment, r *robot.Robot, s *summary.Summary) (frictionterms.Columns, error) {
	f := frictionterms.Columns{Model: s.Model.Base, Joints: e.model.Joints(), Resolved: make([]int, e.model.Joints()), Viscous: viscousOf(e.model)}
	if offered := s.Model.Offered; len(offered) > 0 {
		e.cfg.Choices.Offered = nil
		for _, t := range offered {
			e.cfg.Choices.Offered = append(e.cfg.Choices.Offered, regressor.Term(t))
		}
		var err error
		if f.More, err = regressor.NewDynamic(r, e.cfg.Choices.Offered); err != nil {
			return f, fmt.Errorf("offered terms: %w", err)
		}
	}
	for _, run := range s.Runs {
		for k, at := range run.ResolvedSpeeds {
			if k < len(f.Resolved) {
				f.Resolved[k] = max(f.Resolved[k], at)
			}
		}
	}
	if !slices.Equal(f.Names(), s.Model.Columns[s.Model.Base:]) {
		return f, errors.New("the summary's columns of further terms do not match its robot: another version of ident made it")
	}
	return f, nil
}

// fitApart estimates from the decided rows without another pass over the logs.
func fitApart(ctx context.Context, e *experiment, r *robot.Robot, decided *reduced, watch stopwatch) (*Outcome, error) {
	set, rows := decided.set, decided.rows
	sol, err := e.estimate(ctx, r, set, decided)
	if errors.Is(err, estimate.ErrPasses) {
		return nil, &RowsError{"the estimator " + sol.estimator, "it changes them"}
	}
	if err != nil {
		return nil, explain(err, set, e.cfg.Trim)
	}
	out := &Outcome{Base: set, Reduction: rows.sum, Solution: sol.Solution, Seconds: watch.seconds(), cross: decided.cross}
	out.OwnError = ownError(sol.Solution, out.Reduction, gainsOf(set).Columns)
	res := &out.Result
	x, err := outline(ctx, e, r, out, sol, decided.made)
	if err != nil {
		return nil, err
	}
	res.Notes = append(res.Notes, "decided by the summaries alone: the bias by noise of the motion, terms that the model may lack, residuals and errors on torques as logged need the rows of the logs")
	describeLoad(e, r, out, sol, x, rows.sum, nil)
	if err := res.DescribePeriodic(r, e.terms, set, sol.Solution); err != nil {
		return nil, err
	}
	res.Fit = errorsOf(rows, x)
	if res.Diagnosis, err = e.diagnose(ctx, r, out, nil); err != nil {
		return nil, err
	}
	if err := annotate(res, &e.cfg, e.segments[0][0].DT); err != nil {
		return nil, err
	}
	res.Judge(result.DefaultLimits())
	return out, nil
}
