package projectfile

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"ident/estimate"
	"ident/identify/project"
	"ident/identify/regression"
	"ident/regressor"
	"ident/robot"
)

// Text returns the project file, with the settings that the findings ask for; robotPath is the robot file as seen from
// it. set lists the keys that the findings set.
func (b *Survey) Text(robotPath string) (text string, set []string, err error) {
	plain := b.plain(robotPath)
	if text, err = Merge(plain, b.repairs); err != nil {
		return "", nil, err
	}
	for _, r := range b.repairs {
		set = append(set, r.Key)
	}
	return text, set, nil
}

// poseAssumed reports whether a joint is locked that nobody has locked.
func (b *Survey) poseAssumed() bool {
	for name := range b.locked() {
		if _, given := b.p.Lock[name]; !given {
			return true
		}
	}
	return false
}

// plain returns the project file without the doctor's settings.
func (b *Survey) plain(robotPath string) string {
	var t projectText
	p := b.p
	fmt.Fprintf(&t, `# How logs like %s are identified.
#
# Every key is also an option of ident fit (robot: is --robot, and so on); an option
# wins over this file. A # right before a key turns it off; what stands there is the
# default or an example.
# Units are SI: rad, m, s, N·m, N, kg.
`, oneLine(filepath.Base(b.log.Path())))

	b.examined(&t)
	t.section("The robot")
	t.key("robot", robotPath, true, "The robot file, as seen from this folder: URDF, xacro, MuJoCo, .par or YAML. A robot that\na log carries in its own metadata wins over it.")
	terms := p.Terms
	if len(terms) == 0 {
		for _, term := range regressor.DefaultTerms() {
			terms = append(terms, string(term))
		}
	}
	t.key("terms", terms, len(p.Terms) > 0, "What the model is made of: the links' inertial parameters, rotor inertia Ia, viscous\nfriction Fv, Coulomb friction Fs, and an offset Fo of each joint's torque. Without this\nline further laws of friction are tried, and taken where they predict rows left out better.")
	t.key("gravity", b.robot.Gravity[:], true, "Gravity in the base frame, m/s².")
	t.key("set", orExample(p.Set, map[string]float64{"D3": 0.45}), len(p.Set) > 0, "Values of symbols in the robot file's geometry.")
	t.key("args", orExample(p.Args, map[string]string{"prefix": "left_"}), len(p.Args) > 0, "Arguments of a xacro file.")
	t.key("packages", orExample(p.Packages, map[string]string{"arm_description": "../arm_description"}), len(p.Packages) > 0, "Folders of packages that a xacro or SDFormat file finds, where they are not above or beside it.")
	t.key("outside-files", p.OutsideFiles, p.OutsideFiles, "Let a xacro or SDFormat file read files outside of its own folder or package and of the packages above.")
	t.key("no-snap", p.NoSnap, p.NoSnap, "Keep rounded angles such as 1.5708 as printed. Normally they are read as π/2, or no\ntwo axes would ever be parallel.")
	t.key("couplings", orExample(p.Couplings, []string{"joint_6=joint_5+joint_6"}), len(p.Couplings) > 0, "Drives that several joints share: the motor at the left turns with the sum.")
	b.mechanism(&t)
	b.limits(&t)

	t.section("The log")
	t.key("joints", orExample(p.Joints, project.JointNames(b.robot)), len(p.Joints) > 0, "The joints that the logs hold, in their numbering. By default all, in the robot's order.")
	t.key("lock", orExample(b.locked(), map[string]float64{b.names[0]: 0}), len(b.locked()) > 0, "Joints that stand still or are not in the log, and where they stand.")
	t.key("preset", cmp.Or(p.Preset, "ur-rtde"), p.Preset != "", "The kind of recording, whose names and units are known: ur-rtde or franka-csv.")
	b.channelMap(&t)
	t.key("units", orExample(p.Units, map[string]string{"q1": "deg"}), len(p.Units) > 0, "Units of channels that do not declare them in the file (deg, rpm, mA, …).")
	t.key("scale", orExample(p.Scale, map[string]float64{"q1": 0.001}), len(p.Scale) > 0, "SI value of one raw unit of a channel, for units without a name: counts, per cent.")
	t.key("zero", orExample(p.Zero, map[string]float64{"q1": 2048}), len(p.Zero) > 0, "Raw values of channels that mean zero.")
	t.key("topics", orExample(p.Topics, []string{"/joint_states"}), len(p.Topics) > 0, "Topics to read of a recording (MCAP, ROS bag); the clock is the first one's.")
	t.key("columns", orExample(p.Columns, []string{"t", "q1", "tau1"}), len(p.Columns) > 0, "Names of the columns of a table without a line of names; _ leaves a column out.")
	t.key("rate", cmp.Or(p.Rate, 200), p.Rate > 0, "Sampling rate of a log without a clock, Hz.")
	t.key("env", p.Env, p.Env > 0, "Robot of arrays that hold several (rows by robots by columns), from 0.")
	b.drives(&t)
	t.comment("How one log is read where it differs from the others; a key replaces that above, whole.")
	t.off("logs: {other.csv: {units: {q1: deg}, map: {tau1: force}}}")
	rows := map[string]string{b.log.Name(): fmt.Sprintf("1-%d", b.log.Rows())}
	t.key("rows", orExample(p.Rows, rows), len(p.Rows) > 0, "Rows of a log to use, from 1, both ends included.")
	t.key("on-bad", orDefault(p.OnBad, "error"), true, "Rows that cannot be used (no number, time that repeats or goes back): error or drop.")

	t.section("Processing")
	t.key("plain", p.Plain, p.Plain, "The defaults of version 0.2.0: terms, couplings, physical consistency and the prior are\nthen not chosen on the data.")
	t.key("cutoff", b.cutoff, b.cutoff > 0, "Zero-phase low-pass of torque and regressor alike, Hz. It should pass the motion and\ncut what the rigid model does not describe. 0 for none.")
	t.key("motion-cutoff", orValue(p.MotionCutoff, b.cutoff), p.MotionCutoff != nil, "Low-pass of the positions before they are differentiated, Hz. By default as cutoff\nwith measured velocities; without, up to five times that, lower where the positions are noisy.")
	t.key("filter-order", orDefault(p.FilterOrder, regression.DefaultOrder), p.FilterOrder > 0, "Order of the Butterworth filters, before forward and backward passes double it.")
	t.key("decimate", max(p.Decimate, 10), p.Decimate > 1, "Keep every Nth row behind a zero-phase FIR filter, in place of cutoff; cutoff is then\nthat of the motion.")
	t.key("keep-rows", orDefault(p.KeepRows, regression.KeepAuto), p.KeepRows != "", "Rows behind the low-pass that are fitted: all, or auto, of long logs (100 000 samples)\nthose at five times the cut-off; the others are nearly their repetitions.")
	t.key("trim", orValue(p.Trim, 0.5), true, "Seconds cut from both ends of each run, where filters have not settled.")
	t.key("velocity", orDefault(p.Velocity, "auto"), true, "auto, measured or position (differentiated). auto takes the measured channel unless it\ndisagrees with the position, and says which.")
	t.key("differentiator", orDefault(p.Differentiator, regression.Central), p.Differentiator != "", "Of positions: central, savitzky-golay or kalman.")
	t.key("acceleration", orDefault(p.Acceleration, "auto"), true, "auto, measured, velocity or position.")
	t.key("rest", orDefault(p.Rest, regression.RestAuto), p.Rest != "", "Rows of joints at rest, where the sign of friction is not known: keep, drop, or auto, which\nkeeps them where they help to predict rows in motion.")

	t.section("The estimate")
	t.key("estimator", orDefault(p.Estimator, "auto"), p.Estimator != "", "auto: wls, each joint weighted by its own residual, or what a controller or gains ask for;\nident fit --help lists the others.")
	weights := p.Weights
	if len(weights) == 0 {
		weights = map[string]float64{"log": 0.5}
	}
	t.key("weights", weights, len(p.Weights) > 0, "Factor of the inverse variance of a log's rows.")
	t.key("loss", orDefault(p.Loss, string(estimate.Huber)), p.Loss != "", "What estimator irls minimises: huber or bisquare.")
	t.key("memory", orDefault(p.Memory, 10), p.Memory > 0, "Seconds after which estimator recursive counts a row by 1/e.")
	t.key("bootstrap", orDefault(p.Bootstrap, 500), p.Bootstrap > 0, "Draw the periods of the logs again this many times, for standard deviations without assumptions.")
	t.key("periodic", orDefault(p.Periodic, "auto"), p.Periodic != "", "Average every log over the periods of its motion, auto or seconds, and differentiate the\naverages by their Fourier series.")
	t.key("period", orDefault(p.Period, 10), p.Period > 0, "Period of the motion in seconds, which bootstrap draws whole.")
	reference := p.Reference
	if len(reference) == 0 {
		reference = []string{"qr1"}
	}
	t.key("torque", orDefault(p.Torque, "none"), p.Torque != "", "none: the log has commands and positions only, and the controller makes the torques.")
	t.key("controller", orDefault(p.Controller, "pd kp=900 kd=60 gain=1"), p.Controller != "", "The joints' controllers, for the estimators that simulate the motion; see ident fit --help.")
	t.key("reference", reference, len(p.Reference) > 0, "Channels of the controller's reference positions, one a joint.")
	t.key("model", orDefault(p.Model, "dynamic"), true, "The identification model: dynamic, energy, power, filtered or momentum; of several,\nseparated by commas, each is fitted and all are compared.")
	t.key("window", orDefault(p.Window, 0.05), p.Window > 0, "Seconds of the windows of the energy and momentum models. By default those that pass\nthe band of cutoff.")
	t.key("bodies", cmp.Or(p.BodiesFrom, project.FileBodies), p.BodiesFrom != "", "identified, the default, or file: the robot file's bodies are held as known, and drives alone identified.")
	known := p.Known
	if len(known) == 0 {
		known = map[string]project.Known{"PM7": {Value: 3.2, Sigma: 0.05}}
	}
	t.key("known", known, len(p.Known) > 0, "Values of parameters of the model that are known, with their standard deviations where those count.")
	t.key("carries", orExample(p.Carries, []string{"loaded.csv"}), len(p.Carries) > 0, "Logs of runs with the payload of the term payload:LINK; of several, payload:LINK=2, LOG=2.")
	t.key("joint-terms", orExample(p.JointTerms, map[string]string{b.names[0]: "Fv,Fs"}), len(p.JointTerms) > 0, "Laws of friction of a joint in place of those of terms, or none.")
	t.key("payload-flag", orDefault(p.Flag, "gripper"), p.Flag != "", "Channel that says row by row whether the payload is on: 0 and 1, or the\nnumbers of several; CHANNEL=NUMBER means one of them.")
	t.key("wrench", orDefault(p.Wrench, "LINK=FX,FY,FZ,TX,TY,TZ"), p.Wrench != "", "Channels of a measured external force and moment on a link.")
	t.key("contact", orDefault(p.Contact, project.ContactForm), p.Contact != "", "A point of a link that slides on a surface or along a line; see ident fit --help.")
	t.key("feet", orExample(p.Feet, []string{"FL_foot", "FR_foot:0.022"}), len(p.Feet) > 0, "Feet of a robot that stands and sways, identified without contact forces, with the radius (m) of round\nones; a radius counts for those in front of it, sole is a flat foot.")
	t.key("base-imu", orDefault(p.BaseIMU, "trunk=0,0,0.04"), p.BaseIMU != "", "Link and pose (m, rad) of the inertial measurement unit on the base of a robot that stands.")
	t.key("standing", orExample(p.Standing, []string{"contact_FL", "contact_FR"}), len(p.Standing) > 0, "Channels that say row by row whether each of the feet stands, 0 or 1.")
	t.key("mirror", orExample(p.Mirror, []string{"FL=FR", "RL=RR"}), len(p.Mirror) > 0, "Bodies of a robot that stands that are mirror images, by parts of the names of their links.")
	t.key("train-fraction", orDefault(p.TrainFraction, 0.6), p.TrainFraction > 0, "Train on the first part of every log and validate on the rest.")
	t.key("validate", orExample(p.Validate, []string{"other.csv"}), len(p.Validate) > 0, "Logs that validate, as seen from this folder.")
	t.key("minimum-norm", p.MinimumNorm, p.MinimumNorm, "Accept logs that do not determine all parameters, with the smallest solution.")
	b.physical(&t)
	t.key("accept", orExample(p.Accept, project.Accept{"relative-error": "5", "joints." + b.names[0]: "20"}), len(p.Accept) > 0, "Gates that the result must pass for exit code 0 (docs/acceptance.md).")
	t.key("seed", p.Seed, p.Seed > 0, "Seed of every random draw.")
	return t.String()
}

// locked returns the joints that stand still or are not in the log.
func (b *Survey) locked() map[string]float64 {
	if b.Session == nil {
		return b.p.Lock
	}
	return b.Session.Locked
}

// channelMap writes the channels as found, or lines to fill in.
func (b *Survey) channelMap(t *projectText) {
	why := "The channels, as found: t, then q (position), dq (velocity), ddq (acceleration), tau\n(torque or force) and i (motor current) of each joint, numbered from 1. A channel that\nis mapped to \"\" is not used. Channels that follow the usual names need no line."
	switch {
	case b.Unmapped != nil:
		t.comment(why + "\nFILL IN: no joint, or no clock, was found by the names. Put channels instead of \"\"; leave \"\"\nwhere there is none. The log has:\n" + wrapped(strings.Join(b.log.Names(), ", ")))
		t.block("map", b.blankMap())
	case len(b.found) > 0:
		if len(b.Guessed) > 0 {
			why += "\nThese were guessed by the units and the numbers of the channels: look at them."
		}
		t.comment(why)
		t.block("map", b.found)
	default:
		t.comment(why)
		t.off("map: {tau1: force}")
	}
}

// blankMap has a line for each role that a fit needs, with the user's own channels.
func (b *Survey) blankMap() [][2]string {
	lines := [][2]string{{"t", b.p.Map["t"]}}
	if clock, ok := b.clock(); ok && lines[0][1] == "" {
		lines[0][1] = clock
	}
	for _, role := range []string{"q", "tau"} {
		for k := range b.names {
			key := fmt.Sprintf("%s%d", role, k+1)
			lines = append(lines, [2]string{key, b.p.Map[key]})
		}
	}
	return lines
}

// channels lists the roles of the log as lines of the map.
func (b *Survey) channels() [][2]string {
	roles := b.Session.Runs[0].Roles
	var lines [][2]string
	add := func(role, channel string) {
		if channel != "" && channel != role { // a channel of that name needs no line
			lines = append(lines, [2]string{role, channel})
		}
	}
	add("t", roles.T)
	kept := project.JointNames(b.Session.Robot)
	number := map[string]int{}
	for k, name := range b.names {
		number[name] = k + 1
	}
	for _, r := range []struct {
		role string
		of   []string
	}{{"q", roles.Q}, {"dq", roles.DQ}, {"ddq", roles.DDQ}, {"tau", roles.Tau}, {"i", roles.Current}} {
		for k, channel := range r.of {
			add(fmt.Sprintf("%s%d", r.role, number[kept[k]]), channel)
		}
	}
	return lines
}

// examined lists the doctor's findings in the log.
func (b *Survey) examined(t *projectText) {
	if b.Unmapped != nil {
		t.comment("The log has not been checked: its channels must be mapped first. ident check does it then.")
		return
	}
	if b.NeedGains {
		t.comment("The log has not been checked: its motor currents need gains. ident check does it then.")
		return
	}
	text := "The check of the log (ident check) found nothing."
	for i, f := range b.Findings {
		if i == 0 {
			text = "The check of the log (ident check) found the following; settings that mend it are below."
			if b.poseAssumed() {
				text = "The check of the log (ident check) found the following. Joints are taken as locked at zero, so\nwhat mends findings about torques is not set: give lock first, and check again."
			}
		}
		text += "\n- " + wrapped(fmt.Sprintf("%s, %s: %s", f.Severity, strings.TrimSpace(f.ID+" "+f.Joint+" "+f.Channel), f.Why))
	}
	t.comment(text)
}

// wrapped breaks a text into lines of a comment below a dash.
func wrapped(text string) string {
	var b strings.Builder
	at := 0
	for i, w := range strings.Fields(text) {
		n := utf8.RuneCountInString(w)
		switch {
		case i > 0 && at+n > 84:
			b.WriteString("\n  ")
			at = 0
		case i > 0:
			b.WriteByte(' ')
		}
		b.WriteString(w)
		at += n + 1
	}
	return b.String()
}

// drives writes the gains, which only a log of currents needs.
func (b *Survey) drives(t *projectText) {
	why := "Joint torque per motor current, N·m/A, one number for each joint. They turn the log's\ncurrents into torques."
	switch {
	case len(b.gains) > 0:
		t.key("gains", b.gains, true, why)
	case b.NeedGains:
		t.key("gains", slices.Repeat([]float64{1}, len(b.names)), false, why+"\nFILL IN: this log holds currents only, and the robot file gives no gains.")
	default:
		var known []float64
		if b.Session != nil {
			known = b.Session.Runs[0].Gains
		}
		if known == nil {
			t.key("gains", slices.Repeat([]float64{1}, len(b.names)), false, why)
			break
		}
		t.key("gains", known, false, why+" These are the robot file's.")
	}
	t.key("gain-sigma", orExample(b.p.GainSigma, []string{"2%"}), len(b.p.GainSigma) > 0,
		"Standard deviation of the gains, or of the torques' calibration: one a joint in their unit\nor in per cent, or one in per cent for all. Without it they are taken as exact.")
}

// limits writes those that the robot file does not give, for trajectories.
func (b *Survey) limits(t *projectText) {
	joints := b.robot.Independent()
	given := len(b.p.Limits.Position)+len(b.p.Limits.Velocity)+len(b.p.Limits.Acceleration)+len(b.p.Limits.Jerk)+len(b.p.Limits.Torque) > 0
	if given {
		t.key("limits", b.p.Limits, true, "Limits of the joints, in order, for ident design-trajectory.")
		return
	}
	var lines [][2]string
	position := make([][]float64, len(joints))
	absent := false
	for k, i := range joints {
		j := &b.robot.Links[i].Joint
		position[k] = []float64{j.Lower, j.Upper}
		if math.IsNaN(j.Lower) || math.IsNaN(j.Upper) {
			absent = true
			position[k] = []float64{-1, 1}
		}
	}
	if absent {
		lines = append(lines, [2]string{"position", flow(position)})
	}
	for _, l := range []struct {
		key string
		of  func(*robot.Joint) float64
	}{{"velocity", func(j *robot.Joint) float64 { return j.Velocity }}, {"acceleration", func(j *robot.Joint) float64 { return j.Accel }},
		{"torque", func(j *robot.Joint) float64 { return j.Effort }}} {
		v := make([]float64, len(joints))
		absent := false
		for k, i := range joints {
			if v[k] = l.of(&b.robot.Links[i].Joint); !(v[k] > 0) {
				absent, v[k] = true, 1
			}
		}
		if absent {
			lines = append(lines, [2]string{l.key, flow(v)})
		}
	}
	if len(lines) == 0 {
		t.comment("limits: the robot file gives position, velocity, acceleration and torque limits; ident\ndesign-trajectory uses them.")
		return
	}
	t.comment("Limits of the joints, in order, for ident design-trajectory. The robot file does not\ngive these; replace the numbers.")
	t.off("limits:")
	for _, l := range lines {
		t.off("  " + l[0] + ": " + l[1])
	}
}

// projectText builds a commented YAML file.
type projectText struct{ strings.Builder }

func (t *projectText) section(title string) {
	fmt.Fprintf(t, "\n# ---- %s %s\n", title, strings.Repeat("-", 78-len(title)))
}

func (t *projectText) comment(text string) {
	t.WriteByte('\n')
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(t, "# %s\n", oneLine(line))
	}
}

// off writes a line of YAML that is turned off, told from prose by having no
// space behind the #.
func (t *projectText) off(line string) { fmt.Fprintf(t, "#%s\n", oneLine(line)) }

// key writes a key, on or off, below its comment.
func (t *projectText) key(name string, value any, on bool, comment string) {
	t.comment(comment)
	line := name + ": " + flow(value)
	if !on {
		t.off(line)
		return
	}
	t.WriteString(line + "\n")
}

// block writes a map line by line, in the order given.
func (t *projectText) block(name string, lines [][2]string) {
	t.WriteString(name + ":\n")
	for _, l := range lines {
		fmt.Fprintf(t, "  %s: %s\n", flow(l[0]), flow(l[1]))
	}
}

// oneLine returns a text with a blank for each character that no line of YAML holds as it is, such as a line break.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// flow returns a value on one line of YAML.
func flow(v any) string {
	var n yaml.Node
	if err := n.Encode(v); err != nil {
		panic(fmt.Sprintf("ident: a setting that YAML cannot hold: %v", err))
	}
	n.Style |= yaml.FlowStyle
	if n.Kind == yaml.ScalarNode {
		n.Style &^= yaml.FlowStyle
		if oneLine(n.Value) != n.Value {
			n.Style = yaml.DoubleQuotedStyle
		}
	}
	text, err := yaml.Marshal(&n)
	if err != nil {
		panic(fmt.Sprintf("ident: a setting that YAML cannot hold: %v", err))
	}
	return strings.TrimSpace(string(text))
}

// orExample is a list or map, or an example where it is empty.
func orExample[T interface {
	~[]string | ~map[string]float64 | ~map[string]string
}](v, example T) T {
	if len(v) == 0 {
		return example
	}
	return v
}

// orDefault returns a value, or a default where it is zero.
func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

func orValue(v *float64, def float64) float64 {
	if v == nil {
		return def
	}
	return *v
}
