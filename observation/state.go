package observation

// State is what is so in one run of a robot and may be otherwise in another: how its torques are known, what the robot carries, and
// what touches it. It stands beside the model of the robot, which holds gravity. Fits, tests of one log or of several, and watches of
// streams take it. The zero value is a bare robot that nothing touches, with torques in the log.
type State struct {
	Gains []float64 // joint torque per motor current, N·m/A or N/A; nil if the log has torques
	// BackEMF is the torque per joint speed that Gains do not include, N·m·s/rad or N·s/m. It is set for motor voltages;
	// Gains and the current channels then refer to voltages. nil: none.
	BackEMF []float64
	// GainSigma are the relative standard deviations of Gains, or of the torque channels' calibration if there are no
	// gains; nil: exact.
	GainSigma []float64
	// UnknownGains says that the log has motor currents and that drive gains are columns of the model.
	UnknownGains bool
	// Loads are the payloads of the model.
	Loads []Load
	// Carries is the load that is on its link in every row, nil for none.
	Carries *Load
	// Payload is a channel that says row by row which load is carried, instead of Carries. Rows near its changes, within
	// the filters' response, are left out of fits.
	Payload PayloadFlag
	// Wrench names the channels of a measured external wrench, force first; Wrench[0] is "" if there is none.
	Wrench [6]string
	// Contact names the channels that multiply the columns of a contact, one a normal: flags, or measured forces. If the
	// second is "", the first counts for both normals; if both are "", the contact is closed in every row.
	Contact [2]string
}

// A Load is a body, unknown to the robot file, that the robot carries on a link.
type Load struct {
	Link   int // of the robot
	Number int // tells the loads of one robot apart; 0 if there is only one
}

// Signal returns the quantity that drive gains convert to joint torques: "voltage" or "current".
func (s *State) Signal() string {
	if s.BackEMF != nil {
		return "voltage"
	}
	return "current"
}

// Torque stores the torque of a joint in dst, which may be measured itself: the measured column, which is a torque or what Gains
// convert, less what BackEMF takes at the joint's velocity.
func (s *State) Torque(dst []float64, joint int, measured, velocity []float64) {
	if s.Gains == nil {
		copy(dst, measured)
	} else {
		for i, x := range measured {
			dst[i] = s.Gains[joint] * x
		}
	}
	if s.BackEMF != nil {
		for i, dq := range velocity {
			dst[i] -= s.BackEMF[joint] * dq
		}
	}
}

// At returns the load that is carried at a value of the channel of Payload, nil for none of Loads.
func (s *State) At(flag float64) *Load {
	on, why := s.Payload.state(flag)
	if why != "" || on <= bare {
		return nil
	}
	number := s.Payload.Number
	if s.Payload.Numbers != nil {
		number = int(on)
	}
	for i := range s.Loads {
		if l := &s.Loads[i]; l.Number == 0 || l.Number == number {
			return l
		}
	}
	return nil
}

// MayCarry reports whether a load is carried in some row.
func (s *State) MayCarry() bool { return s.Carries != nil || s.Payload.Channel != "" }

// attached returns what the model's signal of payloads is if Carries holds in every row: 0 for none, otherwise the number of the
// load, or 1.
func (s *State) attached() float64 {
	if s.Carries == nil {
		return 0
	}
	return float64(max(s.Carries.Number, 1))
}
