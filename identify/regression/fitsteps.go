package regression

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"ident/baseparams"
	"ident/estimate"
	"ident/result"
	"ident/robot"
)

// fitting is a fit on its way from an opened experiment to its outcome. Each step reads what the steps before it have found.
type fitting struct {
	reduced // the experiment that was decided on, its base parameters and rows
	robot   *robot.Robot
	begun   stopwatch
	seconds float64 // until the estimate stood

	sol       estimated // the deviations are widened from step to step
	corrected func(*estimate.Reduction) *estimate.Reduction
	known     map[string]result.KnownValue
	doubt     *gainDoubt
	noise     *result.MotionNoise
	pair      *result.MotionPair
	lacking   *result.ModelErrors
	left      *estimate.LeftOut
	others    *estimate.Solution // whose covariance is that of predictions of other motions

	x     []float64 // the parameters to use
	tests *residualTests
	out   *Outcome
}

// fitSteps are the steps of a fit, in order.
func fitSteps() []func(*fitting, context.Context) error {
	return []func(*fitting, context.Context) error{
		(*fitting).decideOnModel,
		(*fitting).estimateRows,
		(*fitting).correctMotionNoise,
		(*fitting).takeKnown,
		(*fitting).doubtGains,
		(*fitting).widen,
		(*fitting).collect,
		(*fitting).describe,
		(*fitting).testBias,
		(*fitting).compareRuns,
		(*fitting).diagnoseResiduals,
		(*fitting).judge,
	}
}

// fit identifies the base parameters from an opened experiment.
func (e *experiment) fit(ctx context.Context, r *robot.Robot, set *baseparams.Set) (*Outcome, error) {
	f := &fitting{reduced: reduced{experiment: e, set: set}, robot: r, begun: stopwatch{time.Now()}}
	for _, step := range fitSteps() {
		if err := step(f, ctx); err != nil {
			return nil, err
		}
	}
	return f.out, nil
}

// decideOnModel reduces the rows and takes the decisions that the configuration leaves to the training data.
func (f *fitting) decideOnModel(ctx context.Context) (err error) {
	f.reduced, err = f.decide(ctx, f.robot, f.set)
	return err
}

// estimateRows estimates the base parameters from the rows.
func (f *fitting) estimateRows(ctx context.Context) (err error) {
	if f.sol, err = f.estimate(ctx, f.robot, f.set, &f.reduced); err != nil {
		return explain(err, f.set, f.cfg.Trim)
	}
	return nil
}

// correctMotionNoise takes the bias from the estimate, and from the rows, that the noise of the measured motion has made.
func (f *fitting) correctMotionNoise(ctx context.Context) (err error) {
	if f.noise, err = motionNoise(ctx, f.experiment, f.rows.sum, f.sol.Solution); err != nil {
		return err
	}
	if f.sol, f.corrected, err = f.correct(ctx, f.robot, f.set, &f.reduced, f.noise, f.sol); err != nil {
		return explain(err, f.set, f.cfg.Trim)
	}
	return nil
}

// takeKnown finds what deviations of known values change.
func (f *fitting) takeKnown(ctx context.Context) (err error) {
	f.known, err = f.given(ctx, f.robot, f.sol.X, f.corrected)
	return err
}

// doubtGains adds the uncertainty of drive gains. Their errors are in measured and predicted torques alike, so that predictions of other
// motions do not have it.
func (f *fitting) doubtGains(ctx context.Context) (err error) {
	ofRows := *f.sol.Solution
	if f.sol, f.doubt, err = withGainDoubt(ctx, f.experiment, f.rows.sum, f.sol); err != nil {
		return err
	}
	if f.seconds = f.begun.seconds(); f.doubt != nil {
		f.others = &ofRows
	}
	return nil
}

// widen widens the deviations by what the rows alone do not show.
func (f *fitting) widen(ctx context.Context) (err error) {
	if f.pair, err = f.motionPair(ctx, f.sol.Solution); err != nil {
		return err
	}
	f.noise.Widen(f.sol.Solution)
	f.pair.Widen(f.sol.Solution)
	if f.others == nil { // errors of the model are not those of parameters for other motions
		f.others = &estimate.Solution{Covariance: f.sol.Covariance}
	}
	f.lacking = f.modelErrors(f.rows.added, f.set, f.sol)
	f.lacking.Widen(f.sol.Solution)
	for _, name := range slices.Sorted(maps.Keys(f.known)) {
		if g := f.known[name]; g.Change != nil {
			f.sol.Solution = widened(f.sol.Solution, [][]float64{g.Change})
		}
	}
	f.left = f.leaveOut()
	result.WidenForParts(f.sol.Solution, f.left)
	return nil
}

// leaveOut returns what leaving out short parts of the rows does to a least-squares estimate of them; nil for others.
func (f *fitting) leaveOut() *estimate.LeftOut {
	if f.cfg.Plain || f.cfg.Estimator != nil || f.sol.Stack == nil || f.sol.Linear != nil {
		return nil
	}
	return f.rows.sum.LeaveOut(f.sol.Solution, f.sol.Covariance, f.cfg.Seed)
}

// collect makes the outcome of the estimate.
func (f *fitting) collect(ctx context.Context) error {
	f.out = &Outcome{Base: f.set, Reduction: f.rows.sum, Solution: f.sol.Solution, Dropped: f.dropped, Seconds: f.seconds, blocks: f.rows.blocks, added: f.rows.added, cross: f.cross}
	if f.sol.Linear != nil {
		if f.cross == nil && f.cfg.Estimator != nil && !f.cfg.Plain {
			f.out.cross = f.crossValidate(ctx, f.robot, f.out)
		}
		f.out.Reduction = f.sol.Linear // rows are judged from here on by those of the linear family
	}
	f.out.OwnError = ownError(f.sol.Solution, f.out.Reduction, gainsOf(f.set).Columns)
	return nil
}

// describe writes the model, the estimate and its doubts into the result.
func (f *fitting) describe(ctx context.Context) (err error) {
	res := &f.out.Result
	if f.x, err = outline(ctx, f.experiment, f.robot, f.out, f.sol, f.made); err != nil {
		return err
	}
	res.DescribeLeftOut(f.left)
	if d := f.doubt; d != nil {
		doubts, notes := result.DescribeGainDoubts(res.Joints, d.sigma, d.found, d.deviation, d.part, f.sol.Covariance)
		res.GainDoubts, res.Notes = doubts, append(res.Notes, notes...)
	}
	describeLoad(f.experiment, f.robot, f.out, f.sol, f.x, f.rows.sum, f.known)
	if err := errors.Join(f.fillOuter(res, f.robot, f.set, f.sol.Solution), res.DescribePeriodic(f.robot, f.terms, f.set, f.sol.Solution)); err != nil {
		return err
	}
	res.MotionNoise, res.MotionPair, res.ModelErrors, res.BiasTest = f.noise, f.pair, f.lacking, f.sol.bias
	if f.noise.Declined != "" {
		res.Notes = append(res.Notes, "the correction for noise of the measured motion was tried and declined: "+f.noise.Declined)
	}
	return nil
}

// testBias tests least squares by instruments, if the estimator has not.
func (f *fitting) testBias(ctx context.Context) error {
	if f.sol.bias == nil {
		res := &f.out.Result
		test, note := testBias(ctx, f.experiment, f.robot, f.out)
		res.BiasTest, res.Notes = test, append(res.Notes, note...)
	}
	return nil
}

// compareRuns compares predicted with measured torques in all runs.
func (f *fitting) compareRuns(ctx context.Context) error {
	res := &f.out.Result
	f.tests = startResidualTests(&f.cfg, f.model.Joints(), float64(comparedEvery(f.experiment, 0))*f.segments[0][0].DT)
	figures, err := f.compare(ctx, f.x, drawnPrior(f.experiment, res, f.x), f.tests)
	if err != nil {
		return err
	}
	f.out.Residuals, res.Fit, res.Validation = figures.residuals, *figures.fit, figures.validation
	res.Expected = expectedError(f.model, f.experiment.known, f.cfg.Seed, f.robot, &figures.reach, f.still(), f.x, f.others.Covariance)
	return nil
}

// diagnoseResiduals tests what the estimate leaves of the torques.
func (f *fitting) diagnoseResiduals(ctx context.Context) (err error) {
	res := &f.out.Result
	if res.Diagnosis, err = f.diagnose(ctx, f.robot, f.out, f.tests); err != nil {
		return err
	}
	return annotate(res, &f.cfg, f.segments[0][0].DT)
}

// judge doubts known values and gives the result its verdicts and its grade.
func (f *fitting) judge(ctx context.Context) error {
	res := &f.out.Result
	var refuted []string
	if known := f.experiment.known; known.Model != nil {
		var err error
		if refuted, err = f.refutedKnown(ctx, f.robot); err != nil {
			return err
		}
		res.DoubtKnown(doubtedKnown(f.robot, known.Model.Columns(), known.Values), refuted)
	}
	bounds, err := f.refutedBounds(ctx)
	if err != nil {
		return err
	}
	contradicted := res.InertiaMatrix != nil && res.InertiaMatrix.Indefinite() || res.Bodies != nil && res.Bodies.DistanceSigma > res.Bodies.LimitSigma
	if (f.out.bodiless || contradicted) && len(refuted) == 0 { // bodies near a refuted estimate say nothing of the other values
		values, err := f.knownWithoutBodies(ctx, f.robot)
		if err != nil {
			return err
		}
		if len(values) > 0 {
			with := ", with which no feasible bodies were found near this log; without, some were"
			if !f.out.bodiless {
				with = ", with which chance does not explain how far the log is from feasible bodies; without, it does"
			}
			bounds = append(bounds, (&BoundsError{Given: values}).values()+with)
		}
	}
	res.DoubtBounds(bounds)
	res.Judge(result.DefaultLimits())
	return nil
}
