package estimate

import (
	"fmt"
	"math"

	"ident/baseparams"
	"ident/robot"
)

// ConsistentOptions steer Solution.Consistent. Zero values take the defaults.
type ConsistentOptions struct {
	// Weight of the prior. At one, a body that is twice the prior's costs what
	// an error of about a standard deviation does.
	Weight float64
	// Margin ε of the constraint J ⪰ ε·J₀ against the prior's pseudo-inertia J₀:
	// the same whatever frame and units a body is written in.
	Margin float64
	// Gap that is asked for, relative to the objective in squared deviations or
	// to one, whichever is more.
	Gap float64
}

// DefaultConsistentOptions returns the usual options: a prior that decides what the data
// leave open and moves what they determine to a relative deviation of 100 % by
// a ten-thousandth of that deviation.
func DefaultConsistentOptions() ConsistentOptions {
	return ConsistentOptions{Weight: 1e-4, Margin: 1e-6, Gap: 1e-8}
}

func (o ConsistentOptions) withDefaults() ConsistentOptions {
	d := DefaultConsistentOptions()
	if o.Weight == 0 {
		o.Weight = d.Weight
	}
	if o.Margin == 0 {
		o.Margin = d.Margin
	}
	if o.Gap == 0 {
		o.Gap = d.Gap
	}
	return o
}

// Consistent is the estimate that is nearest to the data among those that
// bodies and drives can have.
type Consistent struct {
	Standard []float64 // of the set's columns: every body possible, no drive negative
	Base     []float64
	// Possible tells that the unconstrained estimate is possible as it is: Base
	// is then the same.
	Possible bool
	// Distance of Base from the unconstrained estimate, in standard deviations
	// (Mahalanobis, with the solution's covariance).
	Distance   float64
	Objective  float64 // half the squared deviation of the rows from the unconstrained fit, and the prior's part
	Gap        float64 // bound on how far Objective is above its minimum; zero where Possible
	PriorShare []float64
	AtBound    []int // links whose body is at the border of the possible, as indices into the robot's links
	ZeroDrives []int // columns of drive parameters at zero
	Nominal    []int // links of which the file gives no possible body
	Iterations int   // Newton steps
}

// ConsistencyError says that the iteration has not converged, and where it was.
type ConsistencyError struct {
	Reason     error
	Iterations int
	Standard   []float64 // the last iterate: possible, but not the nearest
	Barrier    float64   // barrier weight that was reached
}

func (e *ConsistencyError) Error() string {
	return fmt.Sprintf("the physically consistent estimate did not converge after %d steps: %v", e.Iterations, e.Reason)
}

func (e *ConsistencyError) Unwrap() error { return e.Reason }

// Consistent finds the physically possible standard parameters of r over set
// that are nearest to the estimate s in the metric of its rows:
//
//	minimise ½‖R·(K(χ) − K̂)‖²/σ² + w·Σ D(J‖J₀)   subject to J ⪰ ε·J₀ and Ia, Fv, Fs ≥ 0
//
// for every link's pseudo-inertia J, where D is the log-determinant divergence
// from the robot file's body J₀. See the package comment. Non-convergence is a
// *ConsistencyError.
func (s *Solution) Consistent(r *robot.Robot, set *baseparams.Set, opt ConsistentOptions) (*Consistent, error) {
	if s.Stack == nil || len(s.X) != len(set.Base) {
		panic("estimate: a solution that is not of this set")
	}
	opt = opt.withDefaults()
	if !(opt.Weight > 0) || !(opt.Margin > 0 && opt.Margin < 0.1) || !(opt.Gap > 0) {
		return nil, fmt.Errorf("prior weight %g, margin %g, gap %g: they are positive, and the margin below 0.1", opt.Weight, opt.Margin, opt.Gap)
	}
	c, err := newConsistency(s, r, set, opt)
	if err != nil {
		return nil, err
	}
	h := newPath(&c.program)
	fail := func(reason error) (*Consistent, error) {
		return nil, &ConsistencyError{Reason: reason, Iterations: h.steps, Standard: c.standard(h.z), Barrier: h.mu}
	}
	if err := h.to(opt.Weight, opt.Weight); err != nil {
		return fail(err)
	}
	// Is the estimate itself possible? The bodies that are near it say so: at
	// the prior's weight as a rule, else with a weight that falls to nothing.
	probe, before := *h, math.Inf(1)
	for w := opt.Weight; ; w /= 100 {
		if err := probe.to(w, w); err != nil {
			break // the path to it may fail where the path to a possible one would not
		}
		if chi := set.Lift(s.X, c.standard(probe.z)); c.possible(chi) {
			h.steps = probe.steps
			return c.unchanged(s, &probe, chi), nil
		}
		// The prior's pull on a possible estimate falls with its weight, that
		// of a constraint stays.
		now := c.objective(probe.z, 0)
		if now > before/2 || w < opt.Weight*1e-10 {
			break
		}
		before = now
	}
	h.steps = probe.steps
	// m·μ below the gap asked for, with room for the decrement.
	mu := h.mu
	for range 3 {
		value := c.objective(h.z, opt.Weight)
		mu = min(mu, opt.Weight, opt.Gap*max(1, value)/(2*max(c.degree, 1)))
		if err := h.to(opt.Weight, mu); err != nil {
			return fail(err)
		}
		if h.gap() <= opt.Gap*max(1, c.objective(h.z, opt.Weight)) {
			return c.found(s, h, opt), nil
		}
		mu /= 10
	}
	return fail(fmt.Errorf("the duality gap stays at %.3g", h.gap()))
}
