package elastic

import (
	"math"

	"ident/simulate/plant"
)

// sampler is a reference with a duration.
type sampler interface {
	Reference
	Duration() float64
}

// Parameters of Shake.
const (
	// shakeLines is the number of lines of a multisine. In a band of two octaves, about five of them lie within the
	// half width of a resonance with a damping ratio of 5 %.
	shakeLines = 24
	// shakePart is the root mean square of the multisine over that of the torque along the reference; shakeLimit is its
	// largest ratio to the drive's limit, if the file gives one.
	shakePart, shakeLimit = 0.3, 0.1
	// shakeBelow and shakeAbove are the ends of the band, relative to the lowest anti-resonance and the highest
	// resonance.
	shakeBelow, shakeAbove = 0.5, 1.25
)

// Shake designs the torques that show the stiffness: a multisine a joint, in the band from half the
// lowest anti-resonance to a quarter above the highest resonance of the robot file's parameters, where the
// deflection is largest for a torque and tells stiffness from inertia. Below, motor and link move as one; far
// above, the link stands still. Joints have shares of a period between them.
func (m *Machine) Shake(ref sampler, duration float64) ([]Multisine, error) {
	if err := m.complete("the design of an excitation"); err != nil {
		return nil, err
	}
	modes, err := m.modes(m.standardModel(), make([]float64, m.Links))
	if err != nil {
		return nil, err
	}
	low, high := math.Inf(1), 0.0
	for _, f := range modes.AntiResonances {
		if f > 0 {
			low, high = math.Min(low, f), math.Max(high, f)
		}
	}
	for _, f := range modes.Resonances {
		high = math.Max(high, f)
	}
	if high == 0 {
		low, high = 1, 1
	}
	first := shakeBelow * low
	step := (shakeAbove*high - first) / (shakeLines - 1)
	load, err := m.load(ref, duration)
	if err != nil {
		return nil, err
	}
	moving := m.Robot.Moving()
	out := make([]Multisine, m.Links)
	for q := range out {
		if m.DriveOf(q) < 0 {
			continue
		}
		amount := shakePart * load[q]
		if limit := m.Robot.Links[moving[q]].Joint.Effort; limit > 0 {
			amount = math.Min(amount, shakeLimit*limit)
		}
		out[q] = Multisine{Amplitude: amount / math.Sqrt(shakeLines/2), First: first, Step: step, Lines: shakeLines, Shift: float64(q) / (step * float64(m.Links))}
	}
	return out, nil
}

// load returns the root mean square of the rigid robot's torques along a reference, by joint.
func (m *Machine) load(ref Reference, duration float64) ([]float64, error) {
	model, err := plant.NewModel(m.Robot)
	if err != nil {
		return nil, err
	}
	const samples = 400
	n := m.Links
	q, dq, ddq, tau, out := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range samples {
		ref.Eval(duration*float64(k)/samples, q, dq, ddq)
		model.InverseDynamics(tau, q, dq, ddq)
		model.AddFriction(tau, dq)
		for i, v := range tau {
			out[i] += v * v / samples
		}
	}
	for i := range out {
		out[i] = math.Sqrt(out[i])
	}
	return out, nil
}
