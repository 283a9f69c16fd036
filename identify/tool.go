package identify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/datasets"
	"ident/filter"
	"ident/identify/project"
	"ident/internal/angles"
	"ident/internal/document"
	"ident/internal/finite"
	"ident/internal/hint"
	"ident/internal/spatial"
	"ident/internal/textfile"
	"ident/mechanics/kinematics"
	"ident/robot"
	"ident/tool"
)

// ToolSchema is the version of ToolDocument.
const ToolSchema = "ident.tool/1"

// ToolOptions say how a tool is weighed.
type ToolOptions struct {
	tool.Options
	// Mount places the sensor's frame in the frame whose orientation is logged, or in that of the body that the setting
	// wrench names: m and rad, as x, y, z, roll, pitch, yaw. nil is the same frame.
	Mount []float64
	// Cutoff of the motion's low-pass, Hz, for rows in motion; 0 means DefaultToolCutoff.
	Cutoff float64
}

// DefaultToolCutoff is the cut-off of the motion's low-pass for rows in motion, Hz.
const DefaultToolCutoff = 20

// ToolDocument is a tool that was weighed.
type ToolDocument struct {
	Schema string `json:"schema"`
	Log    string `json:"log"`
	Frame  string `json:"frame"` // frame that holds the sensor: a body of the robot, or "pose" for logged poses
	// Mount places the sensor's frame in it: m and rad, x, y, z, roll, pitch, yaw.
	Mount [6]float64 `json:"mount"`
	// Values are in the sensor's frame. Those that are not determined are null.
	Mass         *tool.Measured    `json:"mass"`     // kg
	Centre       [3]*tool.Measured `json:"centre"`   // m
	Inertia      []*tool.Measured  `json:"inertia"`  // about the centre of mass: xx, xy, xz, yy, yz, zz, kg·m²; null unless all are determined
	Rotation     *tool.Measured    `json:"rotation"` // of the sensor about its axis in the mount, rad; null unless asked for
	Biases       []tool.Bias       `json:"biases"`
	Undetermined []tool.Open       `json:"undetermined"`
	Channels     [6]tool.Channel   `json:"channels"`
	Findings     []tool.Finding    `json:"findings"`
	Rests        int               `json:"rests"` // number of poses at rest
}

// Tool weighs the tool on a wrist sensor, from the only log of the project: wrench channels fx, fy, fz, tx, ty, tz, and
// joint positions with a robot file, or channels of poses in the base, px, py, pz with a quaternion qx, qy, qz, qw or a
// rotation vector rx, ry, rz. The setting wrench names the body of the robot file in whose frame the sensor is mounted
// (default: the last one), and other channels. The channel tare, if there is one, begins a bias with each change.
func (p *Project) Tool(ctx context.Context, opt ToolOptions) (*ToolDocument, error) {
	s := p.Settings
	logs, err := project.OpenLogs(ctx, s, p.logs)
	if err != nil {
		return nil, err
	}
	defer project.CloseLogs(logs)
	if len(logs) != 1 {
		return nil, fmt.Errorf("%d runs: a tool is weighed from one log; a channel tare can divide it into parts", len(logs))
	}
	r := &toolReader{settings: s, log: logs[0], opt: opt}
	track, err := r.track(p.robotGiven)
	if err != nil {
		return nil, err
	}
	e, err := tool.Fit(track, opt.Options)
	if errors.Is(err, tool.ErrNoClock) {
		return nil, hint.Errorf("map", "", "%s: %w: name the clock with {map} t=CHANNEL. Its channels are %s", logs[0].Name(), err, strings.Join(logs[0].Names(), ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", logs[0].Name(), err)
	}
	d := &ToolDocument{Schema: ToolSchema, Log: logs[0].Name(), Frame: r.frame, Mount: [6]float64(r.mount), Mass: e.Mass, Centre: e.Centre, Rotation: e.Mounting,
		Biases: e.Biases, Undetermined: e.Open, Channels: e.Channels, Findings: e.Findings, Rests: e.Rests}
	if e.Inertia[0] != nil {
		d.Inertia = e.Inertia[:]
	}
	if d.Findings == nil {
		d.Findings = []tool.Finding{}
	}
	return d, nil
}

// mostToolBytes bounds the size of a tool's document.
const mostToolBytes = 16 << 20

// ReadTool reads the document of a tool.
func ReadTool(path string) (*ToolDocument, error) {
	text, err := textfile.ReadDocument(path, mostToolBytes)
	if err != nil {
		return nil, err
	}
	d := new(ToolDocument)
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if d.Schema != ToolSchema {
		return nil, fmt.Errorf("%s has the schema %q, but a tool has the schema %q; ident tool writes one", path, d.Schema, ToolSchema)
	}
	if err := document.Given(text, d); err != nil {
		return nil, fmt.Errorf("%s: the tool is invalid: %w", path, err)
	}
	if err := d.Valid(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

// Valid returns an error if the document contradicts itself: a number is not finite, a standard deviation is negative, the mass
// is not positive, a value is outside its interval, the mount is farther or turned more often than any, the inertia has other than six numbers, or
// nothing says why a value is missing.
func (d *ToolDocument) Valid() error {
	if err := finite.Check(d); err != nil {
		return fmt.Errorf("the tool is invalid: %w", err)
	}
	if d.Mass != nil && !(d.Mass.Value > 0) {
		return fmt.Errorf("the tool is invalid: its mass is %g kg; a mass is positive", d.Mass.Value)
	}
	for i, v := range d.Mount {
		if math.Abs(v) > mostMount {
			return fmt.Errorf("the tool is invalid: its mount has %g %s; at most %d is taken", v, [2]string{"m", "rad"}[i/3], mostMount)
		}
	}
	if n := len(d.Inertia); n != 0 && n != 6 || slices.Contains(d.Inertia, nil) {
		return fmt.Errorf("the tool is invalid: its inertia has %d numbers, wanted xx, xy, xz, yy, yz, zz, or null if they are not determined", n)
	}
	for i, m := range append([]*tool.Measured{d.Mass, d.Rotation, d.Centre[0], d.Centre[1], d.Centre[2]}, d.Inertia...) {
		switch {
		case m == nil && i != 1 && len(d.Undetermined) == 0:
			return fmt.Errorf("the tool is invalid: mass or centre is missing, and undetermined does not say why")
		case m != nil && m.Sigma < 0:
			return fmt.Errorf("the tool is invalid: a standard deviation is %g: it must not be negative", m.Sigma)
		case m != nil && !(m.Low95 <= m.Value && m.Value <= m.High95):
			return fmt.Errorf("the tool is invalid: %g is not in its interval from %g to %g", m.Value, m.Low95, m.High95)
		}
	}
	return nil
}

// Inertial returns the tool's parameters in the frame of the document, in which the sensor is mounted; of a tool
// without inertia those of a point mass. It is an error if mass or centre are not determined, or if the mass is within three standard deviations of zero.
func (d *ToolDocument) Inertial() (robot.Inertial, error) {
	if d.Mass == nil || d.Centre[0] == nil || d.Centre[1] == nil || d.Centre[2] == nil {
		why := "mass or centre is missing"
		if len(d.Undetermined) > 0 {
			why = d.Undetermined[0].Why
		}
		return robot.Inertial{}, fmt.Errorf("the tool of %s is not determined: %s", d.Log, why)
	}
	if !(d.Mass.Value > 3*d.Mass.Sigma) {
		return robot.Inertial{}, fmt.Errorf("the tool of %s is not determined: its mass is %.3g ± %.2g kg", d.Log, d.Mass.Value, d.Mass.Sigma)
	}
	var central [3][3]float64
	if len(d.Inertia) == 6 {
		for k, at := range [6][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}} {
			central[at[0]][at[1]], central[at[1]][at[0]] = d.Inertia[k].Value, d.Inertia[k].Value
		}
	}
	at := mountAt(d.Mount[:])
	if d.Rotation != nil {
		at.R = spatial.Mul(at.R, spatial.RotZ(d.Rotation.Value))
	}
	return robot.InertialFromCentral(d.Mass.Value, [3]float64{d.Centre[0].Value, d.Centre[1].Value, d.Centre[2].Value}, central).InFrame(at), nil
}

// mostMount bounds the numbers of a mount, m and rad: no robot is as large, and no mount is turned as often.
const mostMount = 100

// mountAt returns the place of a sensor, x, y, z, roll, pitch, yaw.
func mountAt(m []float64) robot.Transform {
	return robot.Transform{R: angles.RPYRotation([3]float64(m[3:6])), P: [3]float64(m[:3])}
}

// toolReader reads the track of a sensor.
type toolReader struct {
	settings *project.Settings
	log      *datasets.Log
	opt      ToolOptions
	frame    string
	mount    []float64
}

// channel returns the log's channel of a signal: the one that the setting map names, or the first of the names that the
// log has; "" for none.
func (r *toolReader) channel(names ...string) (string, error) {
	if own := r.settings.Map[names[0]]; own != "" {
		if !r.log.Has(own) {
			return "", hint.Errorf("map", own, "%s has no channel %q; it has %s", r.log.Name(), own, strings.Join(r.log.Names(), ", "))
		}
		return own, nil
	}
	for _, name := range names {
		if r.log.Has(name) {
			return name, nil
		}
	}
	return "", nil
}

// group returns the columns of several signals: nil if the log has none of them, an error if it lacks some.
func (r *toolReader) group(what string, signals [][]string) ([][]float64, error) {
	var names, missing []string
	for _, s := range signals {
		name, err := r.channel(s...)
		if err != nil {
			return nil, err
		}
		if name == "" {
			missing = append(missing, s[0])
		}
		names = append(names, name)
	}
	switch {
	case len(missing) == len(signals):
		return nil, nil
	case missing != nil:
		return nil, hint.Errorf("map", "", "%s has no %s of %s; name them with {map} %s=CHANNEL. Its channels are %s", r.log.Name(), strings.Join(missing, ", "), what, missing[0], strings.Join(r.log.Names(), ", "))
	}
	cols, err := r.log.Columns(names...)
	if err != nil {
		return nil, err
	}
	for i := range cols {
		cols[i] = slices.Clone(cols[i])
	}
	return cols, nil
}

// wrenchNames returns the usual names of the channels, ours first.
func wrenchNames() [][]string {
	var out [][]string
	for i, name := range tool.Names() {
		part := [2]string{"force", "torque"}[i/3]
		axis := string("xyz"[i%3])
		out = append(out, []string{name, "w" + name, part + "." + axis, part + "_" + axis, "wrench." + part + "." + axis})
	}
	return out
}

// track reads the clock, the wrench and the motion of the sensor's frame.
func (r *toolReader) track(robotGiven bool) (*tool.Track, error) {
	s := r.settings
	r.mount = []float64{0, 0, 0, 0, 0, 0}
	if r.opt.Mount != nil {
		r.mount = r.opt.Mount
	}
	body, channels, err := s.WrenchChannels()
	if err != nil {
		return nil, err
	}
	names := wrenchNames()
	for i, name := range channels {
		names[i] = []string{name}
	}
	wrench, err := r.group("the wrench", names)
	if err != nil {
		return nil, err
	}
	if wrench == nil {
		return nil, hint.Errorf("wrench", "", "%s has no wrench: channels fx, fy, fz (N), tx, ty, tz (N·m) of the sensor, or those that {wrench} BODY=FX,FY,FZ,TX,TY,TZ names. Its channels are %s", r.log.Name(), strings.Join(r.log.Names(), ", "))
	}
	clock, err := r.channel("t", "time", "timestamp")
	if err != nil {
		return nil, err
	}
	t := &tool.Track{Gravity: spatial.Vec{0, 0, -9.81}}
	if clock != "" { // a table of poses needs none
		times, err := r.log.Column(clock)
		if err != nil {
			return nil, err
		}
		t.T = slices.Clone(times)
	}
	copy(t.Wrench[:], wrench)
	if g := s.Gravity; len(g) == 3 {
		t.Gravity = spatial.Vec(g)
	}
	if tare, err := r.channel("tare"); err != nil {
		return nil, err
	} else if tare != "" {
		if t.Tare, err = r.log.Column(tare); err != nil {
			return nil, err
		}
		t.Tare = slices.Clone(t.Tare)
	}
	places, posed, err := r.poses(t)
	if err == nil && !posed {
		places, err = r.joints(t, body, robotGiven)
	}
	if err != nil {
		return nil, err
	}
	at := mountAt(r.mount)
	for k := range t.Wrench[0] {
		if places != nil {
			places[k] = spatial.Add(places[k], spatial.MulVec(t.Turn[k], at.P))
		}
		t.Turn[k] = spatial.Mul(t.Turn[k], at.R)
	}
	if r.opt.Moving {
		if places == nil {
			return nil, fmt.Errorf("%s: rows in motion need the places of the sensor: channels px, py, pz beside its orientation", r.log.Name())
		}
		t.Place = places
	}
	return t, nil
}

// mostTurn is the longest rotation vector that is read, rad: a turn and what rounding adds. Universal Robots write up to a whole turn.
const mostTurn = 2*math.Pi + 0.01

// poses reads the orientation, and the place if it is logged, from channels of poses; false if the log has none.
func (r *toolReader) poses(t *tool.Track) ([]spatial.Vec, bool, error) {
	quaternion, err := r.group("the pose's quaternion", [][]string{{"qx"}, {"qy"}, {"qz"}, {"qw"}})
	if err != nil {
		return nil, false, err
	}
	vector, err := r.group("the pose's rotation vector", [][]string{{"rx"}, {"ry"}, {"rz"}})
	if err != nil || quaternion == nil && vector == nil {
		return nil, false, err
	}
	r.frame = "pose"
	place, err := r.group("the pose's position", [][]string{{"px"}, {"py"}, {"pz"}})
	if err != nil {
		return nil, false, err
	}
	for k := range t.Wrench[0] {
		q := [4]float64{1}
		if quaternion != nil {
			q = [4]float64{quaternion[3][k], quaternion[0][k], quaternion[1][k], quaternion[2][k]}
			if n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]); math.Abs(n-1) > 0.01 {
				return nil, false, fmt.Errorf("%s, row %d: the quaternion qx, qy, qz, qw = %g, %g, %g, %g has the norm %.3g; it must be 1", r.log.Name(), k+1, q[1], q[2], q[3], q[0], n)
			}
		} else if v := (spatial.Vec{vector[0][k], vector[1][k], vector[2][k]}); spatial.Norm(v) > 0 {
			angle := spatial.Norm(v)
			if angle > mostTurn {
				return nil, false, hint.Errorf("units", "rx=deg", "%s, row %d: the rotation vector rx, ry, rz has the length %.4g; it is an angle of 2π rad at most: declare its unit, {units} rx=deg and so for ry and rz", r.log.Name(), k+1, angle)
			}
			axis := spatial.Scale(math.Sin(angle/2)/angle, v)
			q = [4]float64{math.Cos(angle / 2), axis[0], axis[1], axis[2]}
		}
		turn, _ := angles.Rotation(q)
		if missing(quaternion, k) || missing(vector, k) {
			turn[0][0] = math.NaN() // the row is not used
		}
		t.Turn = append(t.Turn, turn)
	}
	if place == nil {
		return nil, true, nil
	}
	places := make([]spatial.Vec, len(t.Wrench[0]))
	for k := range places {
		places[k] = spatial.Vec{place[0][k], place[1][k], place[2][k]}
	}
	if r.opt.Moving {
		// Entries of the rotation are smoothed as the places are, and made a rotation again.
		cols := make([][]float64, 12)
		for i := range cols {
			cols[i] = make([]float64, len(t.Wrench[0]))
			for k := range t.Wrench[0] {
				if i < 9 {
					cols[i][k] = t.Turn[k][i/3][i%3]
				} else {
					cols[i][k] = places[k][i-9]
				}
			}
		}
		if err := r.smooth(t, cols); err != nil {
			return nil, false, err
		}
		for k := range t.Wrench[0] {
			var m spatial.Mat
			for i := range 9 {
				m[i/3][i%3] = cols[i][k]
			}
			t.Turn[k] = nearRotation(m)
			places[k] = spatial.Vec{cols[9][k], cols[10][k], cols[11][k]}
		}
	}
	return places, true, nil
}

// missing reports whether a row of some columns has no number.
func missing(columns [][]float64, row int) bool {
	return slices.ContainsFunc(columns, func(x []float64) bool { return math.IsNaN(x[row]) })
}

// nearRotation makes the columns of a matrix that is nearly a rotation orthonormal, one after another.
func nearRotation(m spatial.Mat) spatial.Mat {
	x := spatial.Vec{m[0][0], m[1][0], m[2][0]}
	y := spatial.Vec{m[0][1], m[1][1], m[2][1]}
	x = spatial.Scale(1/spatial.Norm(x), x)
	y = spatial.AddScaled(y, -spatial.Dot(x, y), x)
	y = spatial.Scale(1/spatial.Norm(y), y)
	return spatial.Transpose(spatial.Mat{x, y, spatial.Cross(x, y)})
}

// smooth low-passes columns of the motion.
func (r *toolReader) smooth(t *tool.Track, cols [][]float64) error {
	clock := filter.AnalyseClock(t.T)
	if t.T == nil || !clock.Uniform {
		return fmt.Errorf("%s: rows in motion need a steady clock: record again with equal steps, or weigh the rows at rest alone", r.log.Name())
	}
	cutoff := r.opt.Cutoff
	if cutoff == 0 {
		cutoff = min(DefaultToolCutoff, 0.2/clock.Period)
	}
	low, err := filter.Butterworth(4, cutoff, 1/clock.Period)
	if err != nil {
		return err
	}
	var work filter.Work
	low.ZeroPhaseColumns(cols, &work)
	return nil
}

// joints computes the motion of the sensor's body from joint positions.
func (r *toolReader) joints(t *tool.Track, body string, robotGiven bool) ([]spatial.Vec, error) {
	s := r.settings
	if s.Robot == "" && r.log.Meta()[project.MetaRobot] == "" {
		return nil, hint.Errorf("robot", "", "%s says nothing of the sensor's orientation: give joint positions with a robot file ({robot} FILE), or log poses as px, py, pz with qx, qy, qz, qw or rx, ry, rz. Its channels are %s", r.log.Name(), strings.Join(r.log.Names(), ", "))
	}
	arm, err := project.FindRobot(s, robotGiven, r.log)
	if err != nil {
		return nil, err
	}
	if err := project.RequireNumeric(arm); err != nil {
		return nil, err
	}
	if arm, err = project.Lock(arm, s.Lock); err != nil {
		return nil, err
	}
	if arm.Closed() {
		return nil, fmt.Errorf("robot %q has closed loops: log the poses of its flange", arm.Name)
	}
	override := map[string]string{}
	for key, name := range datasets.PresetChannels(s.Preset, s.Map, r.log) {
		if key != "tare" && !slices.ContainsFunc(wrenchNames(), func(n []string) bool { return n[0] == key }) {
			override[key] = name
		}
	}
	roles, _, err := datasets.MapChannels(r.log, project.JointNames(arm), override)
	if err != nil {
		return nil, err
	}
	link, within, name, err := sensorBody(arm, body)
	if err != nil {
		return nil, err
	}
	r.frame = name
	tree, err := kinematics.New(arm)
	if err != nil {
		return nil, err
	}
	onTheWay := tree.Moving(link)
	links := arm.Independent()
	cols := make([][]float64, tree.DOF())
	for j, channel := range roles.Q {
		switch {
		case channel != "":
			if cols[j], err = r.log.Column(channel); err != nil {
				return nil, err
			}
			cols[j] = slices.Clone(cols[j])
		case slices.Contains(onTheWay, links[j]) || len(arm.Mimics) > 0:
			return nil, hint.Errorf("map", "", "%s has no position of joint %s, which moves the sensor; name it with {map} q%d=CHANNEL, or lock the joint", r.log.Name(), project.JointNames(arm)[j], j+1)
		default:
			cols[j] = make([]float64, len(t.Wrench[0]))
		}
	}
	if r.opt.Moving {
		if err := r.smooth(t, cols); err != nil {
			return nil, err
		}
	}
	t.Gravity = arm.Gravity
	pose := tree.NewPose()
	q := make([]float64, tree.DOF())
	places := make([]spatial.Vec, len(t.Wrench[0]))
	for k := range t.Wrench[0] {
		for j := range q {
			q[j] = cols[j][k]
		}
		pose.Place(q)
		at := pose.Frame(link).Mul(within)
		t.Turn = append(t.Turn, at.R)
		places[k] = at.P
	}
	return places, nil
}

// sensorBody finds a body by its name, or the last one: its link, the place of its own frame in that of the link, and its name.
func sensorBody(r *robot.Robot, name string) (link int, within robot.Transform, found string, err error) {
	if name == "" {
		link = len(r.Links) - 1
		for i := len(r.Lumped) - 1; i >= 0; i-- {
			if r.Lumped[i].Into == link {
				return link, r.Lumped[i].InLink, r.Lumped[i].Name, nil
			}
		}
		return link, r.Links[link].UserFrame, r.Links[link].Name, nil
	}
	var known []string
	for i := range r.Links {
		if r.Links[i].Name == name {
			return i, r.Links[i].UserFrame, name, nil
		}
		known = append(known, r.Links[i].Name)
	}
	for _, l := range r.Lumped {
		if l.Name == name && l.Into >= 0 {
			return l.Into, l.InLink, name, nil
		}
		known = append(known, l.Name)
	}
	return 0, within, "", hint.Errorf("wrench", name, "robot %q has no body %q; it has %s", r.Name, name, strings.Join(known, ", "))
}

// Wrong reports whether a finding is an error: then the values must not be used.
func (d *ToolDocument) Wrong() bool {
	return slices.ContainsFunc(d.Findings, func(f tool.Finding) bool { return f.Severity == tool.Error })
}

// ToolPoses chooses n of a robot's poses, by index and in their order, that weigh a tool best on a sensor mounted in
// the body that the setting wrench names.
func ToolPoses(r *robot.Robot, s *project.Settings, mount []float64, poses [][]float64, n int) ([]int, error) {
	body, _, err := s.WrenchChannels()
	if err != nil {
		return nil, err
	}
	link, within, _, err := sensorBody(r, body)
	if err != nil {
		return nil, err
	}
	if mount != nil {
		within = within.Mul(mountAt(mount))
	}
	tree, err := kinematics.New(r)
	if err != nil {
		return nil, err
	}
	pose := tree.NewPose()
	turns := make([]spatial.Mat, len(poses))
	for k, q := range poses {
		pose.Place(q)
		turns[k] = pose.Frame(link).Mul(within).R
	}
	if !(spatial.Norm(r.Gravity) > 0) {
		return nil, fmt.Errorf("gravity is %v m/s²: a tool cannot be weighed without gravity", r.Gravity)
	}
	if n < 2 || n > len(poses) {
		return nil, fmt.Errorf("%d poses cannot be chosen from the %d that are free: 2 or more weigh a tool", n, len(poses))
	}
	best := tool.Choose(turns, r.Gravity, n, s.Seed)
	if best == nil {
		return nil, fmt.Errorf("no %d poses of the robot weigh a tool: gravity keeps its direction in the sensor's frame in all of %d free poses", n, len(poses))
	}
	return best, nil
}
