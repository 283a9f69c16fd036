package observation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"ident/filter"
	"ident/internal/hint"
)

// A measured derivative is used if it agrees with the differences of its antiderivative: relative disagreement below
// agreement after filtering, and no joint early or late by more than latest samples. Filter edges, print resolution and
// backward differences of published logs stay below both. Channels in other units, of another joint, or late by several
// samples do not, however slow the motion.
const (
	agreement = 0.2
	latest    = 1.5
)

// clearLag is the quality from which filter.Lag is trusted: below it another lag, such as a period later, correlates
// within a hundredth as well.
const clearLag = 0.01

// longestLag bounds the lags searched, in seconds.
const longestLag = 0.1 // without removal

// longestRemoved bounds a lag that is removed, in seconds: the delay of an estimator or bus, and the slack of a recorder
// that merges two clocks.
const longestRemoved = 0.5

// sharpLag is the least lag, in samples, that is removed. A one-sided difference lags by half a sample, and so does the
// torque of the same drive cycle.
const sharpLag = 0.6

// commonLag is the spread, in samples, within which the joints' lags count as one: joints that hardly move measure it
// badly.
const commonLag = 0.5

// errEnough stops reading after the samples of the probe.
var errEnough = errors.New("enough")

// agreed says how far measured velocities or accelerations are from differentiated positions, over all joints.
type agreed struct {
	worst float64 // relative disagreement
	lag   float64 // samples, that of the latest joint

	removed []float64 // lag before its removal, by joint, in seconds; nil where none was removed
}

func (a agreed) ok() bool {
	return a.worst < agreement && (a.removed != nil || math.Abs(a.lag) <= latest)
}

func (a agreed) String() string {
	if a.removed != nil {
		return fmt.Sprintf("disagree by %.2g %% at most once a lag of %.3g ms is removed", 100*a.worst, 1000*largest(a.removed))
	}
	return fmt.Sprintf("disagree by %.2g %% at most, with a lag of %.1f samples", 100*a.worst, math.Abs(a.lag))
}

// probeSamples bounds the number of samples used for the choice.
const probeSamples = 20000

// probeOf reads channels at the first samples of a segment.
func probeOf(ctx context.Context, run *Run, seg *Segment, channels []string, samples int) (*Chunk, error) {
	part := *seg
	part.N = min(part.N, samples)
	source := Source{Run: run, Segment: &part, Plan: Plan{Core: part.N}, Layout: Layout{Channels: append([]string{run.Roles.T}, channels...)}}
	var probe *Chunk
	err := source.produce(ctx, func() *Chunk { return new(Chunk) }, func(c *Chunk) error { probe = c; return errEnough })
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return probe, nil
}

// Choose resolves Auto in the settings for a run, using its first segment.
func Choose(ctx context.Context, s Settings, run *Run, seg *Segment) (Choice, error) {
	c := Choice{Velocity: s.Velocity, VelocityLag: s.VelocityLag, Acceleration: s.Acceleration}
	hasDQ, hasDDQ := run.HasVelocities(), run.HasAccelerations()
	if c.Velocity == Measured && !hasDQ {
		return c, hint.New("%s: {velocity} measured, but the log has no velocity channel for some joints; map them with {map} dq1=CHANNEL", run.Name)
	}
	if c.Acceleration == Measured && !hasDDQ {
		return c, hint.New("%s: {acceleration} measured, but the log has no acceleration channel for some joints; map them with {map} ddq1=CHANNEL", run.Name)
	}
	if c.Velocity == Auto {
		c.Velocity = FromPosition
		if hasDQ {
			found, err := disagreement(ctx, s, run, seg, run.Roles.Q, run.Roles.DQ, s.RemoveLag)
			if err != nil {
				return c, err
			}
			if found.ok() {
				c.Velocity, c.VelocityLag = Measured, found.removed
			}
			c.Reasons = append(c.Reasons, fmt.Sprintf("velocity from %s: the measured channel and the differences of position %s", c.Velocity, found))
		} else {
			c.Reasons = append(c.Reasons, "velocity from position: the log has no velocity channels")
		}
	}
	if c.Acceleration == Auto {
		c.Acceleration = FromVelocity
		// Measured accelerations may have another lag than the velocities.
		if hasDDQ && hasDQ && c.Velocity == Measured && c.VelocityLag == nil {
			found, err := disagreement(ctx, s, run, seg, run.Roles.DQ, run.Roles.DDQ, false)
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

// disagreement compares channels with the differences of others, both after the motion filter, at the beginning of a
// segment. With remove it takes out the lag first.
func disagreement(ctx context.Context, s Settings, run *Run, seg *Segment, of, rate []string, remove bool) (agreed, error) {
	var out agreed
	f, err := NewFilters(s, seg.DT)
	if err != nil {
		return out, fmt.Errorf("%s: %w", run.Name, err)
	}
	still, err := standing(ctx, run, seg)
	if err != nil {
		return out, err
	}
	probe, err := probeOf(ctx, run, seg, slices.Concat(of, rate), probeSamples)
	if err != nil {
		return out, err
	}
	n := len(probe.Columns[0])
	f.Motion.Smooth(probe.Columns, new(MotionWork))
	cut := int(min(max(s.Trim, 0.05)/seg.DT, float64(n/4)))
	diffs, measured := make([][]float64, len(of)), probe.Columns[len(of):]
	within := longestLag
	if remove {
		within = longestRemoved
	}
	lags, known := make([]float64, len(of)), make([]bool, len(of))
	for k := range of {
		diffs[k] = make([]float64, n)
		filter.Differentiate4(diffs[k], probe.Columns[k], seg.DT)
		if n-2*cut >= MinSamples && !still[k] {
			lag, quality := filter.Lag(diffs[k][cut:n-cut], measured[k][cut:n-cut], seg.DT, min(within, float64(n-2*cut)*seg.DT/8))
			if lag /= seg.DT; quality > clearLag {
				lags[k], known[k] = lag, true
				if math.Abs(lag) > math.Abs(out.lag) {
					out.lag = lag
				}
			}
		}
	}
	if remove && math.Abs(out.lag) > sharpLag {
		oneLag(lags, known)
		m := MotionFilter{lag: lags}
		m.advance(measured, new(MotionWork))
		for _, lag := range lags {
			out.removed = append(out.removed, lag*seg.DT)
		}
		cut = min(cut+int(math.Ceil(math.Abs(out.lag))), n/4)
	}
	for k, diff := range diffs {
		var d2, m2 float64
		for i := cut; i < n-cut; i++ {
			d := diff[i] - measured[k][i]
			d2 += d * d
			m2 += max(diff[i]*diff[i], measured[k][i]*measured[k][i])
		}
		if m2 > 0 && !still[k] {
			out.worst = max(out.worst, math.Sqrt(d2/m2))
		}
	}
	return out, nil
}

// standing reports which joints stand at the beginning of a segment, as far as the choice looks.
func standing(ctx context.Context, run *Run, seg *Segment) ([]bool, error) {
	probe, err := probeOf(ctx, run, seg, run.Roles.Q, probeSamples)
	if err != nil {
		return nil, err
	}
	still := make([]bool, len(run.Roles.Q))
	for k, q := range probe.Columns {
		still[k] = Stands(q, 1/seg.DT)
	}
	return still, nil
}

// oneLag replaces all lags by the median of the clear ones if those agree: they are due to one bus or one estimator.
// Otherwise joints without a clear lag keep zero.
func oneLag(lags []float64, known []bool) {
	var sure []float64
	for k, lag := range lags {
		if known[k] {
			sure = append(sure, lag)
		}
	}
	if slices.Sort(sure); len(sure) == 0 || sure[len(sure)-1]-sure[0] > 2*commonLag {
		return
	}
	for k := range lags {
		lags[k] = sure[len(sure)/2]
	}
}

// largest returns the value of largest magnitude.
func largest(x []float64) float64 {
	out := 0.0
	for _, v := range x {
		if math.Abs(v) > math.Abs(out) {
			out = v
		}
	}
	return out
}
