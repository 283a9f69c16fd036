package identify

import (
	"strings"

	"ident/observation"
	"ident/result"
)

// velocityDecision states the source of velocities that was chosen, with the errors of accelerations from either.
func velocityDecision(e observation.VelocityErrors, c observation.Choice) result.Decision {
	d := result.Decision{Decision: "velocity", Chosen: c.Velocity, Candidates: []result.Candidate{
		{Choice: observation.Measured, Figure: result.AccelerationError, Percent: 100 * e.Measured},
		{Choice: observation.FromPosition, Figure: result.AccelerationError, Percent: 100 * e.Positions},
	}}
	var why []string
	for _, reason := range c.Reasons {
		if text, ok := strings.CutPrefix(reason, "velocity from "); ok {
			_, text, _ = strings.Cut(text, ": ")
			why = append(why, text)
		}
	}
	if c.Velocity == observation.Measured {
		why = append(why, "positions are taken where they have a third of its noise")
	}
	d.Why = strings.Join(why, "; ")
	return d
}
