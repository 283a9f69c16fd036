package regression

import (
	"fmt"
	"slices"

	"ident/estimate"
	"ident/internal/triangle"
	"ident/observation"
	"ident/regressor"
	"ident/result"
)

// Values of Config.Rest: what happens to rows of joints at rest.
const (
	RestAuto  = "auto" // leave rows at rest out, unless rows in motion are predicted better with them
	RestKeep  = "keep"
	RestDrop  = "drop"
	restWeigh = "weigh" // of RestAuto: for parameters that rows in motion do not determine, by package atrest
)

// restDefault resolves Rest as far as the configuration alone decides it.
func (c *Config) restDefault() {
	if c.Rest == "" {
		c.Rest = RestAuto
		if c.Plain {
			c.Rest = RestKeep
		}
	}
	// A simulated motion includes the rest, and other models have no rows of a single joint at a single time.
	if c.Rest == RestAuto && (c.Model != Dynamic || c.Servo != nil) {
		c.Rest = RestKeep
	}
}

// keepRest keeps rows at rest unless the user has set otherwise.
func (c *Config) keepRest() {
	if c.Rest == "" || c.Rest == RestAuto {
		c.Rest = RestKeep
	}
}

// restRule returns the rule that detects rest from the noise of the runs, or nil if rest is kept. Joints that do not
// move on purpose are exempt: they show no friction.
func (c *Config) restRule(noise [][]observation.JointNoise, model *regressor.Model) *observation.RestRule {
	if c.Rest == RestKeep {
		return nil
	}
	var rule observation.RestRule
	if c.RestRule != nil {
		rule = observation.RestRule{Range: c.RestRule.Range, Seconds: slices.Clone(c.RestRule.Seconds)}
	} else {
		rule = observation.NewRestRule(noise, c.Cutoff)
	}
	for k, l := range model.JointLinks() {
		if slices.Contains(c.Immobile, l) || slices.Contains(c.Unactuated, l) {
			rule.Seconds[k] = 0
		}
	}
	return &rule
}

// still reports which joints stand in all training runs.
func (r *recording) still() []bool {
	out := make([]bool, len(r.noise[0]))
	for k := range out {
		out[k] = observation.StandInAll(r.noise, k)
	}
	return out
}

// resting returns the configuration after a decision on rows at rest.
func (c Config) resting(rest string) Config {
	if c.Rest = rest; rest == RestKeep {
		c.RestRule = nil
	}
	return c
}

// restRows counts the rows at rest outside r.sum, by joint.
func (r *reduction) restRows() []int {
	out := make([]int, len(r.sum.Masks()))
	for _, b := range r.rest {
		for k, f := range b.Joints {
			out[k] += f.Rows
		}
	}
	return out
}

// whole returns the reduction of all rows, including those at rest.
func (r *reduction) whole() *estimate.Reduction {
	if r.all != nil {
		return r.all
	}
	if !slices.ContainsFunc(r.rest, func(b estimate.TimeBlock) bool { return b.Joints != nil }) {
		return r.sum
	}
	out := estimate.NewReduction(r.sum.Columns(), r.sum.Masks())
	var work triangle.Work
	for i, b := range r.sum.Blocks() {
		if still := r.rest[i].Joints; still != nil {
			b.Joints = slices.Clone(b.Joints)
			for k, f := range still {
				b.Joints[k] = b.Joints[k].Clone()
				b.Joints[k].Merge(f, &work)
			}
		}
		out.Append(b)
	}
	return out
}

// chooseRest decides whether rows at rest are left out. all must hold the rows of moving and those at rest. At rest,
// friction has any value up to Coulomb's and its sign is noise. So rows at rest are kept only if they make the
// prediction of moving rows left out better by more than a standard error, or if the moving rows are too few to
// determine the parameters.
func (d *reduced) chooseRest(all, moving *estimate.Reduction, rest []int) (string, *result.Decision) {
	if slices.Max(append(rest, 0)) == 0 {
		return RestDrop, nil
	}
	decided := func(chosen, why string, candidates ...candidate) (string, *result.Decision) {
		made := decision("rest", candidates, chosen, why)
		for i := range made.Candidates {
			made.Candidates[i].Figure = result.CrossValidatedMotion
		}
		return chosen, &made
	}
	if !regressor.HasDry(d.terms) {
		return decided(RestKeep, "no friction of the model has a sign")
	}
	without, with := estimate.PartsAlike(moving, all)
	_, rank, err := with.Minimum(d.cfg.Weighting)
	if err != nil {
		return decided(RestKeep, "the rows determine nothing")
	}
	if _, own, err := without.Minimum(d.cfg.Weighting); err != nil || own < rank {
		why := fmt.Sprintf("rows in motion alone determine %d of %d parameters", own, rank)
		if d.cfg.Estimator == nil && err == nil && slices.Min(moving.Rows()) > 0 {
			return decided(restWeigh, why+"; those at rest tell the others, without their friction")
		}
		return decided(RestKeep, why)
	}
	keep, err := without.CrossValidateOn(with, d.cfg.free)
	if err != nil || keep == nil {
		return decided(RestDrop, "no part of the rows can be left out: friction at rest is not that of motion")
	}
	drop, err := without.CrossValidateBy(d.cfg.free)
	if err != nil || drop == nil {
		return decided(RestKeep, "rows in motion alone do not determine the parameters without a part of them")
	}
	candidates := []candidate{{RestKeep, keep}, {RestDrop, drop}}
	// No prediction at all leaves 100 %: a part of the rows in motion alone tells some parameters.
	canWeigh := d.cfg.Estimator == nil && slices.Min(moving.Rows()) > 0
	if drop.Percent > 100 && canWeigh {
		return decided(restWeigh, "rows in motion alone do not determine the parameters without a part of them; those at rest tell the others, without their friction", candidates...)
	}
	if mean, deviation := drop.Excess(keep); mean > deviation {
		return decided(RestKeep, "rows at rest help to predict rows in motion, by more than a standard error", candidates...)
	}
	for k, open := range oneWay(moving, restColumnsOf(d.model.Columns(), moving)) {
		if !open || rest[k] == 0 || !canWeigh {
			continue
		}
		return decided(restWeigh, "rows in motion are predicted no better with rows at rest, but of a joint that turns one way only these tell the offset, whose friction they do not have", candidates...)
	}
	return decided(RestDrop, "friction at rest is not that of motion, and rows in motion are predicted no better with rows at rest", candidates...)
}

// selected returns the reduction with only the given columns.
func (r *reduction) selected(columns []int) reduction {
	out := reduction{sum: r.sum.Select(columns), blocks: r.blocks, added: r.added, rest: r.rest}
	if slices.ContainsFunc(r.rest, func(b estimate.TimeBlock) bool { return b.Joints != nil }) {
		out.all = r.whole().Select(columns)
	}
	return out
}

// decideRest decides about rows at rest if that is open. wide holds the same rows with more columns, or nothing; it is
// returned after the decision.
func (d *reduced) decideRest(wide reduction) (*experiment, reduction) {
	if d.cfg.Rest != RestAuto {
		return d.experiment, wide
	}
	all := d.rows.whole()
	chosen, made := d.chooseRest(all, d.rows.sum, d.rows.restRows())
	if made != nil {
		d.made = append(d.made, *made)
	}
	d.experiment = d.with(d.cfg.resting(chosen))
	if chosen == RestKeep {
		d.rows = reduction{sum: all, blocks: d.rows.blocks, added: d.rows.added}
		if wide.sum != nil {
			d.wide = reduction{sum: wide.whole(), blocks: wide.blocks, added: wide.added}
			wide = d.wide
		}
	}
	if wide.sum == nil {
		d.rows.sum = d.weighed(d.rows)
	} else if wide.sum = d.weighed(wide); chosen == restWeigh { // the rows at rest have the further columns
		d.rows.sum = wide.sum.Select(leading(len(d.model.Columns())))
	}
	return d.experiment, wide
}

// weighed returns the rows of r, with those at rest weighed in if restWeigh was chosen.
func (d *reduced) weighed(r reduction) *estimate.Reduction {
	if d.cfg.Rest == restWeigh {
		return withRest(r.sum, r.rest, restColumnsOf(d.model.Columns(), r.sum), d.cfg.Weighting)
	}
	return r.sum
}
