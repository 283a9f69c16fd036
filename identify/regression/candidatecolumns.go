package regression

import (
	"context"
	"fmt"

	"ident/baseparams"
	"ident/estimate"
	"ident/regressor"
	"ident/robot"
)

// Candidates are columns that reduced rows have beside those of the model, so that choices and tests among them need no other pass.
type Candidates struct {
	// Friction adds asymmetric and Stribeck friction of every joint, at the velocities that are offered, and the terms of Laws.
	Friction bool
	Laws     []regressor.Term
	// Coupled adds velocity, acceleration and sign of the velocity of the joints before and behind, by which a drive acts on its neighbour.
	Coupled bool
	// Torque are columns that read the torque by Estimate, one number for each base parameter. Time counts from the middle of a run.
	Torque   []regressor.TorqueColumn
	Estimate []float64
}

// Factors are all runs of an experiment, reduced once: a triangular factor for each run, time block and joint, over the columns of the
// base parameters and the candidates. Models of some of the columns, estimates, folds and tests follow from them without the rows. The
// bits are the same for any number of workers.
type Factors struct {
	Set   *baseparams.Set // base parameters of the model
	Names []string        // of all columns, those of the base parameters first
	Rows  *estimate.Reduction
	// AtRest holds the blocks of the rows at rest that Rows leaves out, without joints where there are none.
	AtRest []estimate.TimeBlock
}

// Reduce reduces all runs once. It wants the dynamic model; candidates of friction want one of an open chain with Fv, Fs and Fo.
func Reduce(ctx context.Context, r *robot.Robot, terms []regressor.Term, runs []Run, cfg Config, c Candidates) (*Factors, error) {
	e, set, err := begin(ctx, r, terms, runs, nil, cfg)
	if err != nil {
		return nil, err
	}
	if e.cfg.Model != Dynamic {
		return nil, fmt.Errorf("candidates are columns of the dynamic model, not of the model %q", e.cfg.Model)
	}
	w := &wide{model: set.Count(), torque: c.Torque, estimate: c.Estimate}
	if c.Coupled {
		w.beside = neighbours(e.model.Joints())
	}
	if len(c.Torque) > 0 && len(c.Estimate) != set.Count() {
		return nil, fmt.Errorf("columns of the torque want an estimate of %d base parameters, not of %d", set.Count(), len(c.Estimate))
	}
	for _, of := range c.Torque {
		if n := e.model.Joints(); of.Joint < 0 || of.Joint >= n || of.Of < 0 || of.Of >= n {
			return nil, fmt.Errorf("the column %v names a joint that the model, with %d, does not have", of, n)
		}
	}
	if c.Friction {
		if why := offersFriction(e, r); why != "" {
			return nil, fmt.Errorf("candidates of friction: %s", why)
		}
		f, err := e.frictionColumns(r, c.Laws)
		if err != nil {
			return nil, err
		}
		w.friction = &f
	}
	rows, err := e.reduceWide(ctx, w)
	if err != nil {
		return nil, err
	}
	out := &Factors{Set: set, Rows: rows.sum, AtRest: rows.rest}
	for k := range set.Base {
		out.Names = append(out.Names, set.Name(k))
	}
	out.Names = append(out.Names, w.names()...)
	return out, nil
}
