package identify

import (
	"context"
	"errors"
	"fmt"
	"math"

	"ident/filter"
)

// A measured derivative is taken when it agrees with the differences of what
// it should be the derivative of: a relative disagreement of its filtered form
// below agreement, and no joint early or late by more than latest samples.
// Filter edges, print resolution and backward differences of published logs
// stay below both; a channel in other units, of another joint or late by
// several samples does not, however slow the motion.
const (
	agreement = 0.2
	latest    = 1.5
)

// clearLag is the quality from which filter.Lag is believed: below it another
// lag, such as a period later, correlates to within a hundredth as well.
const clearLag = 0.01

// longestLag is how far in time, in seconds, a late channel is sought.
const longestLag = 0.1

// agreed is how far measured derivatives are from differences, over the joints.
type agreed struct {
	worst float64 // relative disagreement
	lag   float64 // samples, that of the latest joint
}

func (a agreed) ok() bool { return a.worst < agreement && math.Abs(a.lag) <= latest }

func (a agreed) String() string {
	return fmt.Sprintf("disagree by %.2g %% at most, with a lag of %.1f samples", 100*a.worst, math.Abs(a.lag))
}

// probeSamples is how much of a run the choice looks at.
const probeSamples = 20000

// choose decides what "auto" means on the first training run.
func choose(ctx context.Context, cfg *Config, run *Run, seg *segment) (choices, error) {
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
			found, err := disagreement(ctx, cfg, run, seg, run.Roles.Q, run.Roles.DQ)
			if err != nil {
				return c, err
			}
			if found.ok() {
				c.velocity = "measured"
			}
			c.reasons = append(c.reasons, fmt.Sprintf("velocity from %s: the measured channel and the differences of position %s", c.velocity, found))
		} else {
			c.reasons = append(c.reasons, "velocity from position: the log has no velocity channels")
		}
	}
	if c.acceleration == "auto" {
		c.acceleration = "velocity"
		if hasDDQ && hasDQ && c.velocity == "measured" {
			found, err := disagreement(ctx, cfg, run, seg, run.Roles.DQ, run.Roles.DDQ)
			if err != nil {
				return c, err
			}
			if found.ok() {
				c.acceleration = "measured"
			}
			c.reasons = append(c.reasons, fmt.Sprintf("acceleration from %s: the measured channel and the differences of velocity %s", c.acceleration, found))
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

// disagreement compares channels with the differences of others, both through
// the motion filter, at the begin of a segment.
func disagreement(ctx context.Context, cfg *Config, run *Run, seg *segment, of, rate []string) (agreed, error) {
	var out agreed
	f, err := newFilters(cfg, 1/seg.dt)
	if err != nil {
		return out, fmt.Errorf("%s: %w", run.Name, err)
	}
	channels := append(append([]string{run.Roles.T}, of...), rate...)
	part := *seg
	part.n = min(part.n, probeSamples)
	var probe *chunk
	err = produce(ctx, run.Log, channels, &part, chunkPlan{core: part.n}, func() *chunk { return new(chunk) },
		func(c *chunk) error { probe = c; return errEnough })
	if err != nil && !errors.Is(err, errEnough) {
		return out, err
	}
	n := len(probe.data[0])
	var work filter.Work
	if f.motion != nil {
		f.motion.ZeroPhaseColumns(probe.data, &work)
	}
	cut := min(int(max(cfg.Trim, 0.05)/seg.dt), n/4)
	diff := make([]float64, n)
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
			out.worst = max(out.worst, math.Sqrt(d2/m2))
		}
		if n-2*cut >= minSamples {
			lag, quality := filter.Lag(diff[cut:n-cut], measured[cut:n-cut], seg.dt, min(longestLag, float64(n-2*cut)*seg.dt/8))
			if lag /= seg.dt; quality > clearLag && math.Abs(lag) > math.Abs(out.lag) {
				out.lag = lag
			}
		}
	}
	return out, nil
}
