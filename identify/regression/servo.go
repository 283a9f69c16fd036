package regression

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/hint"
	"ident/regressor"
	"ident/robot"
	"ident/simulate/servo"
)

// Servo describes the controller that moved the robot: its law and the channels of its reference. Estimators that
// simulate the motion need it.
type Servo struct {
	Controller servo.Controller
	Reference  []string // channels of the reference positions, one for each joint
	Velocity   []string // channels of the reference velocities; nil to compute them from the positions
	Smooth     []float64
}

// ServoMethod is an estimator that simulates the robot under its controller.
type ServoMethod string

// The estimators that simulate the motion (Gautier, Janot and Vandanjon 2013).
const (
	IV    ServoMethod = "iv"    // instruments from the simulated motion
	DIDIM ServoMethod = "didim" // least squares on the simulated motion, repeated
	CLIE  ServoMethod = "clie"  // fit the simulated torque to the measured one
	CLOE  ServoMethod = "cloe"  // fit the simulated positions to the measured ones
	ML    ServoMethod = "ml"    // fit both, weighted by each joint's noise: maximum likelihood
	Auto  ServoMethod = "auto"  // weighted least squares, or iv if a test finds that least squares is biased
)

// ErrNoServo is wrapped by the error of an estimator that needs a controller if none is given.
var ErrNoServo = errors.New("the controller is not known")

// ByServo returns the choice of an estimator that simulates the robot under its controller.
func ByServo(method ServoMethod) Choice {
	return func(r *robot.Robot, set *baseparams.Set) (estimate.Estimator, error) {
		return &servoEstimator{method: method, robot: r, set: set}, nil
	}
}

// servoEstimator estimates with the experiment's controller. The experiment must be the Rows of the problem.
type servoEstimator struct {
	method ServoMethod
	robot  *robot.Robot
	set    *baseparams.Set
}

// Name returns the method's name.
func (s *servoEstimator) Name() string { return string(s.method) }

// Estimate simulates the training runs under their controller until the estimate converges. It holds one run in memory
// at a time, and the simulated ones. It starts from weighted least squares, or from the robot file if that has no
// forward dynamics.
func (s *servoEstimator) Estimate(ctx context.Context, p *estimate.Problem) (*estimate.Solution, error) {
	e, ok := p.Rows.(*experiment)
	if !ok {
		return nil, estimate.ErrPasses
	}
	out, err := s.estimate(ctx, e, p)
	return out.Solution, err
}

// estimate is Estimate with the name and the bias test of the solution.
func (s *servoEstimator) estimate(ctx context.Context, e *experiment, p *estimate.Problem) (estimated, error) {
	if e.cfg.Servo == nil && s.method == Auto {
		return leastSquares(p, nil)
	}
	if e.cfg.Servo == nil {
		return estimated{}, hint.New("%w: %s simulates the motion under it; give its gains with {controller} and its reference with {reference}", ErrNoServo, s.method)
	}
	if e.cfg.Model != Dynamic || len(s.robot.Loops) > 0 || e.known.Model != nil {
		return estimated{}, fmt.Errorf("%s needs the dynamic model of a robot without loops, with no parameter known or locked", s.method)
	}
	if e.needs() != 0 {
		return estimated{}, fmt.Errorf("%s simulates the motion from positions and the controller alone: terms of measured torques, currents, wrenches, payloads or contacts have no part in it", s.method)
	}
	loop, err := newServoLoop(ctx, e)
	if err != nil {
		return estimated{}, err
	}
	x, err := s.first(p, loop)
	if err != nil {
		return estimated{}, err
	}
	switch s.method {
	case IV, DIDIM:
		return s.fixedPoint(ctx, loop, x)
	case Auto:
		byInstruments := &servoEstimator{IV, s.robot, s.set}
		out, err := byInstruments.fixedPoint(ctx, loop, x)
		if err != nil {
			return estimated{}, err
		}
		if out.bias != nil && out.bias.Biased() {
			out.estimator = "auto:iv"
			return out, nil
		}
		return leastSquares(p, out.bias)
	}
	sol, err := s.gaussNewton(ctx, loop, x)
	return estimated{Solution: sol, estimator: s.Name()}, err
}

// leastSquares returns the result of Auto without a controller or without bias.
func leastSquares(p *estimate.Problem, bias *estimate.Endogeneity) (estimated, error) {
	sol, err := p.Reduction.Solve(estimate.WLS, p.MinimumNorm)
	return estimated{sol, "auto:wls", bias}, err
}

// testBias tests a least-squares estimate for bias, if the controller is known. If the simulation fails, it returns a
// note instead.
func testBias(ctx context.Context, e *experiment, r *robot.Robot, out *Outcome) (test *estimate.Endogeneity, notes []string) {
	if e.cfg.Servo == nil || e.cfg.Model != Dynamic {
		return nil, nil
	}
	s := &servoEstimator{IV, r, out.Base}
	iv, err := s.estimate(ctx, e, &estimate.Problem{Reduction: out.Reduction, Rows: e})
	if err != nil {
		return nil, []string{"least squares was not tested for bias: " + err.Error()}
	}
	return iv.bias, nil
}

// first returns an initial estimate that can be simulated.
func (s *servoEstimator) first(p *estimate.Problem, loop *servoLoop) ([]float64, error) {
	plain, err := p.Reduction.Solve(estimate.WLS, false)
	if err != nil {
		return nil, err
	}
	if _, err = loop.simulate(plain.X, false); err == nil {
		return plain.X, nil
	}
	first := err
	own := fileParameters(s.robot, s.set)
	if _, err = loop.simulate(own, false); err == nil {
		return own, nil
	}
	return nil, fmt.Errorf("%s needs feasible parameters as its start; least squares: %w; the robot file's values: %w", s.method, first, err)
}

// Bounds of the estimators that simulate; each iteration simulates every run.
const (
	servoIterations = 40
	// A step smaller than servoStep standard deviations in every parameter ends the iteration: printed values have
	// fewer digits. A noise-free log has no standard deviations; there servoRounding, the rounding of the motion's
	// differences relative to the estimate, decides.
	servoStep     = 1e-2
	servoRounding = 1e-6
	// Iterates that cycle within servoCycle standard deviations, or from which no step helps, count as converged.
	// Simulated joints stop and turn back in steps, so the sum of squares is smooth only down to such changes.
	servoCycle = 0.1
)

// fixedPoint repeats least squares on the simulated motion (DIDIM), or with it as instruments (IV), at the parameters of
// the previous iteration.
func (s *servoEstimator) fixedPoint(ctx context.Context, loop *servoLoop, x []float64) (estimated, error) {
	change := math.Inf(1)
	var out estimated
	for range servoIterations {
		motions, err := loop.simulate(x, false)
		if err != nil {
			return estimated{}, s.stopped(err, change, x)
		}
		out = estimated{estimator: s.Name()}
		if s.method == IV {
			out.Solution, out.bias, err = loop.instrumental(ctx, motions)
		} else {
			out.Solution, err = loop.onSimulated(ctx, motions)
		}
		if err != nil {
			return estimated{}, err
		}
		var done bool
		if change, done = atRest(x, out.Solution); done {
			out.Stack = nil
			return out, nil
		}
		x = out.X
	}
	if change <= servoCycle {
		out.Stack = nil
		return out, nil
	}
	return estimated{}, &estimate.ConvergenceError{Estimator: string(s.method), Iterations: servoIterations, Change: change, X: x, Reason: "the estimate does not come to rest"}
}

// gaussNewton fits the simulated output to the measured one: torque, position or both, each joint weighted by its
// residual. It halves a step until the sum of squares falls.
func (s *servoEstimator) gaussNewton(ctx context.Context, loop *servoLoop, x []float64) (*estimate.Solution, error) {
	motions, err := loop.simulate(x, true)
	if err != nil {
		return nil, s.stopped(err, math.Inf(1), x)
	}
	change := math.Inf(1)
	var last *estimate.Solution
	for range servoIterations {
		scales := loop.deviations(s.method, motions)
		cost := loop.cost(s.method, motions, scales)
		sol, err := loop.step(ctx, s.method, motions, x, scales)
		if err != nil {
			return nil, err
		}
		var done bool
		if change, done = atRest(x, sol); done {
			sol.Stack = nil
			return sol, nil
		}
		last = sol
		part, reason := 1.0, error(nil)
		for ; part > 1e-3; part /= 2 {
			next := slices.Clone(x)
			for i := range next {
				next[i] += part * (sol.X[i] - x[i])
			}
			var trial []*servoMotion
			if trial, reason = loop.simulate(next, true); reason == nil && loop.cost(s.method, trial, scales) <= cost*(1+1e-12) {
				x, motions = next, trial
				break
			}
		}
		if part <= 1e-3 {
			if reason == nil && change <= servoCycle {
				break
			}
			if reason == nil {
				reason = errors.New("no step along the Gauss-Newton direction makes the sum of squares smaller")
			}
			return nil, s.stopped(reason, change, x)
		}
	}
	if change <= servoCycle {
		last.Stack = nil
		return last, nil
	}
	return nil, &estimate.ConvergenceError{Estimator: string(s.method), Iterations: servoIterations, Change: change, X: x, Reason: "the estimate does not come to rest"}
}

// stopped returns the error for an iterate that has no successor.
func (s *servoEstimator) stopped(reason error, change float64, x []float64) error {
	return &estimate.ConvergenceError{Estimator: string(s.method), Change: change, X: x, Reason: reason.Error()}
}

// atRest returns the largest change from the last estimate x, in standard deviations of the new one, and whether it is
// negligible.
func atRest(x []float64, sol *estimate.Solution) (change float64, ok bool) {
	ok = true
	size := 0.0
	for _, v := range sol.X {
		size = max(size, math.Abs(v))
	}
	for i, v := range sol.X {
		d, sigma := math.Abs(v-x[i]), math.Sqrt(sol.Covariance[i][i])
		if d == 0 {
			continue
		}
		change = max(change, d/max(sigma, math.SmallestNonzeroFloat64))
		ok = ok && d <= max(servoStep*sigma, servoRounding*size)
	}
	return change, ok
}

// fileParameters returns the base parameters of the robot file.
func fileParameters(r *robot.Robot, set *baseparams.Set) []float64 {
	chi := make([]float64, len(set.Columns))
	for i, c := range set.Columns {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	return set.FromStandard(chi)
}
