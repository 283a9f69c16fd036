package causes

import "slices"

// Certainty says when a cause that is named is an error; otherwise it is a warning.
type Certainty int

// Certainties of kinds of causes.
const (
	Possible  Certainty = iota // never: a fit may absorb the cause, or something else looks like it
	Explained                  // if it explains most of the error on rows left out
	Exclusive                  // if no other cause explains the log as well
)

// Kind says what follows from the kind of a cause.
type Kind struct {
	Name      string
	Family    string   // id of the finding: kinds with the same remedy share it
	About     Quantity // channel that the finding names
	Certainty Certainty
	Ordinary  bool // an effect of sound drives, no fault: it is ranked and never a finding
	Raw       bool // found in one channel, without a model
	// Attested says that the cause is told only if it removes what a true one must: a law of friction that is not in the model leaves
	// the same.
	Attested bool
}

// Kinds returns all kinds of causes. A row that leaves a question open does not compile.
func Kinds() []Kind {
	const no = false
	return []Kind{
		{Delay, "lag-torque", Torque, Possible, no, no, no},
		{Skew, "recorder-offset", None, Explained, no, no, no},
		{Recorder, "recorder-offset", Torque, Explained, no, no, no},
		{Clock, "clock-rate", Time, Explained, no, no, no},
		{ClockStep, "time-jump", Time, Explained, no, no, no},
		{Reversed, "reversed", Time, Exclusive, no, no, no},
		{Scale, "gear-ratio", Torque, Explained, no, no, no},
		{Gear, "gear-ratio", Position, Explained, no, no, no},
		{Asymmetry, "asymmetry", Torque, Explained, no, no, no},
		{Saturated, "saturated", Torque, Explained, no, no, no},
		{Curve, "asymmetry", Torque, Possible, no, no, true},
		{SpeedScale, "gear-ratio", Torque, Possible, no, no, true},
		{Warming, "drift", None, Possible, no, no, no}, // the friction found is that of the log's middle, and the bodies are right
		{Drift, "drift", Torque, Explained, no, no, no},
		{ScaleDrift, "drift", Torque, Explained, no, no, no},
		{GravityVector, "gravity", None, Explained, no, no, no},
		{TiltStep, "base-moves", None, Possible, no, no, true},
		{GravityOf, "torque-kind", Torque, Explained, no, no, no},
		{GravityMissing, "torque-kind", Torque, Explained, no, no, no},
		{GravityTwice, "torque-kind", Torque, Explained, no, no, no},
		{Weightless, "torque-kind", None, Exclusive, no, no, no},
		{External, "torque-kind", None, Exclusive, no, no, no},
		{FrictionFree, "torque-kind", None, Possible, no, no, no},
		{Zero, "offset", Position, Possible, no, no, no},
		{Slip, "offset", Position, Possible, no, no, no},
		{Eccentric, "offset", Position, Possible, no, no, no},
		{Compliance, "elastic", Position, Possible, no, no, true},
		{Backlash, "backlash", Position, Possible, no, no, no},
		{Geometry, "geometry", Joint, Explained, no, no, no},
		{LengthsInMillis, "geometry", None, Explained, no, no, no},
		{Payload, "payload", None, Possible, no, no, no},
		{PayloadOfLog, "payload", None, Possible, no, no, no},
		{Contact, "contact", None, Possible, no, no, no},
		{Drag, "contact", None, Possible, no, no, no},
		{Spring, "contact", Torque, Possible, no, no, true},
		{Coupling, "coupling", Torque, Possible, no, no, no},
		{Mixed, "coupling", Position, Possible, no, no, true},
		{Talks, "coupling", Torque, Possible, no, no, true},
		{TorqueSign, "sign", Torque, Explained, no, no, no},
		{PositionSign, "sign", Position, Explained, no, no, no},
		{AllSigns, "sign", None, Exclusive, no, no, no},
		{TorqueOrder, "joint-order", Torque, Explained, no, no, no},
		{PositionOrder, "joint-order", Position, Explained, no, no, no},
		{JointOrder, "joint-order", Position, Explained, no, no, no},
		{Units, "units", Position, Explained, no, no, no},
		{Smoothed, "smoothed", None, Possible, no, no, no},

		{LoadFriction, "friction-law", Torque, Possible, no, no, true},
		{Bandwidth, "bandwidth", None, Possible, true, no, no},
		{Friction, "friction", None, Possible, true, no, no},
		{Ripple, "ripple", None, Possible, true, no, no},

		{Placeholder, "spike", None, Explained, no, true, no},
		{Spikes, "spike", None, Explained, no, true, no},
		{Wrapped, "wrapped", None, Explained, no, true, no},
		{Held, "held", None, Explained, no, true, no},
		{TimeJump, "time-jump", Time, Explained, no, true, no},
		{Repeated, "time-jump", Time, Explained, no, true, no},
		{RateChange, "time-jump", Time, Explained, no, true, no},
		{Shuffled, "clock-jitter", Time, Possible, no, true, no},
	}
}

// KindOf returns the kind with a name; it panics if there is none.
func KindOf(name string) Kind {
	kinds := Kinds()
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		panic("causes: no kind " + name)
	}
	return kinds[i]
}

// Family returns the id of the finding that the cause makes.
func (c Cause) Family() string { return KindOf(c.Kind).Family }
