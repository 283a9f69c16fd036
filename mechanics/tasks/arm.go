package tasks

import (
	"fmt"
	"math"
	"slices"

	"ident/mechanics/dynamics"
	"ident/mechanics/kinematics"
	"ident/mechanics/loops"
	"ident/robot"
)

// arm is the tip of a robot with the joints that move it: the independent ones, the driven ones where it has loops.
type arm struct {
	robot   *robot.Robot
	tree    *kinematics.Tree
	closed  bool
	closure *loops.Closure
	mass    *dynamics.Tree // of the cut tree where the robot has loops; nil where it has no bodies
	links   []int          // of the independent joints
	names   []string
	link    int             // of the tip
	tool    robot.Transform // the tip's frame on the link
}

func newArm(r *robot.Robot, tip Tip) (*arm, error) {
	a := &arm{robot: r, closed: r.Closed()}
	var err error
	if a.tree, err = kinematics.New(r); err != nil {
		return nil, fmt.Errorf("tasks: %w", err)
	}
	if a.closed {
		if a.closure, err = loops.NewClosure(r); err != nil {
			return nil, fmt.Errorf("tasks: %w", err)
		}
	}
	if hasBodies(r) {
		if a.mass, err = dynamics.New(withoutIdleRotors(r)); err != nil {
			return nil, fmt.Errorf("tasks: %w", err)
		}
	}
	a.links = r.Independent()
	for _, j := range a.links {
		a.names = append(a.names, r.Links[j].Joint.Name)
	}
	frame := tip.Frame
	if frame == (robot.Transform{}) {
		frame = robot.Identity()
	}
	a.link = a.tree.Tip()
	if i := slices.IndexFunc(r.Lumped, func(l robot.Lumped) bool { return l.Name == tip.Link }); tip.Link != "" && i >= 0 {
		a.link, a.tool = r.Lumped[i].Into, r.Lumped[i].InLink.Mul(frame)
	} else {
		if tip.Link != "" {
			if a.link, err = a.tree.Link(tip.Link); err != nil {
				return nil, fmt.Errorf("tasks: the tip: %w", err)
			}
		}
		if a.link >= 0 {
			a.tool = r.Links[a.link].UserFrame.Mul(frame)
		}
	}
	if a.link < 0 || len(a.tree.Moving(a.link)) == 0 {
		return nil, fmt.Errorf("tasks: no joint of robot %q moves the tip on link %q", r.Name, tip.Link)
	}
	return a, nil
}

// withoutIdleRotors takes the rotors from the passive joints of a robot with loops, which have no motor.
func withoutIdleRotors(r *robot.Robot) *robot.Robot {
	if !r.Closed() {
		return r
	}
	c := r.Clone()
	for j := range c.Links {
		if n := &c.Links[j].Joint; n.Passive && !n.Redundant {
			n.Ia = 0
		}
	}
	return c
}

func hasBodies(r *robot.Robot) bool {
	return slices.ContainsFunc(r.Links, func(l robot.Link) bool { return l.HasInertial })
}

func (a *arm) dof() int { return len(a.links) }

// limits returns the limits of a joint's position; infinite where there are none.
func (a *arm) limits(k int) (lower, upper float64) {
	j := &a.robot.Links[a.links[k]].Joint
	if j.Continuous || j.Lower == j.Upper || math.IsNaN(j.Lower) || math.IsNaN(j.Upper) {
		return math.Inf(-1), math.Inf(1)
	}
	return j.Lower, j.Upper
}

// pose is an arm in a state. A pose serves one goroutine.
type pose struct {
	arm  *arm
	tree *kinematics.Pose
	loop *kinematics.Closed
	// state is the closed state of the robot with loops at the last place, to start the next from.
	state []float64
}

// state is the positions of the independent joints, and of a robot with loops those of all, cut joints among them.
type state struct{ q, closed []float64 }

func (a *arm) newPose() (*pose, error) {
	p := &pose{arm: a}
	if !a.closed {
		p.tree = a.tree.NewPose()
		return p, nil
	}
	var err error
	if p.loop, err = kinematics.NewClosed(a.robot); err != nil {
		return nil, err
	}
	p.tree = p.loop.Pose
	return p, nil
}

// place moves the arm to positions of the independent joints; loops close near the state of the last place.
func (p *pose) place(q []float64) error {
	if p.loop == nil {
		p.tree.Place(q)
		return nil
	}
	next, err := p.loop.Place(q, p.state)
	if err == nil {
		p.state = next
	}
	return err
}

func (p *pose) jacobian(dst kinematics.Jacobian) {
	at := kinematics.Point{Link: p.arm.link, At: p.arm.tool.P}
	if p.loop == nil {
		p.tree.Jacobian(dst, at)
	} else {
		p.loop.Jacobian(dst, at)
	}
}

// steady moves the arm at rates and returns the velocity and the acceleration of the tip at steady rates, J'·rates.
func (p *pose) steady(rates []float64) (v, a kinematics.Twist) {
	at := kinematics.Point{Link: p.arm.link, At: p.arm.tool.P}
	if p.loop == nil {
		p.tree.Move(rates, nil)
	} else {
		p.loop.Move(rates, nil)
	}
	return p.tree.Twist(at), p.tree.Acceleration(at)
}

func (p *pose) tip() robot.Transform { return p.tree.Frame(p.arm.link).Mul(p.arm.tool) }
