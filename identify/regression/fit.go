package regression

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

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

// fit identifies the base parameters from an opened experiment.
func (e *experiment) fit(ctx context.Context, r *robot.Robot, set *baseparams.Set) (*Outcome, error) {
	watch := stopwatch{time.Now()}
	decided, err := e.decide(ctx, r, set)
	if err != nil {
		return nil, err
	}
	e, set, rows := decided.experiment, decided.set, decided.rows
	sol, err := e.estimate(ctx, r, set, &decided)
	if err != nil {
		return nil, explain(err, set, e.cfg.Trim)
	}
	noise, err := motionNoise(ctx, e, rows.sum, sol.Solution)
	if err != nil {
		return nil, err
	}
	sol, corrected, err := e.correct(ctx, r, set, &decided, noise, sol)
	if err != nil {
		return nil, explain(err, set, e.cfg.Trim)
	}
	rows = decided.rows
	known, err := decided.given(ctx, r, sol.X, corrected)
	if err != nil {
		return nil, err
	}
	ofRows := *sol.Solution // errors of gains are in measured and predicted torques alike
	sol, doubt, err := withGainDoubt(ctx, e, rows.sum, sol)
	if err != nil {
		return nil, err
	}
	seconds := watch.seconds()
	pair, err := e.motionPair(ctx, sol.Solution)
	if err != nil {
		return nil, err
	}
	noise.Widen(sol.Solution)
	pair.Widen(sol.Solution)
	expected := sol.Covariance // of other motions: errors of the model are not those of parameters there
	lacking := e.modelErrors(rows.added, set, sol)
	lacking.Widen(sol.Solution)
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if g := known[name]; g.Change != nil {
			sol.Solution = widened(sol.Solution, [][]float64{g.Change})
		}
	}
	left := e.leaveOut(rows.sum, sol)
	result.WidenForParts(sol.Solution, left)
	out := &Outcome{Base: set, Reduction: rows.sum, Solution: sol.Solution, Dropped: e.dropped, Seconds: seconds, blocks: rows.blocks, added: rows.added}
	out.cross = decided.cross
	if sol.Linear != nil {
		if out.cross == nil && e.cfg.Estimator != nil && !e.cfg.Plain {
			out.cross = e.crossValidate(ctx, r, out)
		}
		out.Reduction = sol.Linear // rows are judged from here on by those of the linear family
	}
	out.OwnError = ownError(sol.Solution, out.Reduction, gainsOf(set).Columns)
	res := &out.Result
	x, err := outline(ctx, e, r, out, sol, decided.made)
	if err != nil {
		return nil, err
	}
	res.DescribeLeftOut(left)
	if doubt != nil {
		doubts, notes := result.DescribeGainDoubts(res.Joints, doubt.sigma, doubt.found, doubt.deviation, doubt.part, sol.Covariance)
		res.GainDoubts, res.Notes = doubts, append(res.Notes, notes...)
	}
	describeLoad(e, r, out, sol, x, rows.sum, known)
	if err := errors.Join(e.fillOuter(res, r, set, sol.Solution), res.DescribePeriodic(r, e.terms, set, sol.Solution)); err != nil {
		return nil, err
	}
	res.MotionNoise, res.MotionPair, res.ModelErrors, res.BiasTest = noise, pair, lacking, sol.bias
	if noise.Declined != "" {
		res.Notes = append(res.Notes, "the correction for noise of the measured motion was tried and declined: "+noise.Declined)
	}
	if sol.bias == nil {
		test, note := testBias(ctx, e, r, out)
		res.BiasTest, res.Notes = test, append(res.Notes, note...)
	}
	tests := startResidualTests(&e.cfg, e.model.Joints(), float64(comparedEvery(e, 0))*e.segments[0][0].DT)
	figures, err := e.compare(ctx, x, drawnPrior(e, res, x), tests)
	if err != nil {
		return nil, err
	}
	out.Residuals, res.Fit, res.Validation = figures.residuals, *figures.fit, figures.validation
	if doubt != nil {
		expected = ofRows.Covariance
	}
	res.Expected = expectedError(e.model, e.known, e.cfg.Seed, r, &figures.reach, e.still(), x, expected)
	if res.Diagnosis, err = e.diagnose(ctx, r, out, tests); err != nil {
		return nil, err
	}
	if err := annotate(res, &e.cfg, e.segments[0][0].DT); err != nil {
		return nil, err
	}
	if e.known.Model != nil {
		refuted, err := e.refutedKnown(ctx, r)
		if err != nil {
			return nil, err
		}
		res.DoubtKnown(doubtedKnown(r, e.known.Model.Columns(), e.known.Values), refuted)
	}
	res.Judge(result.DefaultLimits())
	return out, nil
}

// leaveOut returns what leaving out short parts of the rows does to a least-squares estimate of them; nil for others.
func (e *experiment) leaveOut(rows *estimate.Reduction, sol estimated) *estimate.LeftOut {
	if e.cfg.Plain || e.cfg.Estimator != nil || sol.Stack == nil || sol.Linear != nil {
		return nil
	}
	return rows.LeaveOut(sol.Solution, sol.Covariance, e.cfg.Seed)
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
		return hint.New("%w; not determined alone: %s;"+gains+" add runs that move the joints concerned, lock joints that stand still ({lock} JOINT=VALUE), leave out terms ({terms}), or take the smallest solution with {minimum-norm}", append([]any{err, names}, of...)...)
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
