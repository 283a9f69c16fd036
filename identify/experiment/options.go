package experiment

import (
	"math"
	"slices"

	"ident/identify/project"
	"ident/simulate"
)

// Options are the options of a virtual experiment. The zero value, with a motion, follows the motion once with the usual
// sensors. Lists have one value for all joints, or one for each; nil is the usual value.
type Options struct {
	Motion   string  // file of a designed motion, of a log with positions, or of a task of the tip
	Torques  string  // log of torques of the drives that move the robot in place of a motion, from the state of its first row; "" for none
	Output   string  // log to write, in any format of package datasets
	Rate     float64 // samples a second, Hz; 0 is that of the class of sensors, or simulate.DefaultRate
	Duration float64 // s; 0 is the motion's own
	Repeats  int     // of the motion; 0 is 1

	// Torque, Position and Velocity are standard deviations of noise, N·m or N, rad or m, rad/s or m/s; Encoder is the
	// size of a count, rad or m, and TorqueQuantum the step of the torque sensor.
	Torque, Position, Velocity, Encoder, TorqueQuantum []float64
	VelocityLag, TorqueLag                             float64 // s by which velocities and torques come late

	Ideal        bool     // perfect sensors, and exact accelerations in the log
	Acceleration bool     // exact accelerations in the log
	Passive      bool     // positions of the passive joints of closed loops in the log
	Measure      []string // signals of the drives in the log: torque, current, voltage, pressure; nil is the torque

	Payloads []simulate.Payload

	Controller      string // control law with its gains, as package servo reads it; "" follows the motion exactly
	ControllerModel string // robot file, or folder of a result, that the law takes for its model; "" is the robot itself
	Friction        string // under a controller or torques, in addition to the robot file's (see Friction)

	Sensors string // class of arms whose sensors watch; "" for the sensors of the fields above
	Faults  string // faults of the log, NAME[:JOINT][=SIZE] comma-separated
}

// Check returns an error for options that contradict each other or mean nothing.
func (o *Options) Check() error {
	switch {
	case o.Torques != "" && (o.Motion != "" || o.Controller != "" || o.Repeats != 0 || o.Faults != "" || o.Sensors != ""):
		return project.NewOptionError("{torques} alone moves the robot: leave out {trajectory}, {task}, {controller}, {repeat}, {trials}, {faults} and {sensors}")
	case o.Motion == "" && o.Torques == "":
		return project.NewOptionError("no motion: give {trajectory} FILE (ident design-trajectory makes one), {task} FILE or {torques} FILE")
	case o.ControllerModel != "" && o.Controller == "":
		return project.NewOptionError("{controller-model} goes with {controller}")
	case o.Repeats < 0:
		return project.NewOptionError("{repeat} %d: give 1 or more", o.Repeats)
	case o.Repeats > 0 && o.Duration != 0:
		return project.NewOptionError("{repeat} and {duration} both say how long: give one")
	case !(o.Rate >= 0) || math.IsInf(o.Rate, 0):
		return project.NewOptionError("{rate} %g: give a positive number of samples a second", o.Rate)
	case !(o.Duration >= 0) || math.IsInf(o.Duration, 0):
		return project.NewOptionError("{duration} %g: give a positive number of seconds", o.Duration)
	}
	for _, l := range []struct {
		name string
		x    []float64
	}{{"torque-noise", o.Torque}, {"position-noise", o.Position}, {"velocity-noise", o.Velocity}, {"encoder", o.Encoder}, {"torque-quantum", o.TorqueQuantum}} {
		switch {
		case l.x == nil:
		case o.Ideal:
			return project.NewOptionError("{ideal} and {" + l.name + "} contradict each other")
		case len(l.x) == 0:
			return project.NewOptionError("{" + l.name + "}: give one number for all joints, or one for each")
		case !(slices.Min(l.x) >= 0):
			return project.NewOptionError("{"+l.name+"} %g: give zero or more", slices.Min(l.x))
		}
	}
	return nil
}
