package observation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"ident/filter"
)

// A measured derivative is taken when it agrees with the differences of its
// antiderivative: a relative disagreement of its filtered form below agreement, and
// no joint early or late by more than latest samples.
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

// longestLag bounds the lag, in seconds, at which a late channel is sought.
const longestLag = 0.1

// errEnough ends a reading after the samples of the probe.
var errEnough = errors.New("enough")

// agreed is the distance of measured derivatives from differences, over the joints.
type agreed struct {
	worst float64 // relative disagreement
	lag   float64 // samples, that of the latest joint
}

func (a agreed) ok() bool { return a.worst < agreement && math.Abs(a.lag) <= latest }

func (a agreed) String() string {
	return fmt.Sprintf("disagree by %.2g %% at most, with a lag of %.1f samples", 100*a.worst, math.Abs(a.lag))
}

// probeSamples bounds the part of a run that the choice is made on.
const probeSamples = 20000

// Choose resolves Auto in the settings on a run, by its first segment.
func Choose(ctx context.Context, s Settings, run *Run, seg *Segment) (Choice, error) {
	c := Choice{Velocity: s.Velocity, Acceleration: s.Acceleration}
	hasDQ, hasDDQ := run.HasVelocities(), run.HasAccelerations()
	if c.Velocity == Measured && !hasDQ {
		return c, fmt.Errorf("%s: --velocity measured, but the log has no velocity channel for some joints; map them with --map dq1=CHANNEL", run.Name)
	}
	if c.Acceleration == Measured && !hasDDQ {
		return c, fmt.Errorf("%s: --acceleration measured, but the log has no acceleration channel for some joints; map them with --map ddq1=CHANNEL", run.Name)
	}
	if c.Velocity == Auto {
		c.Velocity = FromPosition
		if hasDQ {
			found, err := disagreement(ctx, s, run, seg, run.Roles.Q, run.Roles.DQ)
			if err != nil {
				return c, err
			}
			if found.ok() {
				c.Velocity = Measured
			}
			c.Reasons = append(c.Reasons, fmt.Sprintf("velocity from %s: the measured channel and the differences of position %s", c.Velocity, found))
		} else {
			c.Reasons = append(c.Reasons, "velocity from position: the log has no velocity channels")
		}
	}
	if c.Acceleration == Auto {
		c.Acceleration = FromVelocity
		if hasDDQ && hasDQ && c.Velocity == Measured {
			found, err := disagreement(ctx, s, run, seg, run.Roles.DQ, run.Roles.DDQ)
			if err != nil {
				return c, err
			}
			if found.ok() {
				c.Acceleration = Measured
			}
			c.Reasons = append(c.Reasons, fmt.Sprintf("acceleration from %s: the measured channel and the differences of velocity %s", c.Acceleration, found))
		}
	}
	return c, nil
}

// disagreement compares channels with the differences of others, both through
// the motion filter, at the beginning of a segment.
func disagreement(ctx context.Context, s Settings, run *Run, seg *Segment, of, rate []string) (agreed, error) {
	var out agreed
	f, err := NewFilters(s, seg.DT)
	if err != nil {
		return out, fmt.Errorf("%s: %w", run.Name, err)
	}
	part := *seg
	part.N = min(part.N, probeSamples)
	source := Source{Run: run, Segment: &part, Plan: Plan{Core: part.N}, Layout: Layout{Channels: slices.Concat([]string{run.Roles.T}, of, rate)}}
	var probe *Chunk
	err = source.produce(ctx, func() *Chunk { return new(Chunk) }, func(c *Chunk) error { probe = c; return errEnough })
	if err != nil && !errors.Is(err, errEnough) {
		return out, err
	}
	n := len(probe.Columns[0])
	f.Motion.Smooth(probe.Columns, new(MotionWork))
	cut := min(int(max(s.Trim, 0.05)/seg.DT), n/4)
	diff := make([]float64, n)
	for k := range of {
		filter.Differentiate4(diff, probe.Columns[k], seg.DT)
		measured := probe.Columns[len(of)+k]
		var d2, m2 float64
		for i := cut; i < n-cut; i++ {
			d := diff[i] - measured[i]
			d2 += d * d
			m2 += max(diff[i]*diff[i], measured[i]*measured[i])
		}
		if m2 > 0 {
			out.worst = max(out.worst, math.Sqrt(d2/m2))
		}
		if n-2*cut >= MinSamples {
			lag, quality := filter.Lag(diff[cut:n-cut], measured[cut:n-cut], seg.DT, min(longestLag, float64(n-2*cut)*seg.DT/8))
			if lag /= seg.DT; quality > clearLag && math.Abs(lag) > math.Abs(out.lag) {
				out.lag = lag
			}
		}
	}
	return out, nil
}
