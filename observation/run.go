package observation

import (
	"ident/datasets"
	"ident/regressor"
)

// Run is one log, or the rows of one that are used, and how its channels are read.
type Run struct {
	Name  string         // for messages and the result
	Log   *datasets.Log  // these rows only
	Roles datasets.Roles // channels of the robot's independent joints, in order
	Gains []float64      // joint torque per motor current, N·m/A or N/A; nil where the log has torques
	// BackEMF is the torque a joint's speed that Gains leave out, N·m·s/rad or N·s/m: of motor
	// voltages, to which Gains and the channels of currents then refer. nil: none.
	BackEMF []float64
	// GainSigma are the relative standard deviations of Gains, or of the calibration of
	// the torque channels where there are none; nil: exact.
	GainSigma []float64
	// Passive are the position channels of a closed robot's passive joints, by
	// joint, where the log has any.
	Passive map[string]string
	// Redundant are the torque channels of drives at joints that the loops move,
	// in the order of the model's Redundant.
	Redundant []string
	// Bounds are magnitudes of channels, by name, beyond which a row cannot be
	// used; a channel without one may have any finite value.
	Bounds map[string]float64
	// Examined is the result of an earlier reading of the same rows, nil where there was none.
	Examined *Examined
	// PayloadAttached: the payload of the model, if it has one, is on its link.
	PayloadAttached bool
	// PayloadNumber is that of the payload that is on, where the model has several.
	PayloadNumber int
	// Payload is the channel that says so row by row, in place of PayloadAttached. Rows
	// beside its changes, as far as the filters' response reaches, are left out.
	Payload PayloadFlag
	// UnknownGains: the log has motor currents, and drive gains are columns of the
	// model.
	UnknownGains bool
	// Wrench names the channels of a measured external wrench, force first; its first
	// is "" where there is none.
	Wrench [6]string
	// Contact names the channels that multiply the columns of a contact, one a normal:
	// flags, or measured forces. The second may be "", for the first, and both, for ones:
	// a contact that is closed in every row.
	Contact [2]string
	// Weight multiplies the inverse variance of the run's rows; 0 is 1.
	Weight float64
	// Temperature names the channel of each joint's temperature, where a term needs it; nil for none.
	Temperature []string
	// States are those that terms follow from the run's first row on ([regressor.StatesOf]).
	States regressor.States
	First  int // Log is the rows [First, Last) of the whole log, for messages and the result
	Last   int
}

// Signal names the channels that joint torques come from.
func (r *Run) Signal() string {
	if r.BackEMF != nil {
		return "voltage"
	}
	return "current"
}

// Torques returns the channels that joint torques come from: motor currents, or
// torques. The slice is that of Roles: the caller must not change it.
func (r *Run) Torques() []string {
	if r.Gains != nil || r.UnknownGains {
		return r.Roles.Current
	}
	return r.Roles.Tau
}

// contacts lists the channels of the contact's columns that the log has.
func (r *Run) contacts() []string {
	var names []string
	for _, c := range r.Contact {
		if c != "" {
			names = append(names, c)
		}
	}
	return names
}

// payload lists the channel of the payload, where there is one.
func (r *Run) payload() []string {
	if r.Payload.Channel == "" {
		return nil
	}
	return []string{r.Payload.Channel}
}

// Channels lists all channels that a fit may read of a run, time first: those whose
// values have to be finite in every row. Velocities and accelerations count where
// the log has them for every joint.
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
