package project

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ident/datasets"
	"ident/internal/rowlist"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/yaml"
)

// Metadata keys with which a log carries its robot.
const (
	MetaRobot  = "ident.robot"
	MetaSHA    = "ident.robot.sha256"
	MetaFormat = "ident.robot.format"
)

// FindRobot reads the robot of a command: the settings' robot if fromFlag is set, else that in the metadata of the logs,
// else that of ident.yaml.
func FindRobot(p *Settings, fromFlag bool, logs ...*datasets.Log) (*robot.Robot, error) {
	if p.Robot != "" && fromFlag {
		return OpenRobot(p)
	}
	for _, l := range logs {
		if text := l.Meta()[MetaRobot]; text != "" {
			return RobotOfText(p, text, l.Meta()[MetaFormat], l.Name()+" (embedded robot)")
		}
	}
	if p.Robot != "" {
		return OpenRobot(p)
	}
	where := "the input"
	if len(logs) > 0 {
		where = logs[0].Name()
	}
	return nil, wrong("robot", "", "no robot: give {robot} FILE, or a log that carries its robot (metadata key %s; %s has none), or an ident.yaml beside it with a line \"robot: FILE\"", MetaRobot, where)
}

// RobotOfText reads a robot from text in format as and applies the settings; name is its origin, for messages.
func RobotOfText(p *Settings, text, as, name string) (*robot.Robot, error) {
	opt := p.readOptions()
	opt.Args = nil // of the file that became this text
	r, err := format.Read([]byte(text), as, name, opt)
	if err != nil {
		return nil, err
	}
	return adjust(r, p)
}

// readOptions returns the options for reading robot files, with closed loops.
func (p *Settings) readOptions() robot.ReadOptions {
	return robot.ReadOptions{NoSnap: p.NoSnap, Set: p.Set, Loops: true, Args: p.Args, Packages: p.Packages, Outside: p.OutsideFiles}
}

// OpenRobot reads the robot file of the settings and applies the settings to it. If the path is the folder of a result,
// it returns the robot with the identified bodies and drives.
func OpenRobot(p *Settings) (*robot.Robot, error) {
	if IsResult(p.Robot) {
		r, err := identifiedRobot(p, p.Robot)
		if err != nil {
			return nil, err
		}
		return adjust(r, p)
	}
	r, err := format.Open(p.Robot, p.readOptions())
	if err != nil {
		return nil, err
	}
	return adjust(r, p)
}

// adjust applies the settings that change the robot: gravity, couplings, limits. Locks follow when the log is known.
func adjust(r *robot.Robot, p *Settings) (*robot.Robot, error) {
	if p.Heard != nil {
		p.Heard(r)
	}
	if len(p.Gravity) > 0 {
		if len(p.Gravity) != 3 {
			return nil, wrong("gravity", "", "gravity has %s; it has three", rowlist.Plural(len(p.Gravity), "number"))
		}
		copy(r.Gravity[:], p.Gravity)
	}
	if p.Loops != "" {
		var err error
		if r, err = yaml.AddLoops(r, []byte(p.Loops)); err != nil {
			return nil, fmt.Errorf("the loops of the robot: %w", err)
		}
	}
	if len(p.Assembly) > 0 {
		r.Assembly = maps.Clone(p.Assembly)
	}
	for _, c := range p.Couplings {
		if c == string(ByData) || c == NoCoupling && len(p.Couplings) == 1 {
			continue // decided by the check of the logs, or declined
		}
		if err := addCoupling(r, c); err != nil {
			return nil, wrong("couplings", c, "%w", err)
		}
	}
	if err := applyLimits(r, p); err != nil {
		return nil, err
	}
	return p.setJointTerms(r)
}

// JointIndex returns the link index of a moving joint.
func JointIndex(r *robot.Robot, name string) (int, bool) {
	for _, i := range r.Moving() {
		if r.Links[i].Joint.Name == name {
			return i, true
		}
	}
	return 0, false
}

// JointNames returns the names of the independent joints, in the robot's order.
func JointNames(r *robot.Robot) []string {
	var names []string
	for _, i := range r.Independent() {
		names = append(names, r.Links[i].Joint.Name)
	}
	return names
}

// ParseTerms returns the terms of the settings, or def if they name none.
func ParseTerms(p *Settings, def []regressor.Term) ([]regressor.Term, error) {
	if len(p.Terms) == 0 || automatic(p.Terms) {
		return p.withJointTerms(def)
	}
	t, err := regressor.ParseTerms(strings.TrimPrefix(strings.Join(p.Terms, ","), string(ByData)+","))
	if err != nil {
		return nil, wrong("terms", strings.Join(p.Terms, ","), "%w", err)
	}
	if p.Terms[0] == string(ByData) {
		t = def // those named may be chosen
	}
	if p.BodiesFrom == FileBodies && !slices.Contains(t, regressor.Links) { // held, but not left out
		t = append([]regressor.Term{regressor.Links}, t...)
	}
	return p.withJointTerms(t)
}

// RequireNumeric returns an error if the robot's geometry contains symbols without a value.
func RequireNumeric(r *robot.Robot) error {
	if len(r.Unset) > 0 {
		return wrong("set", "", "robot %q: geometry symbols without a value: %s; give them with {set} %s=VALUE", r.Name, strings.Join(r.Unset, ", "), r.Unset[0])
	}
	return nil
}

// Lock returns the robot with joints fixed at the given positions, rad or m.
func Lock(r *robot.Robot, values map[string]float64) (*robot.Robot, error) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		var err error
		if r, err = r.Lock(name, values[name]); err != nil {
			return nil, remedy("lock", name, "{lock} %s: %w", name, err)
		}
	}
	return r, nil
}
