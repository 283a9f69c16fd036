package identify

import (
	"context"
	"fmt"

	"ident/physical"
	"ident/regressor"
	"ident/robot"
)

// The prior as a choice.
const (
	noPrior  = "none"
	ownPrior = "robot"
)

// StatisticalWeight of a prior: relative changes of a body by one weigh as much as an error of the
// torques by a standard deviation, model errors that come back with the motion included.
const StatisticalWeight = 1

// priorPart is the least part of the error on rows left out that a prior has to take away. Any
// bodies lower the variance of an estimate from poor data: those of forty times the mass lowered the error
// of 8 s of a three-joint arm by 1.5 %, its own by 6 %.
const priorPart = 0.02

// choosePrior decides whether a possible estimate is drawn to the bodies of the robot's own file, at
// StatisticalWeight. A prior takes parameters away and adds none, so it fits no noise, and the error on
// rows left out decides without its standard error.
func (d *reduced) choosePrior(ctx context.Context, r *robot.Robot) error {
	cfg := d.cfg
	none := func(why string) error {
		d.made = append(d.made, decision("prior", nil, noPrior, why))
		return nil
	}
	switch {
	case !cfg.Choices.Prior || cfg.Prior != nil || cfg.Estimator != nil:
		return nil
	case cfg.Consistent == nil:
		return none("it is offered to possible estimates only")
	case cfg.Consistent.Prior != nil || cfg.Consistent.Weight != 0:
		return nil
	}
	known := false
	for i, given := range physical.NewPrior(r, d.set.Columns, ownPrior).Known {
		known = known || given && d.set.Columns[i].Term == regressor.Links
	}
	if !known {
		return none("the robot file gives no possible bodies")
	}
	sol, err := d.solve()
	if err != nil {
		return err
	}
	drawn, parts := *cfg.Consistent, d.rows.sum.Parts()
	drawn.Weight = StatisticalWeight
	var all []candidate
	for _, c := range []struct {
		name string
		opt  physical.Options
	}{{noPrior, *cfg.Consistent}, {ownPrior, drawn}} {
		cross := d.cross
		if c.name == ownPrior || cross == nil {
			cross, err = parts.CrossValidateBy(cfg.possible(ctx, r, d.set, ofWhole(c.opt, sol)))
		}
		if err != nil || cross == nil {
			return none("no part of the rows can be left out")
		}
		all = append(all, candidate{c.name, cross})
	}
	d.cross = all[0].cross
	if !(all[1].cross.Percent < (1-priorPart)*all[0].cross.Percent) {
		d.made = append(d.made, decision("prior", all, noPrior, "the bodies of the robot file do not lower the error on rows left out by a relevant part"))
		return nil
	}
	d.made = append(d.made, decision("prior", all, ownPrior, fmt.Sprintf("at weight %d the bodies of the robot file lower the error on rows left out", StatisticalWeight)))
	cfg.Consistent = &drawn
	d.experiment, d.cross = d.with(cfg), all[1].cross
	return nil
}
