package identify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ident/identify/project"
	"ident/identify/regression"
	"ident/result"
)

// compareCandidates fits the candidates that an outcome's decisions did not choose and compares them with the outcome,
// which is the first side. Each fit changes one decision and keeps all others. It returns nil if there was nothing to
// choose. A candidate is a setting of the project, so the user gets the same fit from that setting; only the delay of
// measured velocities is taken from the result, because measuring it belongs to the decision on their source. The
// outcome must be complete (see [project.Job.Complete]).
func (p *Project) compareCandidates(ctx context.Context, j *project.Job, outcome *regression.Outcome) (*result.Comparison, error) {
	res := &outcome.Result
	pinned := *j.Settings
	var others [][2]string // decision, choice
	for _, d := range res.Selection {
		if !pin(&pinned, d.Decision, d.Chosen) {
			continue
		}
		for _, c := range d.Candidates {
			if c.Choice != d.Chosen {
				others = append(others, [2]string{d.Decision, c.Choice})
			}
		}
	}
	if len(others) == 0 {
		return nil, nil
	}
	sides := []result.Side{{Name: "chosen", Result: res, Set: outcome.Base, Robot: j.Session.Robot}}
	var missing []string
	for i, d := range others {
		name := d[0] + ": " + d[1]
		p.Report("fitting candidates", i, len(others))
		own := pinned
		pin(&own, d[0], d[1])
		side, err := p.fitCandidate(ctx, &own, res)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			missing = append(missing, fmt.Sprintf("%s could not be fitted: %v", name, err))
			continue
		}
		side.Name = name
		sides = append(sides, *side)
	}
	if len(sides) == 1 {
		return nil, fmt.Errorf("no candidate could be fitted: %s", strings.Join(missing, "; "))
	}
	c, err := result.Compare(sides)
	if err != nil {
		return nil, fmt.Errorf("comparing candidates: %w", err)
	}
	c.Warnings = append(c.Warnings, missing...)
	return c, nil
}

// pin writes a decision's choice into the settings; it returns false if no setting fixes the decision.
func pin(p *project.Settings, decision, choice string) bool {
	switch decision {
	case "velocity":
		p.Velocity = choice
	case "rest":
		p.Rest = choice
	case "coupling":
		p.Couplings = nil
		if choice != project.NoPrior {
			p.Couplings = strings.Split(choice, ", ")
		}
	case "physically-consistent":
		p.Consistent = project.No
		if choice == regression.PossibleChoice {
			p.Consistent = project.Yes
		}
	case "prior-weight":
		p.Consistent, p.PriorWeight = project.Yes, choice
	case result.EstimatorDecision:
		p.Estimator = choice
	case "terms":
		p.Terms = strings.Split(choice, ",")
	default:
		return false
	}
	if p.Consistent == project.No {
		p.PriorWeight = "" // a free estimate is drawn to nothing
	}
	return true
}

// fitCandidate identifies from the logs under settings that leave nothing to choose, with the result's delay of measured
// velocities.
func (p *Project) fitCandidate(ctx context.Context, s *project.Settings, of *result.Result) (*result.Side, error) {
	j, err := project.OpenJob(ctx, s, p.logs, project.JobOptions{RobotGiven: p.robotGiven, Unexamined: true})
	if err != nil {
		return nil, err
	}
	defer j.Close()
	cfg := j.Config
	cfg.Choices = regression.Choices{}
	if cfg.Velocity == of.Processing.Velocity {
		cfg.VelocityLag = slices.Clone(of.Processing.VelocityLag)
	}
	o, err := regression.Fit(ctx, j.Session.Robot, j.Terms, j.Train, j.Validate, cfg)
	if err != nil {
		return nil, err
	}
	return &result.Side{Result: &o.Result, Set: o.Base, Robot: j.Session.Robot}, nil
}
