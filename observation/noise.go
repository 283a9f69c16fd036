package observation

import (
	"context"
	"fmt"
	"slices"

	"ident/filter"
)

// noiseSamples bounds the part of a segment on which noise is measured: two of the longest periodograms.
const noiseSamples = 1 << 16

// JointNoise is the noise of a joint's motion channels, rad or m, and per second.
type JointNoise struct {
	Position filter.ChannelNoise
	Velocity filter.ChannelNoise // zero where it is not measured
	// Acceleration is the root mean square of the joint's, from positions, rad/s² or m/s².
	Acceleration float64

	position, velocity filter.MotionBands

	// Of StepRule: the time on either side of a step of the acceleration, s, and the least step.
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
		s := spectra.Of(x, 1/seg.DT)
		c := filter.NoiseOf(x, s)
		b := s.Bands(c.Sigma, derivative, like[derivative])
		like[derivative] = b
		return c, b, s.Derivative(c.Sigma, 2-derivative)
	}
	for k := range out {
		out[k].Position, out[k].position, out[k].Acceleration = measure(probe.Columns[k], 0)
		out[k].measureSteps(probe.Columns[k], seg.DT)
		if len(probe.Columns) > joints {
			out[k].Velocity, out[k].velocity, _ = measure(probe.Columns[joints+k], 1)
		}
	}
	return out, nil
}

// positionBands and velocityBands are those of all runs, by joint.
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
			out[k] = append(out[k], of(n))
		}
	}
	return out
}

// MotionCutoff chooses the cut-off of the motion's low-pass, at most the given one, where velocities come
// from positions and rows go through a low-pass: see filter.MotionCutoff, for the joint that fares worst. The filter has the order filter.MotionOrder.
func MotionCutoff(runs [][]JointNoise, most float64, rows filter.LowPass) (cutoff float64, reason string) {
	cutoff, share := filter.MotionCutoff(positionBands(runs), most, rows)
	if cutoff == most {
		return cutoff, ""
	}
	return cutoff, fmt.Sprintf("motion filtered at %.3g Hz for the noise of the positions: there it is %.2g %% of the accelerations' power in the joint that fares worst, and the motion that is filtered away %.2g %%",
		cutoff, 100*share.Noise, 100*share.Distortion)
}

// MotionShare is the noise and the distortion of accelerations from positions behind a low-pass, as parts of their power in
// the joint that fares worst.
func MotionShare(runs [][]JointNoise, motion, rows filter.LowPass) filter.Share {
	return filter.WorstShare(positionBands(runs), motion, rows)
}

// wholeMotion is the part of the accelerations' power, taken away by the low-pass of the motion, below which the torque need not
// miss it too: the tolerable noise. On the example at 3.5 Hz the torque alone would lose harmonics of products of the motion,
// 0.7 deviations of an inertia.
const wholeMotion = filter.TolerableNoise

// WholeMotion tells that a low-pass of the motion from positions, of order filter.MotionOrder, takes nothing from it.
func WholeMotion(runs [][]JointNoise, cutoff float64, rows filter.LowPass) bool {
	return MotionShare(runs, filter.LowPass{Cutoff: cutoff, Order: filter.MotionOrder}, rows).Distortion < wholeMotion
}

// noisyVelocity is the share of noise in the power of measured accelerations, after the filters, from which
// another source is worth asking for.
const noisyVelocity = 10 * filter.TolerableNoise

// noiseRatio is the ratio of errors from which positions are taken instead of a measured velocity. A
// measured channel has gone through the robot's own filter, which its floor of noise does not show: only a clear
// difference speaks against it.
const noiseRatio = 3

// VelocityErrors are the errors of accelerations, as parts of their power in the joint that fares
// worst, by the source of velocities.
type VelocityErrors struct {
	Measured  float64 // noise of the measured channel
	Positions float64 // noise and distortion of differences of positions
}

// CompareVelocities returns the errors of measured velocities behind a low-pass, and of differences of positions,
// behind one of at most the given cut-off.
func CompareVelocities(runs [][]JointNoise, velocity filter.LowPass, most float64, rows filter.LowPass) (e VelocityErrors) {
	e.Measured = filter.WorstNoise(velocityBands(runs), velocity, rows)
	_, position := filter.MotionCutoff(positionBands(runs), most, rows)
	e.Positions = position.Total()
	return e
}

// PreferPositions reports whether measured velocities carry so much noise that differences of positions are the
// better source, with the reason.
func (e VelocityErrors) PreferPositions() (bool, string) {
	if e.Measured < noisyVelocity || e.Measured < noiseRatio*e.Positions {
		return false, ""
	}
	return true, fmt.Sprintf("velocity from position: noise is %.2g %% of the power of accelerations from the measured channel, noise and distortion %.2g %% from positions",
		100*e.Measured, 100*e.Positions)
}

// NoiseShare is the share of noise in the power of the rows' accelerations, by the source of velocities, in the
// joint that fares worst.
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

// Motion returns the position and the velocity columns of the source, one a joint; velocities are nil where they
// are not read.
func (s *Source) Motion(columns [][]float64) (positions, velocities [][]float64) {
	positions = s.Layout.position.of(columns)
	if s.Layout.velocity.present() {
		velocities = s.Layout.velocity.of(columns)
	}
	return positions, velocities
}
