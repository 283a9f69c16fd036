package plant

import (
	"fmt"
	"sync"

	"ident/mechanics/kinematics"
	"ident/robot"
)

// Model is a controller's model of a robot: rigid bodies, rotors and the friction of
// motion, none at rest, where its sign is not known. Of passive joints it has viscous friction alone. It is a servo.Model.
type Model struct {
	equations sync.Pool // of mechanics
	body      *mechanism
	kinematic *kinematics.Tree // nil for a robot with loops
	tip       kinematics.Point
	friction  []friction
}

// NewModel makes the model of a robot. Friction that takes no power is allowed: a controller may be wrong.
func NewModel(r *robot.Robot) (*Model, error) {
	body, links, err := newMechanism(r)
	if err != nil {
		return nil, fmt.Errorf("plant: robot %q: %w", r.Name, err)
	}
	m := &Model{body: body, friction: gather(r, links)}
	if !r.Closed() {
		if m.kinematic, err = kinematics.New(r); err != nil {
			return nil, fmt.Errorf("plant: robot %q: %w", r.Name, err)
		}
		m.tip.Link = m.kinematic.Tip()
		m.tip.At = r.Links[m.tip.Link].UserFrame.P
		for _, l := range r.Lumped { // the first body that a fixed joint hangs on it, a flange or tool
			if l.Into == m.tip.Link {
				m.tip.At = l.InLink.P
				break
			}
		}
	}
	return m, nil
}

// Tip returns the kinematics and the tip, of the last link of the longest chain of joints; nil for a robot with loops.
func (m *Model) Tip() (*kinematics.Tree, kinematics.Point) { return m.kinematic, m.tip }

// Joints returns the number of coordinates.
func (m *Model) Joints() int { return len(m.friction) }

// InverseDynamics stores the torques of the bodies, rotors and offsets in a motion; zero where the loops of the robot do not close.
func (m *Model) InverseDynamics(tau, q, dq, ddq []float64) {
	e, _ := m.equations.Get().(mechanics)
	if e == nil {
		e = m.body.equations()
	}
	if e.Torques(tau, q, dq, ddq) != nil {
		clear(tau)
	}
	m.equations.Put(e)
	for i := range m.friction {
		tau[i] += m.friction[i].offset
	}
}

// AddFriction adds the friction at the given velocities to torques; at rest there is no Coulomb friction.
func (m *Model) AddFriction(tau, dq []float64) {
	for i := range m.friction {
		f, sign := &m.friction[i], 0.0
		switch {
		case dq[i] > 0:
			sign = 1
		case dq[i] < 0:
			sign = -1
		}
		tau[i] += f.sliding(sign, dq[i], 0)
	}
}
