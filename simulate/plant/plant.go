package plant

import (
	"fmt"
	"math"

	"ident/robot"
	"ident/robot/drives"
)

// Options of a Plant. The zero value takes the friction of the robot's description.
type Options struct {
	Stribeck Stribeck
	// Load is the part of each drive's torque that friction takes beside the losses of gears in Drives, the term Fl of package
	// regressor; nil for none.
	Load    []float64
	Warming *Warming // warming of the friction; nil for a constant temperature
	// Drives of the coordinates, in their order, nil entries for drives that give the asked torque
	// at once; nil for none. Their Check must pass.
	Drives []drives.Drive
	// Push adds to tau the torques that the drives need against forces of the surroundings at a time and in a state; nil for none.
	Push func(t float64, q, tau []float64)
	// Tolerance is the local error of a step as a part of rad, m, rad/s and m/s, and of the
	// values themselves where they are larger; 0 stands for 1e-10.
	Tolerance float64
	// MaxSteps bounds the steps of one Advance, taken and rejected; beyond it the motion cannot be continued. 0 is no
	// bound.
	MaxSteps int
}

// defaultTolerance keeps the positions of a robot that moves at some rad/s to 1e-8 rad over
// ten seconds: some hundred steps a second, whose errors add up.
const defaultTolerance = 1e-10

// Plant is a robot that moves by torques. It is immutable; a Motion of it has the state.
type Plant struct {
	body     *mechanism
	friction []friction
	joints   []string
	drives   actuators
	opt      Options
}

// New prepares a robot. It must have inertial parameters with which every joint has an inertia. A robot with loops moves in the
// coordinates of its driven joints, near its assembly; its passive joints have the viscous and Coulomb friction of the description.
func New(r *robot.Robot, opt Options) (*Plant, error) {
	has := false
	for j := range r.Links {
		has = has || r.Links[j].HasInertial
	}
	if !has {
		return nil, fmt.Errorf("plant: robot %q gives no inertial parameters, so nothing has a mass; add them to the robot file", r.Name)
	}
	body, links, err := newMechanism(r)
	if err != nil {
		return nil, fmt.Errorf("plant: robot %q: %w", r.Name, err)
	}
	p := &Plant{body: body, opt: opt}
	if p.friction, err = frictionOf(r, links, opt.Stribeck); err != nil {
		return nil, fmt.Errorf("plant: robot %q: %w", r.Name, err)
	}
	if p.drives, err = newActuators(opt.Drives, p.friction); err != nil {
		return nil, fmt.Errorf("plant: robot %q: %w", r.Name, err)
	}
	if opt.Load != nil {
		if len(opt.Load) != len(p.friction) {
			return nil, fmt.Errorf("plant: robot %q: friction by load is given for %d joints, but the robot has %d", r.Name, len(opt.Load), len(p.friction))
		}
		for i, v := range opt.Load {
			if !(v >= 0 && p.friction[i].loss+v < 1) {
				return nil, fmt.Errorf("plant: robot %q: friction of coordinate %d takes %g of its torque: give zero or more, less than all", r.Name, i+1, p.friction[i].loss+v)
			}
			p.friction[i].loss += v
		}
	}
	if opt.Warming != nil {
		if err := opt.Warming.check(len(p.friction)); err != nil {
			return nil, fmt.Errorf("plant: robot %q: %w", r.Name, err)
		}
	}
	for _, j := range links {
		p.joints = append(p.joints, r.Links[j].Joint.Name)
	}
	if p.opt.Tolerance == 0 {
		p.opt.Tolerance = defaultTolerance
	}
	if !(p.opt.Tolerance > 0) {
		panic(fmt.Sprintf("plant: tolerance %g", p.opt.Tolerance))
	}
	return p, nil
}

// Energy returns the sum of the kinetic and the potential energy of a state, J; NaN where loops do not close.
func (p *Plant) Energy(q, dq []float64) float64 {
	kinetic, potential, err := p.body.equations().energy(q, dq)
	if err != nil {
		return math.NaN()
	}
	return kinetic + potential
}

// A Drive returns the commanded torques at a time and a state. Within one
// call of Motion.Advance they must be smooth functions of all three.
type Drive interface {
	Torque(t float64, q, dq, tau []float64)
}

// Constant is a drive that holds its torques.
type Constant []float64

// Torque copies the torques.
func (c Constant) Torque(_ float64, _, _, tau []float64) { copy(tau, c) }

// InertiaError says that a joint has no inertia: the matrix is not positive definite.
type InertiaError struct{ Time float64 }

func (e *InertiaError) Error() string {
	return fmt.Sprintf("at %.6g s the inertia matrix of the robot is not positive definite: a joint moves nothing that has a mass; add its inertial or rotor inertia to the robot file", e.Time)
}

// StepError says that the motion could not be continued: it leaves every bound, or its
// torques are not smooth.
type StepError struct {
	Time  float64
	Joint string // the fastest joint
	Speed float64
}

func (e *StepError) Error() string {
	return fmt.Sprintf("the motion cannot be continued at %.6g s, where joint %q moves at %.3g rad/s or m/s: an unstable controller, or torques that jump", e.Time, e.Joint, e.Speed)
}

// finite reports whether all entries are.
func finite(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
