package regression

import (
	"fmt"
	"strings"

	"ident/filter"
	"ident/observation"
	"ident/result"
)

// motionDecision reports the chosen motion cut-off and the highest one, with the errors at each.
func motionDecision(noise [][]observation.JointNoise, most, chosen float64, rows filter.LowPass) result.Decision {
	name := func(cutoff float64) string { return fmt.Sprintf("%.3g Hz", cutoff) }
	d := result.Decision{Decision: "motion-cutoff", Chosen: name(chosen), Why: "the noise behind the highest cut-off is tolerable"}
	cutoffs := []float64{most}
	if chosen != most {
		cutoffs = append(cutoffs, chosen)
		d.Why = "the least noise and distortion on the way down to tolerable noise"
	}
	for _, c := range cutoffs {
		share := observation.MotionShare(noise, filter.LowPass{Cutoff: c, Order: filter.MotionOrder}, rows)
		d.Candidates = append(d.Candidates, result.Candidate{Choice: name(c), Figure: result.MotionError, Percent: 100 * share.Total()})
	}
	return d
}

// velocityDecision reports the chosen source of velocities, with the acceleration errors of each source.
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
