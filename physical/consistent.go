package physical

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"ident/baseparams"
	"ident/estimate"
	"ident/physical/internal/conic"
	"ident/robot"
)

// Options of Consistent. Zero fields take their defaults.
type Options struct {
	// Weight of the prior. At one, a body twice the prior's costs as much as an error of about one standard deviation.
	// Parameters that the prior's source does not give have at most NominalWeight.
	Weight float64
	// Margin ε of the constraint J ⪰ ε·J₀ against the prior's pseudo-inertia J₀,
	// independent of frame and units.
	Margin float64
	// Gap is the tolerance of the duality gap, relative to the objective in squared
	// standard deviations or to one, whichever is more.
	Gap float64
	// Prior of the estimate. Nil means the robot's own file, only as a guide: bounds may contradict it. They must not
	// contradict a given prior.
	Prior *Prior
	// Distance from the prior, Entropic if empty.
	Distance Distance
	Bounds   Bounds
	// Given holds parameters of bodies at known values.
	Given []Given
	// Masses adds rows for the links' masses to the bodies of the prior; nil for none. Data and bounds may then
	// contradict the prior.
	Masses *MassPrior
	// AnyFriction leaves friction and other drive parameters free, except rotor inertias: bodies alone are asked.
	AnyFriction bool
	// Inflation of the rows' variance by their correlation, for a solution with too few blocks to tell; 0 means
	// MeanInflation of the solution.
	Inflation float64
}

// NominalWeight is the default weight of a prior. It moves a parameter with a standard deviation of 100 % by a
// ten-thousandth of that standard deviation.
const NominalWeight = 1e-4

// DefaultOptions returns the usual options.
func DefaultOptions() Options {
	return Options{Weight: NominalWeight, Margin: 1e-6, Gap: 1e-8, Distance: Entropic}
}

// WithDefaults returns the options with defaults for zero fields, except Prior and Bounds.
func (o Options) WithDefaults() Options {
	d := DefaultOptions()
	if o.Weight == 0 {
		o.Weight = d.Weight
	}
	if o.Margin == 0 {
		o.Margin = d.Margin
	}
	if o.Gap == 0 {
		o.Gap = d.Gap
	}
	if o.Distance == "" {
		o.Distance = d.Distance
	}
	return o
}

func (o Options) check() error {
	if !(o.Weight > 0) || math.IsInf(o.Weight, 0) || !(o.Margin > 0 && o.Margin < 0.1) || !(o.Gap > 0) {
		return fmt.Errorf("prior weight %g, margin %g, gap %g: all must be positive, and the margin below 0.1", o.Weight, o.Margin, o.Gap)
	}
	_, err := ParseDistance(string(o.Distance))
	return err
}

// Estimate is the feasible estimate nearest to the data.
type Estimate struct {
	Standard []float64 // values of the set's columns: every body feasible, no drive parameter negative
	Base     []float64
	// Possible says that the unconstrained estimate is feasible. Base then equals it, unless the prior has more than its
	// default weight.
	Possible bool
	// Impossibility proves that the unconstrained estimate is infeasible; nil without a proof.
	Impossibility *Impossibility
	// Distance of Base from the unconstrained estimate, in standard deviations (Mahalanobis, with the covariance if the
	// model is true).
	Distance   float64
	Limit      float64 // 95 % quantile of Distance where chance made it
	Objective  float64 // half the squared deviation of the rows from the unconstrained fit, plus the prior's part
	Gap        float64 // upper bound of Objective minus its minimum; zero if the estimate was kept
	PriorShare []float64
	AtBound    []int    // indices of the robot's links whose body is at the boundary of the feasible set
	ZeroDrives []int    // columns of drive parameters at zero
	Held       []string // active bounds
	Nominal    []int    // links without a feasible body in the file
	// Completed holds, by link, bodies of which the model has only some parameters. The others are known to be zero, or
	// act on no torque and are any values that make the body feasible.
	Completed  map[int]robot.Inertial
	Iterations int // Newton steps
}

// ConvergenceError says that the iteration did not converge, and gives its last state.
type ConvergenceError struct {
	Reason     error
	Iterations int
	Standard   []float64 // last iterate: feasible, but not the nearest
	Barrier    float64   // barrier weight that was reached
}

func (e *ConvergenceError) Error() string {
	return fmt.Sprintf("the physically consistent estimate did not converge after %d steps, at barrier weight %.3g: %v", e.Iterations, e.Barrier, e.Reason)
}

func (e *ConvergenceError) Unwrap() error { return e.Reason }

// ErrContradiction is wrapped by the error if a given prior violates the bounds.
var ErrContradiction = errors.New("the prior contradicts the constraints")

// Consistent returns the physically possible standard parameters of r over set
// that are nearest to the estimate s in the metric of its rows:
//
//	minimise ½‖R·(K(χ) − K̂)‖²/σ² + w·Σ D(J‖J₀)   subject to J ⪰ ε·J₀, Ia, Fv, Fs ≥ 0 and the bounds
//
// for every link's pseudo-inertia J, where D is the distance from the prior's
// body J₀. See the package comment. Non-convergence is a *ConvergenceError,
// bounds that cannot hold together an *InfeasibleError, a given prior that violates
// bounds an ErrContradiction.
//
// With at most NominalWeight, an estimate that is possible is kept, and the prior
// chooses only the standard parameters that go with it.
func Consistent(s *estimate.Solution, r *robot.Robot, set *baseparams.Set, opt Options) (*Estimate, error) {
	set, opt.Given = withGiven(set, opt.Given)
	c, opt, err := newProgram(s, r, set, opt)
	if err != nil {
		return nil, err
	}
	out, _, err := c.nearest(s, opt)
	return out, err
}

// newProgram checks the options and builds the program.
func newProgram(s *estimate.Solution, r *robot.Robot, set *baseparams.Set, opt Options) (*program, Options, error) {
	if s.Stack == nil || len(s.X) != len(set.Base) {
		panic("estimate: a solution that is not of this set")
	}
	opt = opt.WithDefaults()
	if err := opt.check(); err != nil {
		return nil, opt, err
	}
	given := opt.Prior != nil
	if !given {
		opt.Prior = NewPrior(r, set.Columns, "robot")
	}
	opt.Prior.check(set)
	if err := opt.Bounds.exclude(opt.Given); err != nil {
		return nil, opt, err
	}
	opt.Prior = opt.Prior.holding(set.Columns, opt.Given)
	if err := opt.Prior.Validate(); err != nil {
		return nil, opt, err
	}
	c, err := assemble(s, r, set, opt)
	if err != nil {
		return nil, opt, err
	}
	if len(c.Constraints) == 0 {
		return c, opt, nil
	}
	if err := opt.Bounds.feasible(r); err != nil {
		return nil, opt, err
	}
	if broken := c.broken(opt.Prior.Mean); given && opt.Masses == nil && len(broken) > 0 {
		return nil, opt, fmt.Errorf("%w: %s breaks %s; change the bounds, or take another prior", ErrContradiction, opt.Prior.Source, strings.Join(broken, "; "))
	}
	return c, opt, nil
}

// nearest solves the program and also returns the solver at the optimum.
func (c *program) nearest(s *estimate.Solution, opt Options) (*Estimate, *conic.Solver, error) {
	h := conic.NewSolver(&c.Program)
	fail := func(reason error) error {
		return &ConvergenceError{Reason: reason, Iterations: h.Steps, Standard: c.standard(h.Z), Barrier: h.Barrier()}
	}
	gap, value, err := h.Minimise(opt.Gap)
	if err != nil {
		return nil, nil, fail(err)
	}
	if err := c.missesGiven(h.Z); err != nil {
		return nil, nil, err
	}
	verdict, chi := c.judge(s, h)
	steps := h.Steps
	if opt.Distance == Geodesic {
		if gap, value, err = c.geodesic(h, opt.Gap); err != nil {
			return nil, nil, fail(err)
		}
		steps = h.Steps
	}
	out := c.found(s, h)
	out.Iterations, out.Possible = steps, verdict == nil && chi != nil
	if out.Impossibility = verdict; out.Possible && opt.Weight <= NominalWeight {
		out.Standard, out.Base, out.Distance = chi[:c.own:c.own], append([]float64(nil), s.X...), 0
		out.AtBound, out.ZeroDrives, out.Held = nil, nil, nil
		return out, h, nil
	}
	out.Objective, out.Gap = value, gap
	return out, h, nil
}
