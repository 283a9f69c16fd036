package project

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"ident/robot"
	"ident/simulate"
)

// Default sensors of a virtual experiment.
const (
	TurningStep  = 2 * math.Pi / (1 << 20) // rad: an encoder of 20 bits
	SlidingStep  = 1e-6                    // m
	TurningNoise = 2e-4                    // rad/s
	SlidingNoise = 2e-5                    // m/s
	TorqueNoise  = 0.01                    // of the joint's own torque, root mean square
)

// UsualSensors fills in the default for every property of the sensors that is not given.
func UsualSensors(o *simulate.Options, r *robot.Robot, motion simulate.Sampler) error {
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
	exact, err := simulate.Run(r, motion, simulate.Options{Rate: o.Rate, Duration: o.Duration})
	if err != nil {
		return err
	}
	for _, v := range RMS(exact.Exact.Tau) {
		o.Noise.Torque = append(o.Noise.Torque, TorqueNoise*v)
	}
	return nil
}

// RMS is the root mean square of each column.
func RMS(cols [][]float64) []float64 {
	out := make([]float64, len(cols))
	for i, x := range cols {
		out[i] = math.Sqrt(stat.MomentAbout(2, x, 0, nil))
	}
	return out
}
