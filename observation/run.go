package observation

import (
	"ident/datasets"
	"ident/regressor"
)

// Run is one log, or a part of its rows, with how its channels are read.
type Run struct {
	Name  string         // name for messages and the result
	Log   *datasets.Log  // the log, cut to the run's rows
	Roles datasets.Roles // channels of the robot's independent joints, in order
	State
	// Passive holds, by joint, the position channels of a closed robot's passive joints, if the log has any.
	Passive map[string]string
	// Redundant are the torque channels of drives at joints that the loops move, in the order of the model's Redundant.
	Redundant []string
	// Bounds holds, by channel name, magnitudes beyond which a row cannot be used. A channel without an entry may have
	// any finite value.
	Bounds map[string]float64
	// Examined is the result of an earlier reading of the same rows, or nil.
	Examined *Examined
	// Weight multiplies the inverse variance of the run's rows; 0 means 1.
	Weight float64
	// Temperature names each joint's temperature channel, if a term needs it; otherwise nil.
	Temperature []string
	// States are the states that terms follow from the run's first row on ([regressor.StatesOf]).
	States regressor.States
	First  int // Log is the rows [First, Last) of the whole log, for messages and the result
	Last   int
	prints *prints // fingerprints of the rows, where Leaks has taken them
}

// Torques returns the channels that joint torques come from: motor currents, or
// torques. The slice is that of Roles: the caller must not change it.
func (r *Run) Torques() []string {
	if r.Gains != nil || r.UnknownGains {
		return r.Roles.Current
	}
	return r.Roles.Tau
}

// contacts returns the channels of the contact's columns that the log has.
func (r *Run) contacts() []string {
	var names []string
	for _, c := range r.Contact {
		if c != "" {
			names = append(names, c)
		}
	}
	return names
}

// payload returns the payload's channel, if there is one.
func (r *Run) payload() []string {
	if r.Payload.Channel == "" {
		return nil
	}
	return []string{r.Payload.Channel}
}

// Channels returns all channels that a fit may read from a run, time first: their values must be finite in every row.
// Velocities and accelerations are included if the log has them for every joint.
func (r *Run) Channels(velocity, acceleration bool) []string {
	names := append([]string{r.Roles.T}, r.Roles.Q...)
	names = append(names, r.Redundant...)
	names = append(names, r.Torques()...)
	if r.Wrench[0] != "" {
		names = append(names, r.Wrench[:]...)
	}
	names = append(names, r.contacts()...)
	names = append(names, r.payload()...)
	names = append(names, r.Temperature...)
	if velocity && r.HasVelocities() {
		names = append(names, r.Roles.DQ...)
	}
	if acceleration && r.HasAccelerations() {
		names = append(names, r.Roles.DDQ...)
	}
	return names
}

// HasVelocities reports whether the log has a velocity channel for every joint.
func (r *Run) HasVelocities() bool { return complete(r.Roles.DQ) }

// HasAccelerations reports whether the log has an acceleration channel for every joint.
func (r *Run) HasAccelerations() bool { return complete(r.Roles.DDQ) }

func complete(names []string) bool {
	for _, n := range names {
		if n == "" {
			return false
		}
	}
	return len(names) > 0
}
