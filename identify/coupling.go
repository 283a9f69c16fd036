package identify

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
// error of weighted least squares on rows left out of training runs. It returns the
// index of the simplest whose error is within one standard error of the least.
func ChooseRobot(ctx context.Context, about string, robots []RobotChoice, terms []regressor.Term, train []Run, cfg Config) (int, result.Decision, error) {
	cfg.Model = Dynamic
	var all []candidate
	for _, c := range robots {
		e, _, err := begin(ctx, c.Robot, terms, train, nil, cfg)
		if err != nil {
			return 0, result.Decision{}, err
		}
		rows, err := e.reduce(ctx)
		if err != nil {
			return 0, result.Decision{}, err
		}
		cross, err := rows.sum.Parts().CrossValidateBy(e.cfg.free)
		if err != nil {
			return 0, result.Decision{}, err
		}
		if cross == nil {
			return 0, result.Decision{Decision: about, Chosen: robots[0].Name, Why: "no part of the rows can be left out"}, nil
		}
		all = append(all, candidate{c.Name, cross})
	}
	at := simplestOfBest(all)
	return at, decision(about, all, robots[at].Name, "the simplest whose error on rows left out is within a standard error of the least"), nil
}
