package regression

import (
	"context"
	"fmt"

	"ident/physical"
	"ident/robot"
)

// StatisticalWeight is the prior weight at which a relative change of a body by one costs as much as a torque error of
// one standard deviation. Model errors that recur with the motion count as such errors.
const StatisticalWeight = 1

// Part of the error by which bodies farther from the robot file must predict runs, or stretches of a single run, that are left out better. The rest of a
// run knows the motion of its stretches: on runs of a KUKA LWR such bodies predict their own run better by 4 and 6 %, and other runs from 3 % better to
// 15 % worse; on parts of three logs of a UR10e they predict the other parts by 10 % better, 43 and 60 % worse.
const (
	weightPart        = 0.05
	weightPartStretch = 2 * weightPart
)

// chooseWeight decides whether a feasible estimate uses StatisticalWeight where the torque budget gives a smaller
// weight. The budget only counts training torques, and likelier bodies predict better if a motion determines little.
// Rows left out decide, by simplestOfBest: the bodies nearer to the file stay unless the others predict better by more
// than one standard error and weightPart or weightPartStretch.
func (d *reduced) chooseWeight(ctx context.Context, r *robot.Robot) error {
	cfg := d.cfg
	if !cfg.Choices.Consistent || cfg.Consistent == nil || cfg.Consistent.Weight != 0 || cfg.Prior != nil || cfg.Estimator != nil {
		return nil
	}
	sol, err := d.solve(d.cfg.Weighting)
	if err != nil {
		return err
	}
	opt := ofWhole(cfg.bodyOptions(), sol)
	bodies, err := d.bodies(ctx, sol, r, d.set, opt)
	if err != nil || !bodies.FromFile || bodies.Weight >= StatisticalWeight {
		return nil // the estimate itself explains it
	}
	drawn := opt
	drawn.Weight = StatisticalWeight
	closer, err := d.bodies(ctx, sol, r, d.set, drawn)
	if err != nil {
		return nil
	}
	parts := d.rows.sum.Parts()
	var all []candidate
	for _, b := range []*physical.BodyEstimate{closer, bodies} {
		opt.Chosen = &b.BodyChoice
		cross := d.cross
		if cross == nil || b == closer {
			if cross, err = parts.CrossValidateBy(cfg.possible(ctx, r, d.set, opt)); err != nil || cross == nil {
				return nil
			}
		}
		all = append(all, candidate{fmt.Sprint(b.Weight), cross})
	}
	part := weightPart
	if all[0].cross.By == "stretch" {
		part = weightPartStretch
	}
	if best := simplestOfBest(all); all[0].cross.Percent > (1+part)*all[best].cross.Percent {
		d.cross = all[best].cross
		d.made = append(d.made, decision("prior-weight", all, all[best].name, "the largest that raises the torque error by at most 1 %; bodies nearer to those of the robot file predict rows left out worse"))
		return nil
	}
	d.made = append(d.made, decision("prior-weight", all, all[0].name, fmt.Sprintf("nearer to the bodies of the robot file, which predicts rows left out no worse, within a standard error or %g %%", 100*part)))
	own := *cfg.Consistent
	own.Weight = StatisticalWeight
	cfg.Consistent = &own
	d.experiment, d.cross = d.with(cfg), all[0].cross
	return nil
}
