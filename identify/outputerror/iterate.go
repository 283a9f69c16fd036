package outputerror

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"ident/estimate"
	"ident/simulate/plant"
)

// Bounds of the iteration.
const (
	maxIterations = 30
	// restStep is the step, in standard deviations of each parameter, below which the estimate has converged: printed
	// values have fewer digits.
	restStep = 0.02
	// restMotion is the change of the simulated positions (root mean square, rad or m) below which the estimate has
	// converged whatever its standard deviations: a fiftieth of the simulation's own error, 9e-8 in TestExact, which is
	// all that remains for a noise-free log.
	restMotion = 2e-9
	// settledPart is a threshold: if a step changes the residuals by less than this part, their correlation model is
	// not estimated again. A colour that is estimated again at each step takes up slow residuals, and parameters that
	// these barely determine wander away.
	settledPart = 0.25
	// lastColour is the iteration from which the colour stays.
	lastColour = 8
	// leastPart is the smallest part of a step that is tried.
	leastPart = 1.0 / 64
)

// cost returns the sum of squares of the whitened residuals.
func cost(c *colour, outs []*output) float64 {
	sum := 0.0
	for _, o := range outs {
		for _, x := range c.whiten(o.residual) {
			for _, v := range x {
				sum += v * v
			}
		}
	}
	return sum
}

// iterate goes from a start to the minimum by Gauss-Newton steps, halved until the sum of squares falls.
func (f *fit) iterate(ctx context.Context, p parameters, motions []*motion, report func(string, int, int)) (*Estimate, error) {
	var sol *estimate.Solution
	var last *Estimate
	var noise *colour
	change := math.Inf(1) // of the positions by the last step
	resting := false
	var latest []*output
	for it := range maxIterations {
		report("simulating", it+1, maxIterations)
		outs, err := f.outputs(ctx, motions, p)
		if err != nil {
			return nil, err
		}
		latest = outs
		if it < 2 {
			noise = white(outs)
		} else if it == 2 || change > settledPart*magnitude(outs) && it < lastColour {
			noise = colourOf(outs, f.parts)
		}
		if sol, err = f.step(noise, outs, p); err != nil {
			return nil, err
		}
		if resting = it > 2 && atRest(sol); resting {
			return f.describe(p, sol, motions, outs, it+1), nil
		}
		if it == maxIterations-1 && largest(sol) < 1 {
			last = f.describe(p, unsettled(sol), motions, outs, it+1)
		}
		before := cost(noise, outs)
		var reason error
		part := 1.0
		for ; part >= leastPart; part /= 2 {
			next := f.moved(p, sol.X, part)
			var trial []*motion
			if trial, reason = f.simulateAll(ctx, next); reason != nil {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				continue
			}
			moved := f.residualsOf(trial, next)
			if part == 1 && it > 2 && apart(moved, outs) < restMotion {
				return f.describe(p, sol, motions, outs, it+1), nil
			}
			if after := cost(noise, moved); after <= before*(1+1e-9) {
				p, motions, change = next, trial, apart(moved, outs)
				break
			}
		}
		if part < leastPart {
			if reason == nil && it > 2 {
				// If the law is not the declared one, the sum of squares has no smooth minimum, or a flat one; the tests
				// then say so.
				if e := f.describe(p, unsettled(sol), motions, outs, it+1); largest(sol) < 1 || slices.Max(e.Explained) > refuted || f.law.Forward > 0 && e.NoCommandVelocity() {
					return e, nil
				}
			}
			var inertia *plant.InertiaError
			if f.bordering(p) || errors.As(reason, &inertia) { // an inertia matrix that a short motion makes indefinite is as near to the border
				e := f.describe(p, unsettled(sol), motions, outs, it+1)
				e.Border = true
				return e, nil
			}
			if reason == nil {
				reason = errors.New("no step along the Gauss-Newton direction makes the sum of squares smaller")
			}
			return nil, &estimate.ConvergenceError{Estimator: Name, Iterations: it + 1, Change: largest(sol), X: p.x, Reason: reason.Error() + f.advice(outs)}
		}
	}
	if last != nil {
		return last, nil
	}
	return nil, &estimate.ConvergenceError{Estimator: Name, Iterations: maxIterations, Change: largest(sol), X: p.x, Reason: "the estimate does not come to rest" + f.advice(latest)}
}

// apart returns the root mean square difference of two sets of residuals.
func apart(a, b []*output) float64 {
	sum, count := 0.0, 0
	for i := range a {
		for j, x := range a[i].residual {
			count += len(x)
			for win, v := range x {
				d := v - b[i].residual[j][win]
				sum += d * d
			}
		}
	}
	return math.Sqrt(sum / float64(max(count, 1)))
}

// magnitude returns the root mean square of residuals.
func magnitude(outs []*output) float64 {
	sum, count := 0.0, 0
	for _, o := range outs {
		for _, x := range o.residual {
			count += len(x)
			for _, v := range x {
				sum += v * v
			}
		}
	}
	return math.Sqrt(sum / float64(max(count, 1)))
}

// refuted is the percentage of the errors' power explained by commands from which the law is not the declared one:
// beyond chance and colour.
const refuted = 5

// advice ends the reason of an iteration that does not converge: the joint whose errors follow the commands most, and what to try.
func (f *fit) advice(outs []*output) string {
	if joint, share := f.unmoved(); joint >= 0 {
		return fmt.Sprintf("; all positions of joint %q are %.4g times its commands: no drive follows so, they were not measured", f.joint(joint), share)
	}
	of := ""
	if explained := f.explainedBy(outs); slices.Max(explained) > refuted {
		most := slices.Index(explained, slices.Max(explained))
		of = fmt.Sprintf("; signals of the commands explain %.0f %% of the errors of joint %q", explained[most], f.joint(most))
	}
	return of + "; try " + f.nextLaw() + " in {controller}, a limit of the drives (limit=…), {bodies} file, or a model with more terms"
}

// exactly is the part of the tracking errors up to which they are a multiple of the commands. Inertia, friction and a delay
// make other errors of any drive, and a spring alone none that an encoder does not drown.
const exactly = 1e-3

// unmoved returns a joint whose tracking errors are a multiple of its commands, and the share of the commands that its
// positions are; -1 if there is none.
func (f *fit) unmoved() (joint int, share float64) {
	for k := range f.joints {
		var rr, re, ee float64
		for _, c := range f.runs {
			for i, r := range c.run.Command[k] {
				e := r - c.run.Position[k][i]
				rr, re, ee = rr+r*r, re+r*e, ee+e*e
			}
		}
		if left := ee - re*re/rr; ee > 0 && rr > 0 && left < exactly*exactly*ee {
			return k, 1 - re/rr
		}
	}
	return -1, 0
}

// Name is the estimator's name.
const Name = "output-error"

// largest returns the longest step of a parameter, in standard deviations of it.
func largest(sol *estimate.Solution) float64 {
	most := 0.0
	for i, v := range sol.X {
		if s := math.Sqrt(sol.Covariance[i][i]); s > 0 {
			most = max(most, math.Abs(v)/s)
		}
	}
	return most
}

func atRest(sol *estimate.Solution) bool { return largest(sol) < restStep }

// unsettled returns a solution whose standard deviations include its step, for an estimate that is less than a
// deviation from rest and comes no nearer: the errors of a noise-free log are those of its digits and of the
// simulation, and their sum of squares is not smooth.
func unsettled(sol *estimate.Solution) *estimate.Solution {
	out := *sol
	out.Covariance = nil
	for i, row := range sol.Covariance {
		row = slices.Clone(row)
		for j := range row {
			row[j] += sol.X[i] * sol.X[j]
		}
		out.Covariance = append(out.Covariance, row)
	}
	return &out
}
