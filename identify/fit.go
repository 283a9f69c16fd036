package identify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"ident/baseparams"
	"ident/estimate"
	"ident/regressor"
	"ident/robot"
)

// errEnough ends a reading that has all that it needs.
var errEnough = errors.New("enough")

// Outcome is a result and what else an identification leaves behind.
type Outcome struct {
	Result    estimate.Result
	Residuals []estimate.ResidualRun
	Base      *baseparams.Set
	Reduction *estimate.Reduction
	Solution  *estimate.Solution
	Dropped   int // rows left out under DropBad
	// Seconds is what the pass over the training runs and the estimate took, and
	// OwnError what the estimate leaves of its own model's rows, percent.
	Seconds  float64
	OwnError float64

	blocks []blockID // of the reduction
}

// Fit identifies a robot's base parameters from training runs and measures the
// errors on them and on validation runs, which play no part in the estimate.
func Fit(ctx context.Context, r *robot.Robot, terms []regressor.Term, train, validate []Run, cfg Config) (*Outcome, error) {
	e, set, dropped, err := begin(ctx, r, terms, train, validate, cfg)
	if err != nil {
		return nil, err
	}
	out, err := e.fit(ctx, r, e.terms, set)
	if err != nil {
		return nil, err
	}
	out.Dropped = dropped
	return out, nil
}

// begin finds the base parameters of a robot's model and opens the runs.
func begin(ctx context.Context, r *robot.Robot, terms []regressor.Term, train, validate []Run, cfg Config) (e *experiment, set *baseparams.Set, dropped int, err error) {
	cfg = cfg.withGains(terms).withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, nil, 0, err
	}
	if len(train) == 0 {
		return nil, nil, 0, errors.New("no log to fit")
	}
	full, fixed, values, err := ModelOf(r, terms, cfg.Known)
	if err != nil {
		return nil, nil, 0, err
	}
	set = baseparams.QR(full, baseparams.Options{Seed: cfg.Seed, Still: cfg.Still, Rows: cfg.Measured(full.JointLinks())})
	e = &experiment{cfg: &cfg, model: full.Select(set.Base).Compiled(), runs: append(append([]Run(nil), train...), validate...), training: len(train),
		terms: terms, fixed: fixed, fixedValues: values}
	opened := new(Outcome)
	if err = e.open(ctx, opened); err != nil {
		return nil, nil, 0, err
	}
	if err = e.leaks(ctx); err != nil {
		return nil, nil, 0, err
	}
	if slices.Contains(terms, regressor.Stribeck) {
		if set, err = e.searchStribeck(ctx, r); err != nil {
			return nil, nil, 0, fmt.Errorf("looking for Stribeck velocities: %w", explain(err, set, e))
		}
	}
	return e, set, opened.Dropped, nil
}

// fit identifies from opened runs.
func (e *experiment) fit(ctx context.Context, r *robot.Robot, terms []regressor.Term, set *baseparams.Set) (*Outcome, error) {
	model, out := e.model, &Outcome{Base: set}
	watch := cost{time.Now()}
	var err error
	if out.Reduction, out.blocks, err = e.reduce(ctx, nil); err != nil {
		return nil, err
	}
	sol, err := e.estimate(ctx, r, out)
	if err != nil {
		return nil, explain(err, set, e)
	}
	original := out.Reduction
	if sol.Linear != nil {
		out.Reduction = sol.Linear // what judges rows from here on is of the linear family
	}
	out.Solution, out.Seconds, out.OwnError = sol, watch.seconds(), ownError(sol, out.Reduction)
	res := &out.Result
	e.fill(res, r, terms)
	rows := 0
	for _, n := range out.Reduction.Rows() {
		rows = max(rows, n)
	}
	res.Samples.Used = rows
	res.Warnings = append(res.Warnings, set.Warnings...)
	if sol.Rank < model.Joints() || sol.Rank < len(set.Base) {
		res.Warnings = append(res.Warnings, fmt.Sprintf("the data determine %d of %d base parameters; the estimate is the smallest in scaled columns", sol.Rank, len(set.Base)))
	}
	x, err := e.physical(r, out, sol)
	if err != nil {
		return nil, err
	}
	res.Explain(sol)
	e.describeLoad(r, out, sol, x, original)
	if err := e.fillOuter(res, r, set, sol); err != nil {
		return nil, err
	}
	e.listen()
	e.testBias(ctx, r, out)
	res.BiasTest = e.bias
	if err := e.compare(ctx, x, out); err != nil {
		return nil, err
	}
	if err := e.diagnose(ctx, out); err != nil {
		return nil, err
	}
	if err := e.annotate(res); err != nil {
		return nil, err
	}
	res.Judge(estimate.DefaultLimits())
	return out, nil
}

// explain names what is not determined.
func explain(err error, set *baseparams.Set, e *experiment) error {
	var rank *estimate.RankError
	if errors.As(err, &rank) {
		names := ""
		for i, c := range rank.Undetermined {
			if i == 12 {
				names += ", …"
				break
			}
			if i > 0 {
				names += ", "
			}
			names += set.Name(c)
		}
		return fmt.Errorf("%w; not determined alone: %s;%s add runs that move the joints concerned, lock joints that stand still (--lock JOINT=VALUE), leave out terms (--terms), or take the smallest solution with --minimum-norm", err, names, unseenGains(set, rank.Undetermined))
	}
	if errors.Is(err, estimate.ErrNoData) {
		return fmt.Errorf("%w after cutting %g s from both ends and filtering; give more data or a smaller --trim", err, e.cfg.Trim)
	}
	return err
}

// Predict measures the errors of given base parameters on runs, without a fit:
// what `ident validate` does. It returns the errors of all runs and of each, and
// what was done to the signals.
func Predict(ctx context.Context, r *robot.Robot, terms []regressor.Term, set *baseparams.Set, x []float64, runs []Run, cfg Config) (*estimate.Validation, estimate.Processing, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, estimate.Processing{}, err
	}
	full, fixed, values, err := ModelOf(r, terms, cfg.Known)
	if err != nil {
		return nil, estimate.Processing{}, err
	}
	out := &Outcome{Base: set}
	e := &experiment{cfg: &cfg, model: full.Select(set.Base).Compiled(), runs: runs, fixed: fixed, fixedValues: values}
	if err := e.open(ctx, out); err != nil {
		return nil, estimate.Processing{}, err
	}
	if err := e.compare(ctx, x, out); err != nil {
		return nil, estimate.Processing{}, err
	}
	e.fill(&out.Result, r, terms)
	return out.Result.Validation, out.Result.Processing, nil
}
