package project

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"ident/datasets"
	"ident/estimate"
	"ident/filter"
	"ident/identify/regression"
	"ident/internal/textfile"
	"ident/observation"
	"ident/regressor"
)

// A Setting is one entry of the table of settings: a key of the project file and an
// option of the command line, which write the same field of [Settings].
type Setting struct {
	Key     string // key in the project file; a dot separates a section from its key
	Option  string // name of the option on a command line, without dashes
	Group   Group
	Help    string // help text; it names other settings as {key}: see [NameSettings]
	Default string // default as the help shows it; "" if Help says it
	Form    Form
	Unit    string // unit of its numbers; "" if they have none, or each has its own
	Range   *Range // range of its numbers; nil if every finite number is allowed
	Choices []string
	Free    bool // Choices are words beside which others can be given

	field func(*Settings) any                     // pointer to the field
	set   func(s *Settings, texts []string) error // in place of the field's own type
	check func(s *Settings) error                 // of the value by itself; nil where every value can be used
}

// A Range bounds the numbers of a setting, inclusive. Every setting for a length, rate, count or duration has one, so
// that no memory or time is spent on absurd values; bounds that depend on a log are checked with the log.
type Range struct {
	Low, High float64
	Zero      bool // 0 can be given too, and means none
}

// Ranges of quantities. A log of a day is long, a filter below a millihertz needs hours of log, no signal of a robot
// exceeds a megahertz, and a thousand m/s² is a hundred times the Earth's gravity.
var (
	lengthOfTime = &Range{Low: 1e-6, High: 1e6, Zero: true}
	anyTime      = &Range{Low: 0, High: 1e6}
	frequency    = &Range{Low: 1e-3, High: 1e6, Zero: true}
	acceleration = &Range{Low: -1000, High: 1000}
)

// Group is the subject of a setting; it determines which commands have the setting.
type Group string

// The groups.
const (
	RobotFile  Group = "robot file"
	RobotModel Group = "robot"
	Terms      Group = "terms"
	Logs       Group = "logs"
	Processing Group = "processing"
	Motion     Group = "limits of motions"
	Estimate   Group = "estimate"
	TermData   Group = "data of terms"
	BodyRules  Group = "priors and bounds of bodies"
	Gates      Group = "gates"
	Stand      Group = "robots that stand"
	Random     Group = "random draws"
)

// Form says how texts become values if the field's type leaves a choice.
type Form int

// The forms of a setting.
const (
	Plain  Form = iota
	Listed      // the setting is one text, comma-separated
	Each        // the setting is a list with one element for each text
	Colon       // NAME:VALUE in place of NAME=VALUE
)

// Table returns a copy of all settings.
func Table() []Setting { return slices.Clone(declared()) }

// declared declares every setting, once: command-line options, their help and the checks follow from it.
var declared = sync.OnceValue(func() []Setting {
	return []Setting{
		{Key: "robot", Option: "robot", Group: RobotFile, field: func(s *Settings) any { return &s.Robot },
			Help: "robot file (URDF, xacro, MuJoCo, SDFormat, SYMORO+ .par or YAML)"},

		{Key: "gravity", Option: "gravity", Group: RobotModel, Unit: "m/s²", Range: acceleration, field: func(s *Settings) any { return &s.Gravity }, check: checkGravity,
			Help: "gravity in the base frame, m/s² (default 0,0,-9.81)"},
		{Key: "set", Option: "set", Group: RobotModel, field: func(s *Settings) any { return &s.Set },
			Help: "value of a geometry symbol, NAME=VALUE (repeatable)"},
		{Key: "args", Option: "arg", Group: RobotModel, field: func(s *Settings) any { return &s.Args },
			Help: "argument of a xacro file, NAME=VALUE (repeatable)"},
		{Key: "packages", Option: "package", Group: RobotModel, field: func(s *Settings) any { return &s.Packages },
			Help: "folder of a package that a xacro or SDFormat file finds, NAME=FOLDER (repeatable)"},
		{Key: "outside-files", Option: "outside-files", Group: RobotModel, field: func(s *Settings) any { return &s.OutsideFiles },
			Help: "let a xacro or SDFormat file read files outside of its own folder or package and of {packages}"},
		{Key: "no-snap", Option: "no-snap", Group: RobotModel, field: func(s *Settings) any { return &s.NoSnap },
			Help: "keep rounded angles such as 1.5708 as they are"},
		{Key: "lock", Option: "lock", Group: RobotModel, field: func(s *Settings) any { return &s.Lock },
			Help: "take a joint as fixed, JOINT=VALUE (repeatable)"},
		{Key: "loops", Option: "loops", Group: RobotModel, field: func(s *Settings) any { return &s.Loops }, set: readLoops,
			Help: "YAML file with the closed loops of the robot, for file formats that have none"},
		{Key: "assembly", Option: "assembly", Group: RobotModel, field: func(s *Settings) any { return &s.Assembly },
			Help: "position of a joint near which the loops are assembled in the right way, JOINT=VALUE (repeatable)"},
		{Key: "couplings", Option: "coupling", Group: RobotModel, Form: Each, field: func(s *Settings) any { return &s.Couplings },
			Help: "a drive that several joints share, e.g. \"joint_6=joint_5+joint_6\" (repeatable); none declines those that the check of the logs proposes"},
		{Key: "still", field: func(s *Settings) any { return &s.Immobile }},
		{Key: "carried", field: func(s *Settings) any { return &s.Unactuated }},

		{Key: "terms", Option: "terms", Group: Terms, Form: Listed, field: func(s *Settings) any { return &s.Terms },
			Help: "terms of the model: " + termList()},
		{Key: "joint-terms", Option: "joint-terms", Group: TermData, field: func(s *Settings) any { return &s.JointTerms }, check: checkJointTerms,
			Help: "laws of friction of a joint in place of those of {terms}, JOINT=Fv,Fs,Fst, or JOINT=none (repeatable)"},

		{Key: "joints", Option: "joints", Group: Logs, Form: Listed, field: func(s *Settings) any { return &s.Joints },
			Help: "joints that the log holds, in its numbering"},
		{Key: "preset", Option: "preset", Group: Logs, field: func(s *Settings) any { return &s.Preset }, check: checkPreset,
			Help: "names and units of a robot's own recordings: " + strings.Join(datasets.PresetNames(), " or ") + "; {map} and {units} override it"},
		{Key: "map", Option: "map", Group: Logs, field: func(s *Settings) any { return &s.Map },
			Help: "channel of a signal, e.g. tau1=force, or of all joints by a pattern, 'tau_*=Torque *' (repeatable)"},
		{Key: "units", Option: "unit", Group: Logs, field: func(s *Settings) any { return &s.Units },
			Help: "unit of a channel, e.g. q1=deg, or of those that a pattern matches, q*=deg (repeatable)"},
		{Key: "scale", Option: "scale", Group: Logs, field: func(s *Settings) any { return &s.Scale }, check: checkDeclared,
			Help: "SI value of one raw unit of a channel, CHANNEL=FACTOR, instead of {units} (repeatable, patterns as there)"},
		{Key: "zero", Option: "zero", Group: Logs, field: func(s *Settings) any { return &s.Zero }, check: checkDeclared,
			Help: "raw value of a channel that means zero, CHANNEL=VALUE: its values are (raw - VALUE) times unit or scale (repeatable)"},
		{Key: "topics", Option: "topic", Group: Logs, Form: Each, field: func(s *Settings) any { return &s.Topics },
			Help: "topic of a recording (MCAP, ROS bag) to read; the first one gives the clock (repeatable)"},
		{Key: "columns", Option: "columns", Group: Logs, Form: Listed, field: func(s *Settings) any { return &s.Columns },
			Help: "names of the columns of a table without a line of names: t,q1..q7,_,tau1..tau7; _ leaves a column out"},
		{Key: "rate", Option: "rate", Group: Logs, Unit: "Hz", Range: frequency, field: func(s *Settings) any { return &s.Rate },
			Help: "sampling rate of a log without a clock, whose rows are evenly spaced, Hz"},
		{Key: "env", Option: "env", Group: Logs, Range: &Range{Low: 0, High: 1 << 20}, field: func(s *Settings) any { return &s.Env },
			Help: "robot of arrays that hold several, rows by robots by columns, from 0"},
		{Key: "gains", Option: "gains", Group: Logs, field: func(s *Settings) any { return &s.Gains },
			Help: "drive gains: joint torque per motor current, one for each joint"},
		{Key: "gain-sigma", Option: "gain-sigma", Group: Logs, Form: Listed, field: func(s *Settings) any { return &s.GainSigma }, check: checkGainSigma,
			Help: "standard deviation of the drive gains, or of the torques' calibration, one for each joint, in their unit or relative (2%); one in per cent is for all (default: exact)"},
		{Key: "logs", Option: "read", Group: Logs, field: func(s *Settings) any { return &s.Readings }, check: checkReadings,
			Help: "how one log is read in place of the settings of all, LOG:KEY=VALUE, e.g. other.csv:unit=q*=deg; the keys are map, unit, scale, zero, topic, columns, rate, env, preset, gains and gain-sigma (repeatable)"},
		{Key: "rows", Option: "rows", Group: Logs, Form: Colon, field: func(s *Settings) any { return &s.Rows },
			Help: "rows of a log to use, LOG:FIRST-LAST, of a single log FIRST-LAST, from 1, both included (repeatable)"},
		{Key: "on-bad", Option: "on-bad", Group: Logs, Choices: []string{"error", "drop"}, field: func(s *Settings) any { return &s.OnBad },
			Help: "rows that cannot be used: error or drop (default error)"},
		{Key: "trim", Option: "trim", Group: Logs, Default: "0.5", Unit: "s", Range: anyTime, field: func(s *Settings) any { return &s.Trim },
			Help: "seconds cut from both ends of each run"},

		{Key: "plain", Option: "plain", Group: Processing, field: func(s *Settings) any { return &s.Plain },
			Help: "the defaults of version 0.2.0: choose no terms, coupling, estimator or prior on the data, and name no causes of what torques have in excess"},
		{Key: "cutoff", Option: "cutoff", Group: Processing, Unit: "Hz", Range: frequency, field: func(s *Settings) any { return &s.Cutoff }, set: setCutoff,
			Help: "zero-phase low-pass of torque and regressor, Hz; 0 for none, auto for 10 or five times the band of the motion, a fifth of the rate at most (default)"},
		{Key: "motion-cutoff", Option: "motion-cutoff", Group: Processing, Unit: "Hz", Range: frequency, field: func(s *Settings) any { return &s.MotionCutoff },
			Help: "zero-phase low-pass of the positions before differentiation, Hz (default: as {cutoff} with measured velocities; without, up to five times that, lower where the noise of the positions asks for it)"},
		{Key: "filter-order", Option: "filter-order", Group: Processing, Range: &Range{Low: 1, High: filter.MaxOrder}, field: func(s *Settings) any { return &s.FilterOrder },
			Help: "order of the Butterworth filters before doubling (default 2)"},
		{Key: "decimate", Option: "decimate", Group: Processing, Range: &Range{Low: 1, High: maxDecimation}, field: func(s *Settings) any { return &s.Decimate },
			Help: "keep every Nth row after a zero-phase FIR filter, in place of the parallel low-pass"},
		{Key: "keep-rows", Option: "keep-rows", Group: Processing, Choices: []string{regression.KeepAll, regression.KeepAuto}, field: func(s *Settings) any { return &s.KeepRows },
			Help: "rows behind the low-pass that are fitted: all, or auto, of long logs those at five times the cut-off (default auto)"},
		{Key: "velocity", Option: "velocity", Group: Processing, Choices: []string{observation.Auto, observation.Measured, observation.FromPosition}, field: func(s *Settings) any { return &s.Velocity },
			Help: "auto, measured or position (default auto)"},
		{Key: "differentiator", Option: "differentiator", Group: Processing, Choices: regression.Differentiators(), field: func(s *Settings) any { return &s.Differentiator },
			Help: "of positions: " + strings.Join(regression.Differentiators(), ", ") + " (default " + regression.Central + ")"},
		{Key: "acceleration", Option: "acceleration", Group: Processing, Choices: []string{observation.Auto, observation.Measured, observation.FromVelocity, observation.FromPosition}, field: func(s *Settings) any { return &s.Acceleration },
			Help: "auto, measured, velocity or position (default auto)"},
		{Key: "rest", Option: "rest", Group: Processing, Choices: []string{regression.RestAuto, regression.RestKeep, regression.RestDrop}, field: func(s *Settings) any { return &s.Rest },
			Help: "rows of joints at rest, where the sign of friction is not known: keep, drop, or auto, which keeps them where they help to predict rows in motion (default auto; keep with {plain})"},

		{Key: "limits.position", Option: "position-limits", Group: Motion, Unit: "rad or m", field: func(s *Settings) any { return &s.Limits.Position }, set: setPositionLimits,
			Help: "lower:upper of each joint, comma-separated (rad or m)"},
		{Key: "limits.velocity", Option: "velocity-limits", Group: Motion, Unit: "rad/s or m/s", field: func(s *Settings) any { return &s.Limits.Velocity },
			Help: "top speed of each joint, comma-separated"},
		{Key: "limits.acceleration", Option: "acceleration-limits", Group: Motion, Unit: "rad/s² or m/s²", field: func(s *Settings) any { return &s.Limits.Acceleration },
			Help: "top acceleration of each joint, comma-separated"},
		{Key: "limits.jerk", Option: "jerk-limits", Group: Motion, Unit: "rad/s³ or m/s³", field: func(s *Settings) any { return &s.Limits.Jerk },
			Help: "top jerk of each joint, comma-separated"},
		{Key: "limits.torque", Option: "torque-limits", Group: Motion, Unit: "N·m or N", field: func(s *Settings) any { return &s.Limits.Torque },
			Help: "top torque or force of each joint, comma-separated"},
		{Key: "limits.power", Option: "power-limits", Group: Motion, Unit: "W", Range: &Range{Low: 1e-9, High: 1e9}, field: func(s *Settings) any { return &s.Limits.Power },
			Help: "top mechanical power of each joint in W, comma-separated"},

		{Key: "train-fraction", Option: "train-fraction", Group: Estimate, field: func(s *Settings) any { return &s.TrainFraction }, check: checkTrainFraction,
			Help: "train on the first part of every log, validate on the rest"},
		{Key: "validate", Option: "validate", Group: Estimate, Form: Each, field: func(s *Settings) any { return &s.Validate },
			Help: "log to validate on (repeatable)"},
		{Key: "estimator", Option: "estimator", Group: Estimate, Choices: EstimatorNames(), field: func(s *Settings) any { return &s.Estimator }, check: checkEstimator,
			Help: strings.Join(EstimatorNames(), ", ") + " (default auto)"},
		{Key: "weights", Option: "weight", Group: Estimate, field: func(s *Settings) any { return &s.Weights },
			Help: "factor of the inverse variance of a log's rows, LOG=0.5 (repeatable)"},
		{Key: "loss", Option: "loss", Group: Estimate, Choices: []string{string(estimate.Huber), string(estimate.Bisquare)}, field: func(s *Settings) any { return &s.Loss },
			Help: "what irls minimises: huber or bisquare (default huber)"},
		{Key: "memory", Option: "memory", Group: Estimate, Unit: "s", Range: lengthOfTime, field: func(s *Settings) any { return &s.Memory },
			Help: "seconds after which a running estimate counts a row by 1/e (default: it forgets nothing)"},
		{Key: "bootstrap", Option: "bootstrap", Group: Estimate, Range: &Range{Low: 2, High: maxDraws, Zero: true}, field: func(s *Settings) any { return &s.Bootstrap },
			Help: "draw the periods of the logs again this many times, for standard deviations without assumptions about the errors"},
		{Key: "period", Option: "period", Group: Estimate, Unit: "s", Range: lengthOfTime, field: func(s *Settings) any { return &s.Period },
			Help: "period of the motion in seconds, which {bootstrap} draws as one piece (default: two time blocks)"},
		{Key: "periodic", Option: "periodic", Group: Estimate, field: func(s *Settings) any { return &s.Periodic }, check: checkPeriodic,
			Help: "average every log over the periods of its motion, SECONDS or auto, and differentiate the averages by their Fourier series"},
		{Key: "model", Option: "model", Group: Estimate, field: func(s *Settings) any { return &s.Model }, check: checkModel,
			Help: "identification model: dynamic, energy, power, filtered or momentum; of several, separated by commas, each is fitted and all are compared (default dynamic)"},
		{Key: "window", Option: "window", Group: Estimate, Unit: "s", Range: lengthOfTime, field: func(s *Settings) any { return &s.Window },
			Help: "seconds of the windows of the energy and momentum models (default: those that pass the band of {cutoff})"},
		{Key: "minimum-norm", Option: "minimum-norm", Group: Estimate, field: func(s *Settings) any { return &s.MinimumNorm },
			Help: "accept logs that do not determine all parameters, with the smallest solution"},
		{Key: "torque", Option: "torque", Group: Estimate, Choices: []string{"measured", WithoutGravity, NoTorque}, field: func(s *Settings) any { return &s.Torque },
			Help: "measured; gravity-compensated (the driver took out the gravity of the robot file's bodies: it is added again); none (the torques follow from {controller}, with ? for unknown gains) (default measured)"},
		{Key: "controller", Option: "controller", Group: Estimate, field: func(s *Settings) any { return &s.Controller },
			Help: "the joints' controllers: \"cascade kp=… kv=… gain=…\" or \"pd kp=… kd=… gain=…\", with limit=…, one value or one a joint; gain is the torque per control unit"},
		{Key: "reference", Option: "reference", Group: Estimate, Form: Listed, field: func(s *Settings) any { return &s.Reference },
			Help: "channels of the controller's reference positions, one a joint, comma-separated"},

		{Key: "physically-consistent", Option: "physically-consistent", Group: BodyRules, Choices: []string{string(Yes), string(No), string(ByData)}, field: func(s *Settings) any { return &s.Consistent },
			Help: "the nearest parameters that bodies and drives can have; bare means yes, auto and no take the equals sign (default auto: where they predict rows left out better)"},
		{Key: "prior", Option: "prior", Group: BodyRules, Choices: []string{OwnFile, NoPrior, string(ByData)}, Free: true, field: func(s *Settings) any { return &s.Prior },
			Help: "bodies that fill in what the data do not determine: robot (the robot file), another robot file with the same links, what ident gravity wrote, none (the lengths of the links), or auto (default: robot)"},
		{Key: "prior-weight", Option: "prior-weight", Group: BodyRules, field: func(s *Settings) any { return &s.PriorWeight }, check: checkPriorWeight,
			Help: "weight of the prior: a number, or auto, the largest up to 1 that raises the torque error by at most 1 % (default auto)"},
		{Key: "prior-distance", Option: "prior-distance", Group: BodyRules, Choices: []string{"entropic", "pull-back", "geodesic", "euclidean"}, field: func(s *Settings) any { return &s.PriorDistance },
			Help: "distance from the prior: entropic, pull-back, geodesic or euclidean (default entropic)"},
		{Key: "total-mass", Option: "total-mass", Group: BodyRules, field: func(s *Settings) any { return &s.TotalMass },
			Help: "mass of all links that move together in kg: one number, known to 5 %, one with its standard deviation (15.3±0.05), or LOW:HIGH, of which either may be left out"},
		{Key: "mass", Option: "mass", Group: BodyRules, field: func(s *Settings) any { return &s.Mass },
			Help: "mass of a link in kg: LINK=4.8 where it is known, LINK=4.8±0.1, or LINK=LOW:HIGH (repeatable)"},
		{Key: "centre-box", Option: "centre-box", Group: BodyRules, field: func(s *Settings) any { return &s.CentreBox },
			Help: "box for the centre of mass in the link's frame, LINK=X0:X1,Y0:Y1,Z0:Z1 in m (repeatable)"},
		{Key: "centre-ellipsoid", Option: "centre-ellipsoid", Group: BodyRules, field: func(s *Settings) any { return &s.CentreEllipsoid },
			Help: "ellipsoid for the centre of mass, LINK=X,Y,Z,RX,RY,RZ (centre and radii, m; repeatable)"},
		{Key: "body-ellipsoid", Option: "body-ellipsoid", Group: BodyRules, field: func(s *Settings) any { return &s.BodyEllipsoid },
			Help: "ellipsoid that holds the whole link, LINK=X,Y,Z,RX,RY,RZ (repeatable)"},

		{Key: "accept", Option: "accept", Group: Gates, field: func(s *Settings) any { return &s.Accept }, set: setAccept, check: checkAccept,
			Help: "a gate for exit code 0: NAME=MOST, NAME=LOW:HIGH or grade=WORST; names are " + AcceptForm() + " (repeatable)"},

		{Key: "bodies", Option: "bodies", Group: TermData, Choices: []string{"identified", FileBodies}, field: func(s *Settings) any { return &s.BodiesFrom },
			Help: "identified, or file: those of the robot file are held as known, and drives alone are identified (default identified)"},
		{Key: "known", Option: "known", Group: TermData, field: func(s *Settings) any { return &s.Known }, check: checkKnown,
			Help: "a parameter of the model that is known, NAME=VALUE, as PM7=3.2, or NAME=VALUE±DEVIATION, as PM7=3.2±0.05, 3.2+-0.05 or 3.2±2%, which widens the intervals (repeatable)"},
		{Key: "carries", Option: "carries", Group: TermData, Form: Each, field: func(s *Settings) any { return &s.Carries },
			Help: "log of a run with the payload of {terms} payload:LINK; of several, payload:LINK=2, LOG=2 (repeatable)"},
		{Key: "payload-flag", Option: "payload-flag", Group: TermData, field: func(s *Settings) any { return &s.Flag },
			Help: "channel that says row by row whether the payload of {terms} payload:LINK is on, 0 or 1, or which of several, payload:LINK=2; CHANNEL=NUMBER means one of them"},
		{Key: "wrench", Option: "wrench", Group: TermData, field: func(s *Settings) any { return &s.Wrench },
			Help: "measured external force and moment on a link, in its own frame: LINK=FX,FY,FZ,TX,TY,TZ (channels); its torques are known unless {terms} wrench:LINK asks for gains"},
		{Key: "contact", Option: "contact", Group: TermData, field: func(s *Settings) any { return &s.Contact },
			Help: "a point that slides without friction: " + ContactForm + " in the link's frame, normals in the base frame; CHANNEL is a measured force, or on:FLAG of an unknown one"},

		{Key: "feet", Option: "feet", Group: Stand, Form: Listed, field: func(s *Settings) any { return &s.Feet },
			Help: "identify a robot that stands and sways, without contact forces: the links that are its feet, " + FeetForm + "; the radius (m) of a round foot counts for those in front of it, sole is a flat one"},
		{Key: "base-imu", Option: "base-imu", Group: Stand, field: func(s *Settings) any { return &s.BaseIMU },
			Help: "pose of the base's inertial measurement unit on its link (m, rad), " + SensorForm + "; by default at the base's origin; its channels are imu_wx … imu_az, or as ROS and Unitree name them"},
		{Key: "standing", Option: "standing", Group: Stand, Form: Listed, field: func(s *Settings) any { return &s.Standing },
			Help: "which of the {feet} stand: a channel for each, 0 or 1 by row; or auto, or force>N, by the force that the torques put on them (by default all stand all the time)"},
		{Key: "mirror", Option: "mirror", Group: Stand, Form: Listed, field: func(s *Settings) any { return &s.Mirror },
			Help: "bodies that are mirror images within 2 %, " + MirrorForm + ": each link with LEFT in its name, and the one with RIGHT in its place"},

		{Key: "seed", Option: "seed", Group: Random, Default: "0", field: func(s *Settings) any { return &s.Seed },
			Help: "seed of every random draw"},
	}
})

// Lookup returns the entry of a key, and whether there is one.
func Lookup(key string) (Setting, bool) {
	i := slices.IndexFunc(declared(), func(t Setting) bool { return t.Key == key })
	if i < 0 {
		return Setting{}, false
	}
	return declared()[i], true
}

func termList() string {
	var names []string
	for _, t := range regressor.Terms() {
		if !t.Deflection {
			names = append(names, string(t.Term))
		}
	}
	return strings.Join(names, ", ") + " (docs/models.md)"
}

// readLoops reads the section loops from a separate file.
func readLoops(s *Settings, texts []string) error {
	text, err := textfile.ReadDocument(texts[len(texts)-1], largestText)
	s.Loops = Section(text)
	return err
}

// setCutoff takes a frequency in hertz, or auto.
func setCutoff(s *Settings, texts []string) error {
	text := texts[len(texts)-1]
	if s.CutoffAuto = text == "auto"; s.CutoffAuto {
		s.Cutoff = nil
		return nil
	}
	v, err := ParseNumbers(text)
	if err != nil || len(v) != 1 {
		err = fmt.Errorf("%q must be a frequency in Hz, 0 for none, or auto", text)
	}
	if err == nil {
		s.Cutoff = &v[0]
	}
	return err
}

// setPositionLimits takes lower:upper of each joint, comma-separated.
func setPositionLimits(s *Settings, texts []string) error {
	s.Limits.Position = nil
	for _, text := range ParseList(texts[len(texts)-1]) {
		low, high, ok := strings.Cut(text, ":")
		pair, err := ParseNumbers(low + "," + high)
		if !ok || err != nil {
			return fmt.Errorf("%q is not lower:upper", text)
		}
		s.Limits.Position = append(s.Limits.Position, pair)
	}
	return nil
}
