package regression

import (
	"context"

	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// RobotChoice is one candidate of ChooseRobot.
type RobotChoice struct {
	Name  string
	Robot *robot.Robot
}

// ChooseRobot compares robots that differ in their drives. robots must be ordered, the simplest first. It returns the
// index of the simplest whose error, by weighted least squares on training rows left out, is within one standard error
// of the least. Friction terms are chosen for each robot: otherwise a drive that does not exist would replace missing
// friction.
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
