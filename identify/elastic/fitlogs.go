package elastic

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"ident/estimate"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/output"
	"ident/regressor"
	"ident/result"
	"ident/robot"
	"ident/robot/format/yaml"
)

// FitSchema identifies the JSON document of a fit.
const FitSchema = "ident.fit-elastic/1"

// ResultFile is the document in the folder of a result, and RobotFile the identified robot.
const (
	ResultFile = result.ElasticFile
	RobotFile  = "robot.yaml"
)

// Result is an identified robot with elastic joints. Torques are in N·m of turning joints and N of sliding ones.
type Result struct {
	Schema    string     `json:"schema"` // ident.fit-elastic/1
	Robot     string     `json:"robot"`
	SHA256    string     `json:"sha256"`
	Sensors   string     `json:"sensors"`
	Logs      []string   `json:"logs"`
	Rows      int        `json:"rows"` // number of rows of each equation
	Rate      float64    `json:"rate_hz"`
	Cutoff    float64    `json:"cutoff_hz"` // cut-off of the low-pass of torques and regressor; 0 without one
	Condition float64    `json:"condition_number_scaled"`
	Error     float64    `json:"relative_error_percent"` // relative error of all drives' torques together
	Residuals []Residual `json:"residuals"`
	Joints    []Joint    `json:"joints"`
	Base      []Base     `json:"base_parameters"`
	// Covariance of the base parameters, in their order and units.
	Covariance [][]float64 `json:"covariance"`
	Cubic      bool        `json:"cubic"`      // stiffness that grows with the deflection is among the parameters
	Hysteresis bool        `json:"hysteresis"` // hysteresis (friction within the gears) is among the parameters
	// TorqueDelay is the time, s, by which the drives' torques act after their rows; nil for logs with exact derivatives.
	TorqueDelay *Estimate `json:"torque_delay_s,omitempty"`
	// Modes are the natural frequencies at the robot's zero position, Sweeps those over the range of each joint.
	Modes  *ModesAt     `json:"modes,omitempty"`
	Sweeps []Sweep      `json:"sweeps,omitempty"`
	Grade  result.Grade `json:"grade"`
	Notes  []string     `json:"notes"`
	// RobotSHA256 is the SHA-256 of the identified robot's file beside the document.
	RobotSHA256 string `json:"robot_file_sha256,omitempty"`
	// Seal is the SHA-256 of the rest of the document; results of version 0.4.0 and earlier have none.
	Seal string `json:"seal,omitempty"`
}

// Residual is the root mean square of an equation's residual: of a motor's row, or a link's.
type Residual struct {
	Coordinate string  `json:"coordinate"`
	RMS        float64 `json:"rms"`
}

// Joint is an elastic joint.
type Joint struct {
	Joint     string    `json:"joint"`
	Stiffness Estimate  `json:"stiffness"`
	Damping   Estimate  `json:"damping"`
	Rotor     *Estimate `json:"rotor_inertia,omitempty"`
}

// Estimate is a value with its standard deviation and 95 % interval.
type Estimate struct {
	Value float64 `json:"value"`
	Sigma float64 `json:"sigma"`
	Low   float64 `json:"low95"`
	High  float64 `json:"high95"`
}

// Base is a base parameter.
type Base struct {
	Name       string  `json:"name"`
	Owner      string  `json:"owner"`
	Unit       string  `json:"unit"`
	Expression string  `json:"expression"`
	Value      float64 `json:"value"`
	Sigma      float64 `json:"sigma"`
	Low        float64 `json:"low95"`
	High       float64 `json:"high95"`
	Freedom    float64 `json:"degrees_of_freedom"`
}

// Wanted reports whether the robot of the logs has elastic joints, so that the fit is one of elastic joints. It returns
// false if the robot would have to be read from a large file that is not a table of columns.
func Wanted(ctx context.Context, s *project.Settings, robotGiven bool, paths []string) (*robot.Robot, error) {
	if s.Robot != "" && robotGiven {
		return project.FindRobot(s, true)
	}
	if info, err := os.Stat(paths[0]); err != nil || info.IsDir() || info.Size() > largestPeek {
		if s.Robot == "" {
			return nil, nil
		}
		return project.FindRobot(s, false)
	}
	logs, err := project.OpenLogs(ctx, s, paths[:1])
	if err != nil {
		return nil, err
	}
	defer project.CloseLogs(logs)
	if s.Robot == "" && logs[0].Meta()[project.MetaRobot] == "" {
		return nil, nil
	}
	return project.FindRobot(s, false, logs...)
}

// largestPeek, bytes: a text of this size is read in a tenth of a second.
const largestPeek = 8 << 20

// Stiffen marks all driven joints of a robot as elastic, if the robot has no elastic joint.
func Stiffen(r *robot.Robot) *robot.Robot {
	if HasElasticJoint(r) {
		return r
	}
	r = r.Clone()
	for _, j := range r.Moving() {
		l := &r.Links[j].Joint
		l.Elastic = !l.Passive && !l.Virtual
	}
	return r
}

// FitLogs identifies a robot with elastic joints from logs.
func FitLogs(ctx context.Context, s *project.Settings, r *robot.Robot, paths []string, opt Options) (*Identified, error) {
	locked, err := project.Lock(r, s.Lock)
	if err != nil {
		return nil, err
	}
	m, err := New(locked)
	if err != nil {
		return nil, err
	}
	doc := &Result{Schema: FitSchema, Robot: r.Name, SHA256: r.Source.SHA256, Notes: []string{}, Logs: []string{}}
	var logs []*Log
	for _, path := range paths {
		l, notes, err := ReadLog(ctx, s, m, path)
		if err != nil {
			return nil, err
		}
		doc.Notes, doc.Logs = append(doc.Notes, notes...), append(doc.Logs, l.Name)
		logs = append(logs, l)
	}
	if s.Cutoff != nil {
		opt.Cutoff = *s.Cutoff
	}
	f, err := m.Identify(ctx, logs, opt)
	if err != nil {
		return nil, err
	}
	doc.fill(f)
	return &Identified{Result: doc, fit: f}, nil
}

// Identified is a fit with the machine behind it.
type Identified struct {
	*Result
	fit *Fit
}

func (d *Result) fill(f *Fit) {
	d.Sensors, d.Rows, d.Rate, d.Cutoff, d.Condition, d.Error = string(f.Sensors), f.Rows, f.Rate, f.Cutoff, f.Condition, f.Error
	for i, name := range f.Machine.Names() {
		d.Residuals = append(d.Residuals, Residual{name, f.Residual[i]})
	}
	for _, c := range f.Model.Columns() {
		d.Cubic, d.Hysteresis = d.Cubic || c.Term == regressor.Cubic, d.Hysteresis || c.Term == regressor.WindUp
	}
	byName := map[string]Parameter{}
	for _, p := range f.Parameters {
		byName[p.Name] = p
		d.Base = append(d.Base, Base{p.Name, p.Owner, p.Unit, p.Expression, p.Value, p.Sigma, p.Low(), p.High(), p.Freedom})
	}
	of := func(kind string, link int) Estimate {
		p := byName[robot.ParameterName(kind, link)]
		return Estimate{p.Value, p.Sigma, p.Low(), p.High()}
	}
	for _, s := range f.Machine.Springs {
		j := Joint{Joint: s.Joint, Stiffness: of("K", s.Link), Damping: of("D", s.Link)}
		if s.Motor >= 0 {
			rotor := of("Ia", s.Link)
			j.Rotor = &rotor
		}
		d.Joints = append(d.Joints, j)
	}
	d.Covariance = f.Covariance
	if l := f.Late; l != nil {
		t := estimate.StudentQuantile(l.Freedom)
		d.TorqueDelay = &Estimate{l.Seconds, l.Sigma, l.Seconds - t*l.Sigma, l.Seconds + t*l.Sigma}
	}
	modes, err := f.ModesWithin(make([]float64, f.Machine.Links))
	if err == nil {
		d.Modes = &modes
		d.Sweeps, err = f.Sweeps()
	}
	if err != nil {
		d.Notes = append(d.Notes, err.Error())
	}
	d.Notes = append(d.Notes, f.Notes...)
	d.grade()
}

// Limits of the grade: a stiffness whose interval reaches from half to one and a half of it is known by its order
// alone; errors of torques are those of rigid fits (docs/judgement.md).
const (
	doubtfulSigma = 0.25
	doubtfulError = 10.0
	unusableError = 25.0
)

// grade judges the figures of the result.
func (d *Result) grade() {
	var reasons []result.Reason
	add := func(makes result.Level, id, why, fix string) {
		reasons = append(reasons, result.Reason{ID: id, Why: why, Fix: fix, Makes: makes})
	}
	for _, j := range d.Joints {
		k := j.Stiffness
		switch {
		case k.High <= 0:
			add(result.Unusable, "stiffness-negative", fmt.Sprintf("joint %q has the stiffness %.4g ± %.2g: the deflection has the opposite sign of its torque", j.Joint, k.Value, k.Sigma),
				"check whether the encoders of motor and link are exchanged")
		case k.Sigma > doubtfulSigma*math.Abs(k.Value):
			add(result.Doubtful, "stiffness-unsure", fmt.Sprintf("the stiffness of joint %q is %.4g ± %.2g", j.Joint, k.Value, k.Sigma), "shake the joint near its resonance")
		}
		if c := j.Damping; c.Value < 0 {
			makes := result.Doubtful
			if c.High <= 0 {
				makes = result.Unusable
			}
			add(makes, "damping-negative", fmt.Sprintf("joint %q has the damping %.4g ± %.2g: a spring that gives power", j.Joint, c.Value, c.Sigma), "shake the joint near its resonance; encoders at the links, or joint torque sensors")
		}
		if r := j.Rotor; r != nil && r.High <= 0 {
			add(result.Unusable, "rotor-negative", fmt.Sprintf("the rotor inertia of joint %q is %.4g ± %.2g", j.Joint, r.Value, r.Sigma), "look at the sign and the scale of its torque")
		}
	}
	switch {
	case d.Error > unusableError:
		add(result.Unusable, "fit-error", fmt.Sprintf("the model leaves %.3g %% of the torques", d.Error), "look at channels, gear ratios and the robot file")
	case d.Error > doubtfulError:
		add(result.Doubtful, "fit-error", fmt.Sprintf("the model leaves %.3g %% of the torques", d.Error), "look at channels, gear ratios and the robot file")
	}
	d.Grade = result.GradeFor(reasons)
}

// Robot returns the robot file with the identified parameters: base parameters instead of those that they keep,
// stiffness and damping, rotor inertias and friction.
func (d *Identified) Robot() *robot.Robot { return d.fit.Robot() }

// Write writes the folder of a result. overwrite allows to replace other files; see output.Folder.
func (d *Identified) Write(to string, overwrite bool) error {
	owned := func(dir string) ([]string, error) {
		if _, err := os.Stat(filepath.Join(dir, ResultFile)); err != nil {
			return nil, nil
		}
		return []string{ResultFile, RobotFile, FigureFile}, nil
	}
	return output.Folder(to, owned, ResultFile, overwrite, func(dir string) error {
		if err := output.Write(filepath.Join(dir, RobotFile), func(w io.Writer) error { return yaml.Write(w, d.Robot()) }); err != nil {
			return err
		}
		robot, err := os.ReadFile(filepath.Join(dir, RobotFile))
		if err != nil {
			return fmt.Errorf("cannot write %s: %w", to, err)
		}
		d.Result.RobotSHA256 = fmt.Sprintf("%x", sha256.Sum256(robot))
		if len(d.Sweeps) > 0 {
			if err := output.Write(filepath.Join(dir, FigureFile), func(w io.Writer) error { return DrawSweeps(w, d.Sweeps) }); err != nil {
				return err
			}
		}
		return output.Write(filepath.Join(dir, ResultFile), func(w io.Writer) error { return folder.WriteSealed(w, d.Result, &d.Result.Seal) })
	})
}
