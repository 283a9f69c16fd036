package elastic

import (
	"fmt"
	"slices"
	"strings"

	"ident/regressor"
	"ident/robot"
)

// Spring is one elastic joint.
type Spring struct {
	Joint string // the link's joint
	Link  int    // index into Machine.Robot.Links
	Q     int    // coordinate of the link
	Motor int    // coordinate of the motor, -1 for a passive joint, which has none
	robot.Elasticity
}

// Machine is a robot with elastic joints in the coordinates of links and motors: x = (q, θ), with
// q those of the robot and θ one for each elastic joint that has a motor. It is immutable.
type Machine struct {
	Robot *robot.Robot // the robot as its file describes it
	// Extended is the tree in the coordinates x: a motor is a massless link on the base that turns, or
	// slides, with its rotor's inertia and its drive's friction. Its kinetic energy is that of the
	// rotor's own rotation (Spong 1987).
	Extended *robot.Robot
	Springs  []Spring // in the order of the links
	Links    int      // number of coordinates q
	number   []int    // link after which the parameters of a link of Extended are named
}

// NoElasticJointError says that a robot has no joint that is elastic.
type NoElasticJointError struct{ Robot string }

func (e *NoElasticJointError) Error() string {
	return fmt.Sprintf("robot %q has no elastic joint: write joint: {elastic: true} for the joints whose motor and link positions differ, in the YAML form of the robot file", e.Robot)
}

// New makes the machine of a robot. Loops, mimic joints and shared drives are refused.
func New(r *robot.Robot) (*Machine, error) {
	if err := r.Validate(); err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	if r.Closed() || len(r.Mimics) > 0 || len(r.Drives) > 0 {
		return nil, fmt.Errorf("elastic: robot %q has closed loops, mimic joints or shared drives: elastic joints are those of trees whose drives act on one joint each", r.Name)
	}
	x := r.Clone()
	m := &Machine{Robot: r, Extended: x, Links: r.DOF()}
	for j := range r.Links {
		m.number = append(m.number, j)
	}
	for q, j := range r.Moving() {
		own := &x.Links[j].Joint
		if !own.Elastic {
			continue
		}
		s := Spring{Joint: own.Name, Link: j, Q: q, Motor: -1, Elasticity: own.Elasticity}
		drive := robot.Drive{Number: j, Spring: true}
		if own.Passive {
			drive.Weights = map[int]float64{j: 1}
		} else {
			s.Motor = m.Links + len(x.Links) - len(r.Links)
			drive.Weights = map[int]float64{j: -1, len(x.Links): 1}
			x.Links = append(x.Links, motorOf(x.Links[j]))
			m.number = append(m.number, j)
			own = &x.Links[j].Joint // append moved it
		}
		own.Ia, own.Fv, own.Fs, own.Fo = 0, 0, 0, 0
		own.NoRotor, own.Without = true, append(slices.Clone(own.Without), "Fv", "Fs", "Fo")
		x.Drives = append(x.Drives, drive)
		m.Springs = append(m.Springs, s)
	}
	if len(m.Springs) == 0 {
		return nil, &NoElasticJointError{r.Name}
	}
	return m, nil
}

// motorOf returns the massless link that turns with the motor of a link's joint.
func motorOf(l robot.Link) robot.Link {
	j := l.Joint
	return robot.Link{Name: l.Name + " motor", Antecedent: -1, Placement: robot.Identity(), UserFrame: robot.Identity(), Massless: true,
		Joint: robot.Joint{Name: j.Name + " motor", Kind: j.Kind, Continuous: true, Lower: j.Lower, Upper: j.Upper, Velocity: j.Velocity, Accel: j.Accel,
			Jerk: j.Jerk, Effort: j.Effort, Ia: j.Ia, Fv: j.Fv, Fs: j.Fs, Fo: j.Fo, GearRatio: j.GearRatio, Gain: j.Gain, Without: j.Without}}
}

// Coordinates returns the number of coordinates x.
func (m *Machine) Coordinates() int { return m.Links + m.Motors() }

// Motors returns the number of elastic joints that have a motor.
func (m *Machine) Motors() int {
	n := 0
	for _, s := range m.Springs {
		if s.Motor >= 0 {
			n++
		}
	}
	return n
}

// Names returns the joints' names in the order of x, those of motors with "motor" behind.
func (m *Machine) Names() []string { return m.Extended.JointNames() }

// DriveOf returns the coordinate of x that the drive of the joint with coordinate q moves: the motor's of an elastic
// joint, -1 for a passive one.
func (m *Machine) DriveOf(q int) int {
	for _, s := range m.Springs {
		if s.Q == q {
			return s.Motor
		}
	}
	if m.Robot.Links[m.Robot.Moving()[q]].Joint.Passive {
		return -1
	}
	return q
}

// MissingError names the elastic joints without a number that a computation needs.
type MissingError struct {
	What   string // "stiffness" or "rotor inertia"
	Joints []string
	For    string
}

func (e *MissingError) Error() string {
	key := map[string]string{"stiffness": "joint: {elastic: true, stiffness: …}, N·m/rad or N/m", "rotor inertia": "drive: {ia: …}, kg·m² or kg at the joint's side of the gear"}[e.What]
	return fmt.Sprintf("%s needs the %s of %s: give %s in the robot file, in its YAML form", e.For, e.What, quoted(e.Joints), key)
}

func quoted(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, fmt.Sprintf("joint %q", n))
	}
	return strings.Join(out, ", ")
}

// complete returns an error if a stiffness or rotor inertia of the machine is unknown.
func (m *Machine) complete(use string) error {
	stiffness, rotor := &MissingError{What: "stiffness", For: use}, &MissingError{What: "rotor inertia", For: use}
	for _, s := range m.Springs {
		if !(s.Stiffness > 0) {
			stiffness.Joints = append(stiffness.Joints, s.Joint)
		}
		if s.Motor >= 0 && !(m.Robot.Links[s.Link].Joint.Ia > 0) {
			rotor.Joints = append(rotor.Joints, s.Joint)
		}
	}
	for _, e := range []*MissingError{stiffness, rotor} {
		if len(e.Joints) > 0 {
			return e
		}
	}
	return nil
}

// Terms lists the terms of the model of a machine.
type Terms struct {
	Cubic, WindUp bool // add stiffness that grows with the deflection, and hysteresis
	Frictionless  bool // the drives have no friction and no offset
}

func (t Terms) list() []regressor.Term {
	out := []regressor.Term{regressor.Links, regressor.Ia, regressor.Elastic}
	if !t.Frictionless {
		out = append(out, regressor.Fv, regressor.Fs, regressor.Fo)
	}
	if t.Cubic {
		out = append(out, regressor.Cubic)
	}
	if t.WindUp {
		out = append(out, regressor.WindUp)
	}
	return out
}

// Model returns the model of the machine in the coordinates x:
//
//	τ = Ia·θ̈ + Fv·θ̇ + Fs·sign θ̇ + Fo + K(θ−q) + D(θ̇−q̇)   row of a motor
//	0 = Y(q, q̇, q̈)·χ − K(θ−q) − D(θ̇−q̇)                  row of its link
//
// with the parameters of package regressor.
func (m *Machine) Model(t Terms) (*regressor.Model, error) {
	model, err := regressor.NewDynamic(m.Extended, t.list())
	if err != nil {
		return nil, fmt.Errorf("elastic: %w", err)
	}
	return model, nil
}

// Name returns a column's name: a motor's parameters carry the number of the link that it drives.
func (m *Machine) Name(c regressor.Column) string {
	if m.number[c.Link] == c.Link {
		return c.Name
	}
	kind := strings.TrimSuffix(c.Name, fmt.Sprint(c.Link+1))
	return robot.ParameterName(kind, m.number[c.Link])
}

// ValueOf returns the value of a column's parameter in the robot file, and whether the file has one.
func (m *Machine) ValueOf(c regressor.Column) (float64, bool) {
	if c.Drive == 0 {
		return regressor.ValueOf(m.Extended, c)
	}
	e := m.Robot.Links[c.Link].Joint.Elasticity
	v := 0.0
	switch {
	case c.Term == regressor.Cubic:
		v = e.Cubic
	case c.Term == regressor.WindUp:
		v = e.Hysteresis
	case c.Param == 0:
		v = e.Stiffness
	default:
		v = e.Damping
	}
	return v, v != 0
}
