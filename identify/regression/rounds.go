package regression

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"ident/estimate"
	"ident/identify/regression/internal/frictionterms"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// mostRounds bounds the rounds of decisions. Each round starts from the choices of the last one, so a second one settles
// all but near ties.
const mostRounds = 3

// chooseInRounds decides on bodies, friction terms and the estimator in turn, by the error on rows left out, and repeats
// until nothing changes. Each is compared with the others at their current choice.
func (out *reduced) chooseInRounds(ctx context.Context, r *robot.Robot, wide *estimate.Reduction, f frictionterms.Columns) error {
	own := *out // the model's own terms, from which candidates are described
	own.made = nil
	before, asked := slices.Clone(out.made), out.cfg.Consistent
	chosen := frictionterms.Choice{}.Titled(out.terms)
	for range mostRounds {
		stood, weighting := chosen.Name, out.cfg.Weighting
		out.made = slices.Clone(before)
		cfg := out.cfg
		cfg.Consistent = asked
		out.experiment, out.cross = out.with(cfg), nil
		if cfg.Choices.Consistent && asked == nil && cfg.Estimator == nil {
			if err := out.chooseConsistency(ctx, r); err != nil {
				return nil // the estimate itself explains it
			}
		}
		if err := out.chooseWeight(ctx, r); err != nil {
			return nil // the estimate itself explains it
		}
		if wide != nil {
			var err error
			if chosen, err = out.chooseTerms(ctx, r, &own, wide, f, chosen); err != nil {
				return err
			}
		}
		out.chooseEstimator(ctx, r)
		if err := ctx.Err(); err != nil {
			return err
		}
		if chosen.Name == stood && out.cfg.Weighting == weighting {
			break // terms beside which the bodies were chosen
		}
	}
	return nil
}

// chooseTerms decides on friction terms for the current estimator. own has only the model's own terms; stands is the
// choice that the rows of out contain.
func (out *reduced) chooseTerms(ctx context.Context, r *robot.Robot, own *reduced, wide *estimate.Reduction, f frictionterms.Columns, stands frictionterms.Choice) (frictionterms.Choice, error) {
	own.experiment, own.stands = own.with(out.cfg), candidate{stands.Name, out.cross}
	c, speeds, cross, made := own.chooseFriction(ctx, r, wide, f)
	out.made = append(out.made, made)
	if c.Name == stands.Name || c.Name == "" {
		out.cross = cross
		return stands, nil
	}
	if c.Same() {
		out.experiment, out.set, out.rows, out.cross = own.experiment, own.set, own.rows, cross
		return c, nil
	}
	e, set, err := own.withFriction(ctx, r, c, speeds, own.apart)
	if err != nil {
		return c, err
	}
	rows, err := own.rowsOf(ctx, e, c, f, wide)
	if err != nil {
		return c, err
	}
	before := *out
	out.experiment, out.set, out.rows, out.cross = e, set, rows, cross
	out.rows.sum = out.weighed(rows)
	if found := out.openVelocities(&made); c.Stribeck && found > 0 {
		made.Chosen, made.Why = stands.Name, fmt.Sprintf("with the velocities of the others rows left out are predicted to %.3g %%", found)
		before.made[len(before.made)-1] = made
		*out = before
		return stands, nil
	}
	return c, nil
}

// openVelocities returns the error on rows left out if it is at least twice the least of other terms: a log of few moves
// then leaves the Stribeck velocities open, because rows left out need them from the others. Otherwise it returns 0.
func (d *reduced) openVelocities(made *result.Decision) float64 {
	if d.cfg.Consistent != nil || d.cfg.Estimator != nil {
		return 0
	}
	least := math.Inf(1)
	for _, m := range made.Candidates {
		if !strings.Contains(m.Choice, string(regressor.Stribeck)) {
			least = min(least, m.Percent)
		}
	}
	found, err := d.rows.sum.Parts().CrossValidateBy(d.cfg.free)
	if err == nil && found != nil && found.Percent > 2*least {
		return found.Percent
	}
	return 0
}

// chooseEstimator decides between weighted and ordinary least squares for the bodies and terms as decided. Ordinary
// least squares favours large torques: it is chosen only if it predicts rows left out better in both measures, over all
// joints together and in the mean of the joints' own errors.
func (d *reduced) chooseEstimator(ctx context.Context, r *robot.Robot) {
	if !d.cfg.Choices.Weighting || d.cfg.Estimator != nil {
		return
	}
	parts := d.rows.sum.Parts()
	var all []candidate
	weightings := []estimate.Weighting{estimate.WLS, estimate.OLS}
	for _, w := range weightings {
		cross := d.cross
		if cross == nil || w != d.cfg.Weighting {
			cfg := d.cfg
			cfg.Weighting = w
			least := cfg.free
			if cfg.Consistent != nil {
				sol, err := d.solve(w)
				if err != nil {
					return
				}
				opt := ofWhole(cfg.bodyOptions(), sol)
				bodies, err := d.bodies(ctx, sol, r, d.set, opt)
				if err != nil {
					return
				}
				opt.Chosen = &bodies.BodyChoice
				least = cfg.possible(ctx, r, d.set, opt)
			}
			var err error
			if cross, err = parts.CrossValidateBy(least); err != nil || cross == nil {
				return
			}
		}
		all = append(all, candidate{string(w), cross})
	}
	at, why := 0, "each joint weighted by its own residual: ordinary least squares does not predict rows left out better, both over all joints and in the mean of the joints"
	if equal, own := all[1].cross, all[0].cross; equalWeights(own, equal) {
		at, why = 1, fmt.Sprintf("equal weights for all rows predict rows left out better, by %.2g %% of the error over all joints and %.2g %% of the mean of the joints' own",
			100*(1-equal.Percent/own.Percent), 100*(1-floats.Sum(equal.Joints)/floats.Sum(own.Joints)))
	}
	d.made = append(d.made, decision(result.EstimatorDecision, all, string(weightings[at]), why))
	cfg := d.cfg
	cfg.Weighting = weightings[at]
	d.experiment, d.cross = d.with(cfg), all[at].cross
}

// equalWeights reports whether the errors on rows left out speak for ordinary least squares, equal, against weighted
// ones, own: they must be lower over all joints by bestPart, and not higher in the mean of the joints' own errors. The
// first measure is that of the strong joints. Alone it chose equal weights for a difference of 2 % on arms of which half
// of the joints then had twice the error.
func equalWeights(own, equal *estimate.CrossValidation) bool {
	return own.Percent > rounding && equal.Percent < (1-bestPart)*own.Percent && floats.Sum(equal.Joints) <= floats.Sum(own.Joints)
}
