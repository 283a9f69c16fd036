package regression

import (
	"context"

	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// RobotChoice is one of the robots that runs may be of.
type RobotChoice struct {
	Name  string
	Robot *robot.Robot
}

// ChooseRobot compares robots that differ in their drives, the simplest first, by the
// error of weighted least squares on rows left out of training runs, each with the friction terms that
// are chosen for it: a drive that does not exist would else stand for friction that the model lacks. It returns the
// index of the simplest whose error is within one standard error of the least.
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
	at := simplestOfBest(all)
	return at, decision(about, all, robots[at].Name, "the simplest whose error on rows left out is within a standard error of the least"), nil
}
