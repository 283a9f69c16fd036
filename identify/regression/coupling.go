package regression

import (
	"context"
	"slices"

	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// RobotChoice is one candidate of ChooseRobot.
type RobotChoice struct {
	Name  string
	Robot *robot.Robot
}

// ChooseRobot compares robots that differ in their drives. robots must be ordered: the simplest first, all others with
// one and the same number of drives. It returns the first if its error, by weighted least squares on training rows left
// out, is within one standard error of the least, otherwise the bestOfAlternatives. Friction terms are chosen for
// each robot: otherwise a drive that does not exist would replace missing friction.
func ChooseRobot(ctx context.Context, about string, robots []RobotChoice, terms []regressor.Term, train []Run, cfg Config) (int, result.Decision, error) {
	cfg.Model, cfg.Choices = Dynamic, Choices{Terms: cfg.Choices.Terms}
	var all []candidate
	for _, c := range robots {
		e, set, err := begin(ctx, c.Robot, terms, train, nil, cfg)
		if err != nil {
			return 0, result.Decision{}, err
		}
		d, err := e.decide(ctx, c.Robot, set)
		if err != nil {
			return 0, result.Decision{}, err
		}
		cross := d.cross
		if cross == nil {
			if cross, err = d.rows.sum.Parts().CrossValidateBy(d.cfg.free); err != nil {
				return 0, result.Decision{}, err
			}
		}
		if cross == nil {
			return 0, result.Decision{Decision: about, Chosen: robots[0].Name, Why: "no part of the rows can be left out"}, nil
		}
		all = append(all, candidate{c.Name, cross})
	}
	at, why := simplestOfBest(all), "the simplest whose error on rows left out is within a standard error of the least"
	if at > 0 {
		best := bestOfAlternatives(all[1:]) + 1
		if slices.ContainsFunc(all[1:], func(c candidate) bool { return c.cross.Percent < all[best].cross.Percent }) {
			why = "better than none; of alternatives within a standard error of the least it has the fewest parameters or, with as many, leaves least of all rows"
		}
		at = best
	}
	return at, decision(about, all, robots[at].Name, why), nil
}

// bestOfAlternatives returns the index of the candidate that leaves least of all rows, of those with the fewest
// parameters, of those whose error on rows left out is within one standard error of the least. No alternative is simpler
// than another by its kind. In a short log the signs of a coupling differ by less than the parts that are left out.
func bestOfAlternatives(all []candidate) int {
	best := 0
	for i, c := range all {
		if c.cross.Percent < all[best].cross.Percent {
			best = i
		}
	}
	at := best
	for i, c := range all {
		now := all[at].cross
		if mean, deviation := c.cross.Excess(all[best].cross); mean <= deviation && (c.cross.Rank < now.Rank || c.cross.Rank == now.Rank && c.cross.Inside < now.Inside) {
			at = i
		}
	}
	return at
}
