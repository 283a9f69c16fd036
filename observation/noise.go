package observation

import (
	"context"
	"fmt"
	"slices"

	"ident/filter"
)

// noiseSamples bounds the part of a segment used to measure noise: two of the longest periodograms.
const noiseSamples = 1 << 16

// JointNoise is the noise of a joint's motion channels: positions in rad or m, velocities per second.
type JointNoise struct {
	Position filter.ChannelNoise
	Velocity filter.ChannelNoise // noise of the measured velocity; zero if velocity is not measured
	// Acceleration is the joint's root mean square acceleration, computed from positions, rad/s² or m/s².
	Acceleration float64

	// Stands says that the run shows nothing of the joint's motion but noise.
	Stands bool

	position, velocity filter.MotionBands
	reach              float64 // range of the positions of a joint that stands

	// For StepRule: the time in seconds on either side of a step of the acceleration, and the least step.
	stepSeconds, leastStep float64
}

// MeasureNoise estimates the noise of every motion channel of a run from its longest segment, by joint.
// Resampled segments have less noise at high frequencies than the channel had: interpolation between rows
// passes 0.7 of it at 0.35 of the rate. It is therefore underestimated by up to a third.
func MeasureNoise(ctx context.Context, run *Run, segments []Segment) ([]JointNoise, error) {
	seg := &segments[0]
	for i := range segments {
		if segments[i].N > seg.N {
			seg = &segments[i]
		}
	}
	channels, joints := run.Roles.Q, len(run.Roles.Q)
	if run.HasVelocities() {
		channels = slices.Concat(channels, run.Roles.DQ)
	}
	probe, err := probeOf(ctx, run, seg, channels, noiseSamples)
	if err != nil {
		return nil, err
	}
	out := make([]JointNoise, joints)
	var like [2]filter.MotionBands // by the derivative
	var spectra filter.MotionSpectra
	measure := func(x []float64, derivative int) (filter.ChannelNoise, filter.MotionBands, float64) {
		x, rate := ofSource(x, 1/seg.DT)
		s := spectra.Of(x, rate)
		c := filter.NoiseOf(x, s)
		b := s.Bands(c.Sigma, derivative, like[derivative])
		like[derivative] = b
		return c, b, s.Derivative(c.Sigma, 2-derivative)
	}
	for k := range out {
		out[k].Position, out[k].position, out[k].Acceleration = measure(probe.Columns[k], 0)
		if q := probe.Columns[k]; stands(q, out[k].Position, out[k].position, 1/seg.DT) {
			out[k].Stands, out[k].reach = true, slices.Max(q)-slices.Min(q)
		}
		out[k].measureSteps(probe.Columns[k], seg.DT)
		if len(probe.Columns) > joints {
			out[k].Velocity, out[k].velocity, _ = measure(probe.Columns[joints+k], 1)
		}
	}
	return out, nil
}

// PositionNoise returns the noise of a joint's positions, sampled at a rate in hertz, and its acceleration. MeasureNoise also returns
// what choices of filters and steps of accelerations need.
func PositionNoise(x []float64, rate float64) JointNoise {
	s := filter.NewMotionSpectrum(x, rate)
	c := filter.NoiseOf(x, s)
	return JointNoise{Position: c, Acceleration: s.Derivative(c.Sigma, 2)}
}

// positionBands and velocityBands return the spectra of the runs in which a joint moves, by joint.
func positionBands(runs [][]JointNoise) [][]filter.MotionBands {
	return bandsOf(runs, func(n JointNoise) filter.MotionBands { return n.position })
}

func velocityBands(runs [][]JointNoise) [][]filter.MotionBands {
	return bandsOf(runs, func(n JointNoise) filter.MotionBands { return n.velocity })
}

func bandsOf(runs [][]JointNoise, of func(JointNoise) filter.MotionBands) [][]filter.MotionBands {
	out := make([][]filter.MotionBands, len(runs[0]))
	for _, joints := range runs {
		for k, n := range joints {
			if !n.Stands {
				out[k] = append(out[k], of(n))
			}
		}
	}
	return out
}

// MotionCutoff returns the cut-off of the motion's low-pass, not above most (Hz), if velocities come from positions and
// rows go through a low-pass: see filter.MotionCutoff, for the worst joint. The filter must have order
// filter.MotionOrder.
func MotionCutoff(runs [][]JointNoise, most float64, rows filter.LowPass) (cutoff float64, reason string) {
	cutoff, share := filter.MotionCutoff(positionBands(runs), most, rows)
	if cutoff == most {
		return cutoff, ""
	}
	return cutoff, fmt.Sprintf("motion filtered at %.3g Hz for the noise of the positions: there it is %.2g %% of the accelerations' power in the joint that fares worst, and the motion that is filtered away %.2g %%",
		cutoff, 100*share.Noise, 100*share.Distortion)
}

// MotionShare returns the noise and the distortion of accelerations from low-passed positions, as parts of their power,
// for the worst joint.
func MotionShare(runs [][]JointNoise, motion, rows filter.LowPass) filter.Share {
	return filter.WorstShare(positionBands(runs), motion, rows)
}

// wholeMotion is the part of the acceleration power removed by the motion's low-pass below which the torque is not
// filtered too: the tolerable noise. On the example at 3.5 Hz filtering the torque alone would remove harmonics of
// products of the motion, 0.7 deviations of an inertia.
const wholeMotion = filter.TolerableNoise

// WholeMotion reports whether a low-pass of the positions, of order filter.MotionOrder, removes only a tolerable part of
// the motion.
func WholeMotion(runs [][]JointNoise, cutoff float64, rows filter.LowPass) bool {
	return MotionShare(runs, filter.LowPass{Cutoff: cutoff, Order: filter.MotionOrder}, rows).Distortion < wholeMotion
}

// noisyVelocity is the share of noise in the power of filtered measured accelerations from which positions are
// considered instead.
const noisyVelocity = 10 * filter.TolerableNoise

// noiseRatio is the ratio of errors from which positions replace a measured velocity. The robot has filtered a measured
// channel already, which its noise floor does not show, so only a clear difference counts.
const noiseRatio = 3

// VelocityErrors holds the errors of accelerations for each source of velocities, as parts of their power, for the worst
// joint.
type VelocityErrors struct {
	Measured  float64 // noise of the measured channel
	Positions float64 // noise and distortion of differences of positions
}

// CompareVelocities returns the errors with low-passed measured velocities, and with differences of low-passed positions;
// most, in Hz, bounds the cut-off of the latter.
func CompareVelocities(runs [][]JointNoise, velocity filter.LowPass, most float64, rows filter.LowPass) (e VelocityErrors) {
	e.Measured = filter.WorstNoise(velocityBands(runs), velocity, rows)
	_, position := filter.MotionCutoff(positionBands(runs), most, rows)
	e.Positions = position.Total()
	return e
}

// PreferPositions reports whether measured velocities are so noisy that differences of positions are better, and why.
func (e VelocityErrors) PreferPositions() (bool, string) {
	if e.Measured < noisyVelocity || e.Measured < noiseRatio*e.Positions {
		return false, ""
	}
	return true, fmt.Sprintf("velocity from position: noise is %.2g %% of the power of accelerations from the measured channel, noise and distortion %.2g %% from positions",
		100*e.Measured, 100*e.Positions)
}

// NoiseShare returns the share of noise in the acceleration power of the rows, for a source of velocities and the worst
// joint.
func NoiseShare(runs [][]JointNoise, velocity string, motion, rows filter.LowPass) float64 {
	bands := positionBands(runs)
	if velocity == Measured {
		bands = velocityBands(runs)
	}
	return filter.WorstNoise(bands, motion, rows)
}

// Head reads the first samples of a source into memory.
func (s *Source) Head(ctx context.Context, samples int) (Source, error) {
	out := *s
	seg := *s.Segment
	if s.Samples == nil {
		probe, err := probeOf(ctx, s.Run, s.Segment, s.Layout.Channels[1:], samples)
		if err != nil {
			return out, err
		}
		out.Samples = probe.Columns
		if !seg.Uniform {
			if err := out.markLogged(ctx, samples); err != nil {
				return out, err
			}
		}
	} else {
		out.Samples = nil
		for _, x := range s.Samples {
			out.Samples = append(out.Samples, x[:min(samples, len(x))])
		}
	}
	if n := len(out.Samples[0]); n < seg.N {
		seg.N, seg.tail = n, 0
	}
	out.Segment = &seg
	return out, nil
}

// Motion returns the position and velocity columns of the source, one per joint; velocities are nil if they are not read.
func (s *Source) Motion(columns [][]float64) (positions, velocities [][]float64) {
	positions = s.Layout.position.of(columns)
	if s.Layout.velocity.present() {
		velocities = s.Layout.velocity.of(columns)
	}
	return positions, velocities
}
