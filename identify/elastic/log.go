package elastic

import (
	"fmt"
	"math"
)

// Log is a measured motion on a uniform clock. Slices have one entry per coordinate of x, nil for a channel that
// is not measured; Sensor has one a spring. Positions and torques are those at the joint's side of the gear.
type Log struct {
	Name      string
	Rate      float64 // Hz
	X         [][]float64
	DX, DDX   [][]float64 // derivatives of X; nil to compute them by differences
	Tau       [][]float64 // torques of the drives; entries of links behind a spring are not read
	Sensor    [][]float64 // measured torques of the springs on their links; nil for none
	FirstTime float64     // s
}

// Samples is their number.
func (l *Log) Samples() int {
	for _, x := range [][][]float64{l.X, l.Tau} {
		for _, c := range x {
			if c != nil {
				return len(c)
			}
		}
	}
	return 0
}

// Sensors are the channels that a log has of the elastic joints.
type Sensors string

// The sets of sensors that determine the parameters.
const (
	BothEncoders   Sensors = "encoders of motors and links"
	MotorAndTorque Sensors = "motor encoders and joint torque sensors"
	MotorAlone     Sensors = "motor encoders alone"
)

// ChannelError names a channel that a log lacks.
type ChannelError struct {
	Log, Joint, Channel, Why string
}

func (e *ChannelError) Error() string {
	return fmt.Sprintf("%s: joint %q has no %s: %s", e.Log, e.Joint, e.Channel, e.Why)
}

// Sensors returns the largest set of sensors that a log has at every elastic joint. A sensor that only some
// of these joints have is not used. The error is a *ChannelError.
func (m *Machine) Sensors(l *Log) (Sensors, error) {
	names := m.Names()
	links, torques := true, l.Sensor != nil
	elastic := map[int]bool{}
	for i, s := range m.Springs {
		elastic[s.Q] = true
		links = links && l.X[s.Q] != nil
		torques = torques && l.Sensor[i] != nil
		if s.Motor >= 0 && l.X[s.Motor] == nil {
			return "", &ChannelError{l.Name, s.Joint, "position of the motor", "log the encoder at its motor, as the joint is elastic"}
		}
		if s.Motor < 0 && l.X[s.Q] == nil {
			return "", &ChannelError{l.Name, s.Joint, "position", "log the encoder of its deflection, as its spring has no motor"}
		}
	}
	for i := range l.X {
		if l.X[i] == nil && !elastic[i] {
			return "", &ChannelError{l.Name, names[i], "position", "a joint needs its encoder"}
		}
	}
	for q := range m.Links {
		if i := m.DriveOf(q); i >= 0 && l.Tau[i] == nil {
			return "", &ChannelError{l.Name, names[q], "torque", "without the torque of the motor neither its inertia nor its friction is determined"}
		}
	}
	switch {
	case links:
		return BothEncoders, nil
	case torques:
		return MotorAndTorque, nil
	}
	return MotorAlone, nil
}

// check returns an error for a log from which no rows can be made.
func (l *Log) check() error {
	n := l.Samples()
	if n < fewestSamples {
		return fmt.Errorf("%s: %d samples; a fit needs %d", l.Name, n, fewestSamples)
	}
	for _, group := range [][][]float64{l.X, l.DX, l.DDX, l.Tau, l.Sensor} {
		for _, c := range group {
			if c != nil && len(c) != n {
				panic(fmt.Sprintf("elastic: channels of %d and %d samples", n, len(c)))
			}
			for k, v := range c {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return fmt.Errorf("%s: sample %d is not finite", l.Name, k+1)
				}
			}
		}
	}
	return nil
}

// fewestSamples is the smallest number of samples of a log that can be evaluated.
const fewestSamples = 100
