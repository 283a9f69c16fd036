package project

import (
	"context"
	"math"

	"ident/robot"
	"ident/simulate"
)

// Default sensors of a virtual experiment.
const (
	TurningStep  = 2 * math.Pi / (1 << 20) // rad: an encoder of 20 bits
	SlidingStep  = 1e-6                    // m
	TurningNoise = 2e-4                    // rad/s
	SlidingNoise = 2e-5                    // m/s
	TorqueNoise  = 0.01                    // fraction of the root mean square of the joint's torque
)

// UsualSensors fills in the default of every sensor property that is not given.
func UsualSensors(ctx context.Context, o *simulate.Options, r *robot.Robot, motion simulate.Sampler) error {
	var step, noise []float64
	for _, l := range r.Independent() {
		if r.Links[l].Joint.Kind == robot.Prismatic {
			step, noise = append(step, SlidingStep), append(noise, SlidingNoise)
		} else {
			step, noise = append(step, TurningStep), append(noise, TurningNoise)
		}
	}
	if o.Encoder == nil {
		o.Encoder = step
	}
	if o.Noise.Velocity == nil {
		o.Noise.Velocity = noise
	}
	if o.Noise.Torque != nil {
		return nil
	}
	rms, err := TorqueRMS(ctx, r, motion, o)
	if err != nil {
		return err
	}
	for _, v := range rms {
		o.Noise.Torque = append(o.Noise.Torque, TorqueNoise*v)
	}
	return nil
}

// TorqueRMS returns the root mean square of each joint's torque, N·m or N, if the motion is followed exactly for the
// duration of the experiment.
func TorqueRMS(ctx context.Context, r *robot.Robot, motion simulate.Sampler, o *simulate.Options) ([]float64, error) {
	exact, err := simulate.New(r, motion, simulate.Options{Rate: o.Rate, Duration: o.Duration})
	if err != nil {
		return nil, err
	}
	var load MeanSquares
	err = exact.Blocks(ctx, func(e *simulate.Record) error { load.Add(e.Exact.Tau); return nil })
	return load.Roots(), err
}

// MeanSquares accumulates the squares of columns that arrive in blocks.
type MeanSquares struct {
	sum []float64
	n   int // rows
}

// Add adds the next rows of each column.
func (m *MeanSquares) Add(cols [][]float64) {
	if m.sum == nil {
		m.sum = make([]float64, len(cols))
	}
	for i, x := range cols {
		// Row by row, so that the sum does not depend on the blocks.
		s := m.sum[i]
		for _, v := range x {
			s += v * v
		}
		m.sum[i] = s
	}
	if len(cols) > 0 {
		m.n += len(cols[0])
	}
}

// Roots returns the root mean square of each column.
func (m *MeanSquares) Roots() []float64 {
	out := make([]float64, len(m.sum))
	for i, s := range m.sum {
		out[i] = math.Sqrt(s / float64(m.n))
	}
	return out
}
