package identify

import (
	"errors"
	"fmt"
	"math"

	"ident/filter"
)

// A measured derivative is taken when it agrees with the differences of what
// it should be the derivative of: a relative disagreement of its filtered form
// below this. Filter edges and print resolution of published logs stay below
// it; a channel in other units, of another joint or late by several samples
// does not.
const agreement = 0.2

// probeSamples is how much of a run the choice looks at.
const probeSamples = 20000

// choose decides what "auto" means on the first training run.
func choose(cfg *Config, run *Run, seg *segment) (choices, error) {
	c := choices{velocity: cfg.Velocity, acceleration: cfg.Acceleration}
	hasDQ, hasDDQ := complete(run.Roles.DQ), complete(run.Roles.DDQ)
	if c.velocity == "measured" && !hasDQ {
		return c, fmt.Errorf("%s: --velocity measured, but the log has no velocity channel for some joints; map them with --map dq1=CHANNEL", run.Name)
	}
	if c.acceleration == "measured" && !hasDDQ {
		return c, fmt.Errorf("%s: --acceleration measured, but the log has no acceleration channel for some joints; map them with --map ddq1=CHANNEL", run.Name)
	}
	if c.velocity == "auto" {
		c.velocity = "position"
		if hasDQ {
			worst, err := disagreement(cfg, run, seg, run.Roles.Q, run.Roles.DQ)
			if err != nil {
				return c, err
			}
			if worst < agreement {
				c.velocity = "measured"
			}
			c.reasons = append(c.reasons, fmt.Sprintf("velocity from %s: the measured channel and the differences of position disagree by %.2g %% at most", c.velocity, 100*worst))
		} else {
			c.reasons = append(c.reasons, "velocity from position: the log has no velocity channels")
		}
	}
	if c.acceleration == "auto" {
		c.acceleration = "velocity"
		if hasDDQ && hasDQ && c.velocity == "measured" {
			worst, err := disagreement(cfg, run, seg, run.Roles.DQ, run.Roles.DDQ)
			if err != nil {
				return c, err
			}
			if worst < agreement {
				c.acceleration = "measured"
			}
			c.reasons = append(c.reasons, fmt.Sprintf("acceleration from %s: the measured channel and the differences of velocity disagree by %.2g %% at most", c.acceleration, 100*worst))
		}
	}
	return c, nil
}

func complete(names []string) bool {
	for _, n := range names {
		if n == "" {
			return false
		}
	}
	return len(names) > 0
}

// disagreement is the largest relative difference, over the joints, between a
// channel and the differences of another, both through the motion filter.
func disagreement(cfg *Config, run *Run, seg *segment, of, rate []string) (float64, error) {
	f, err := newFilters(cfg, 1/seg.dt)
	if err != nil {
		return 0, err
	}
	channels := append(append([]string{run.Roles.T}, of...), rate...)
	part := *seg
	part.n = min(part.n, probeSamples)
	var probe *chunk
	err = produce(noCancel, run.Log, channels, &part, chunkPlan{core: part.n}, func() *chunk { return new(chunk) },
		func(c *chunk) error { probe = c; return errEnough })
	if err != nil && !errors.Is(err, errEnough) {
		return 0, err
	}
	n := len(probe.data[0])
	var work filter.Work
	if f.motion != nil {
		f.motion.ZeroPhaseColumns(probe.data, &work)
	}
	cut := min(int(max(cfg.Trim, 0.05)/seg.dt), n/4)
	diff := make([]float64, n)
	worst := 0.0
	for k := range of {
		filter.Differentiate4(diff, probe.data[k], seg.dt)
		measured := probe.data[len(of)+k]
		var d2, m2 float64
		for i := cut; i < n-cut; i++ {
			d := diff[i] - measured[i]
			d2 += d * d
			m2 += max(diff[i]*diff[i], measured[i]*measured[i])
		}
		if m2 > 0 {
			worst = max(worst, math.Sqrt(d2/m2))
		}
	}
	return worst, nil
}
