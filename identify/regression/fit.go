package regression

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/hint"
	"ident/internal/triangle"
	"ident/observation"
	"ident/physical"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// Outcome is the Result together with the reduction, solution and residuals that it was computed from.
type Outcome struct {
	Result    result.Result
	Residuals []result.ResidualRun
	Base      *baseparams.Set
	Reduction *estimate.Reduction
	Solution  *estimate.Solution
	Dropped   int     // number of rows left out under DropBad
	Seconds   float64 // computing time of the pass over the training runs and of the estimate
	OwnError  float64 // residual of the model's own rows, as percent of the measurement vector's norm

	blocks   []blockID                 // of the reduction
	added    []*triangle.Factor        // of the lack-of-fit test, by joint
	cross    *estimate.CrossValidation // of the estimator, nil where none was computed
	possible *physical.BodyOptions     // of a physically consistent estimate, with the prior and its weight
	bodiless bool                      // the search for feasible bodies near the estimate failed
}

// ErrNothingUnknown is wrapped by the error of a fit without any unknown parameter that acts on a measured torque.
var ErrNothingUnknown = errors.New("no parameter of the model acts on a measured torque")

// Fit identifies a robot's base parameters from training runs. It measures the errors on them and on the validation
// runs, which do not affect the estimate.
func Fit(ctx context.Context, r *robot.Robot, terms []regressor.Term, train, validate []Run, cfg Config) (*Outcome, error) {
	e, set, err := begin(ctx, r, terms, train, validate, cfg)
	if err != nil {
		return nil, err
	}
	return e.fit(ctx, r, set)
}

// begin finds the base parameters of a robot's model and opens the runs.
func begin(ctx context.Context, r *robot.Robot, terms []regressor.Term, train, validate []Run, cfg Config) (*experiment, *baseparams.Set, error) {
	cfg = cfg.withGains(terms).withDefaults(train)
	if err := cfg.validate(); err != nil {
		return nil, nil, err
	}
	if len(train) == 0 {
		return nil, nil, errors.New("no log to fit")
	}
	full, known, err := modelsOf(r, terms, cfg.Known)
	if err != nil {
		return nil, nil, err
	}
	if known.Model != nil {
		if err := checkKnown(known.Model.Columns(), known.Values, cfg.KnownSigma); err != nil {
			return nil, nil, err
		}
	}
	set := baseparams.QR(full, baseparams.Options{Seed: cfg.Seed, Immobile: cfg.Immobile, Rows: cfg.Measured(full.JointLinks())})
	if set.Count() == 0 {
		return nil, nil, fmt.Errorf("robot %q: %w: its links have no mass or parameters that are known to be zero; write their unknowns into the robot file, or choose other terms", r.Name, ErrNothingUnknown)
	}
	p := parametrization{terms: terms, model: full.Select(set.Base).Compiled(), known: known}
	e, err := open(ctx, cfg, p, slices.Concat(train, validate), len(train))
	if err != nil {
		return nil, nil, err
	}
	if e.fingerprints, e.rowPrints, err = observation.Leaks(ctx, e.runs, e.training); err != nil {
		return nil, nil, err
	}
	if slices.Contains(terms, regressor.Stribeck) {
		found, set, err := e.searchStribeck(ctx, r)
		if err != nil {
			return nil, nil, fmt.Errorf("looking for Stribeck velocities: %w", explain(err, set, cfg.Trim))
		}
		return found, set, nil
	}
	return e, set, nil
}

// outline writes the model, its choices and the estimate into the result. It returns the parameters to use: those of
// feasible bodies if the configuration asks for them.
func outline(ctx context.Context, e *experiment, r *robot.Robot, out *Outcome, sol estimated, made []result.Decision) ([]float64, error) {
	res := &out.Result
	e.describe(res, r, sol.estimator)
	res.Selection = append(slices.Clone(e.recording.made), made...)
	res.Samples.Used = slices.Max(append(out.Reduction.Rows(), 0))
	res.Warnings = append(res.Warnings, out.Base.Warnings...)
	if sol.Rank < e.model.Joints() || sol.Rank < len(out.Base.Base) {
		res.Warnings = append(res.Warnings, fmt.Sprintf("the data determine %d of %d base parameters; the estimate is the one of minimum norm, with columns scaled to unit norm", sol.Rank, len(out.Base.Base)))
	}
	x, err := e.consistent(ctx, r, out, sol.Solution)
	if err != nil {
		return nil, err
	}
	res.DescribeNotes(sol.Solution)
	return x, nil
}

// drawnPrior returns the base parameters of the robot file, with zero for each that the file lacks. It returns nil if
// the file gives none, or if drive gains are unknown too.
func drawnPrior(e *experiment, res *result.Result, x []float64) []float64 {
	if len(res.BaseParameters) != len(x) || e.model.Needs()&regressor.NeedCurrent != 0 {
		return nil
	}
	file, known := make([]float64, len(x)), false
	for k, b := range res.BaseParameters {
		file[k] = b.Prior
		known = known || b.HasPrior
	}
	if !known {
		return nil
	}
	return file
}

// explain adds the names of the undetermined parameters to err; trim is in seconds.
func explain(err error, set *baseparams.Set, trim float64) error {
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
		gains, of := unseenGains(set, rank.Undetermined)
		return hint.New("%w; not determined alone: %s;"+gains+" add runs that move these joints, lock joints that stand ({lock} JOINT=VALUE), leave out terms ({terms}), or take the smallest solution ({minimum-norm})", append([]any{err, names}, of...)...)
	}
	if errors.Is(err, estimate.ErrNoData) {
		return hint.New("%w after cutting %g s from both ends and filtering; give more data or a smaller {trim}", err, trim)
	}
	return err
}

// Predict measures the errors of given base parameters on runs, without a fit. It returns the errors of all runs and of
// each, and the settings of the signal path.
func Predict(ctx context.Context, r *robot.Robot, terms []regressor.Term, set *baseparams.Set, x []float64, runs []Run, cfg Config) (*result.Validation, result.Processing, error) {
	v, p, _, err := PredictSeries(ctx, r, terms, set, x, runs, cfg)
	return v, p, err
}

// PredictSeries does the same as Predict and also returns the measured and predicted torques, for plots.
func PredictSeries(ctx context.Context, r *robot.Robot, terms []regressor.Term, set *baseparams.Set, x []float64, runs []Run, cfg Config) (*result.Validation, result.Processing, []result.ResidualRun, error) {
	cfg = cfg.withDefaults(runs)
	if err := cfg.validate(); err != nil {
		return nil, result.Processing{}, nil, err
	}
	full, known, err := modelsOf(r, terms, cfg.Known)
	if err != nil {
		return nil, result.Processing{}, nil, err
	}
	if len(set.Columns) != len(full.Columns()) || len(x) != len(set.Base) {
		return nil, result.Processing{}, nil, hint.New("the model has %d parameters and the result %d: {known} must list the same parameters as in the fit", len(full.Columns()), len(set.Columns))
	}
	e, err := open(ctx, cfg, parametrization{terms: terms, model: full.Select(set.Base).Compiled(), known: known}, runs, 0)
	if err != nil {
		return nil, result.Processing{}, nil, err
	}
	if e.cfg.Rest == RestAuto {
		e = e.with(e.cfg.resting(RestDrop))
	}
	figures, err := e.compare(ctx, x, nil, nil)
	if err != nil {
		return nil, result.Processing{}, nil, err
	}
	return figures.validation, e.processing(r), figures.residuals, nil
}
