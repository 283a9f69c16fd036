package virtual

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"ident/robot"
	"ident/robot/format"
)

// A body is a link as a slender solid: mass in kg, centre and radii of gyration in m, and the joint that moves it.
type body struct {
	kind, axis       string
	origin           [3]float64 // of the joint in the frame of the link before, m
	mass             float64
	centre, gyration [3]float64
	lower, upper     float64 // limits, rad or m
	speed, effort    float64 // rad/s or m/s; N·m or N
	viscous, coulomb float64
}

// A model is a kind of robot.
type model struct {
	name   string
	bodies []body
	tool   [3]float64 // place of a payload in the last link's frame, m
}

// models returns the three kinds of robots.
func models() []model {
	return []model{
		{name: "arm3", tool: [3]float64{0.35, 0, 0}, bodies: []body{
			{"revolute", "0 0 1", [3]float64{0, 0, 0.3}, 12, [3]float64{0.02, 0.01, 0.05}, [3]float64{0.09, 0.09, 0.08}, -2.6, 2.6, 2.5, 150, 4, 6},
			{"revolute", "0 1 0", [3]float64{0.05, 0, 0.1}, 8, [3]float64{0.2, 0.01, 0.01}, [3]float64{0.04, 0.14, 0.14}, -1.5, 1.5, 2.5, 150, 3, 5},
			{"revolute", "0 1 0", [3]float64{0.45, 0, 0}, 4, [3]float64{0.15, 0.005, 0.01}, [3]float64{0.03, 0.11, 0.11}, -2, 2, 3, 80, 1.5, 2.5},
		}},
		{name: "scara", tool: [3]float64{0, 0, -0.15}, bodies: []body{
			{"revolute", "0 0 1", [3]float64{0, 0, 0.2}, 9, [3]float64{0.16, 0.01, 0}, [3]float64{0.04, 0.11, 0.11}, -2.3, 2.3, 3, 100, 3, 4},
			{"revolute", "0 0 1", [3]float64{0.35, 0, 0}, 6, [3]float64{0.12, 0.005, 0}, [3]float64{0.04, 0.09, 0.09}, -2.3, 2.3, 4, 60, 1.5, 2},
			{"prismatic", "0 0 1", [3]float64{0.3, 0, 0}, 2, [3]float64{0, 0, -0.1}, [3]float64{0.05, 0.05, 0.01}, -0.2, 0.05, 0.8, 150, 20, 8},
		}},
		{name: "tilt2", tool: [3]float64{0.3, 0, 0}, bodies: []body{
			{"revolute", "0 1 0", [3]float64{0, 0, 0.4}, 6, [3]float64{0.18, 0.01, 0.02}, [3]float64{0.04, 0.12, 0.12}, -1.8, 1.8, 3, 120, 2.5, 4},
			{"revolute", "0 1 0", [3]float64{0.4, 0, 0}, 3, [3]float64{0.14, 0.005, 0.01}, [3]float64{0.03, 0.09, 0.09}, -2.2, 2.2, 4, 60, 1, 1.5},
		}},
	}
}

// mass returns that of all links, kg.
func (m model) mass() float64 {
	var sum float64
	for _, b := range m.bodies {
		sum += b.mass
	}
	return sum
}

// urdf returns the model's robot file.
func (m model) urdf() []byte {
	var s strings.Builder
	fmt.Fprintf(&s, "<?xml version=\"1.0\"?>\n<robot name=%q>\n  <link name=\"base\"/>\n", m.name)
	before := "base"
	for i, b := range m.bodies {
		link := fmt.Sprintf("link%d", i+1)
		g := b.gyration
		fmt.Fprintf(&s, "  <link name=%q><inertial><origin xyz=\"%g %g %g\"/><mass value=\"%g\"/><inertia ixx=\"%g\" ixy=\"0\" ixz=\"0\" iyy=\"%g\" iyz=\"0\" izz=\"%g\"/></inertial></link>\n",
			link, b.centre[0], b.centre[1], b.centre[2], b.mass, b.mass*g[0]*g[0], b.mass*g[1]*g[1], b.mass*g[2]*g[2])
		fmt.Fprintf(&s, "  <joint name=\"joint%d\" type=%q><parent link=%q/><child link=%q/><origin xyz=\"%g %g %g\"/><axis xyz=%q/><limit lower=\"%g\" upper=\"%g\" velocity=\"%g\" effort=\"%g\"/><dynamics damping=\"%g\" friction=\"%g\"/></joint>\n",
			i+1, b.kind, before, link, b.origin[0], b.origin[1], b.origin[2], b.axis, b.lower, b.upper, b.speed, b.effort, b.viscous, b.coulomb)
		before = link
	}
	s.WriteString("</robot>\n")
	return []byte(s.String())
}

const (
	massScatter     = 0.003 // relative, between units
	frictionScatter = 0.04  // relative, between units and joints
)

// unit returns a robot of the model with its own masses and frictions.
func (m model) unit(draw *rand.Rand) model {
	out := m
	out.bodies = append([]body(nil), m.bodies...)
	for i := range out.bodies {
		b := &out.bodies[i]
		b.mass *= 1 + massScatter*draw.NormFloat64()
		f := 1 + frictionScatter*draw.NormFloat64()
		b.viscous, b.coulomb = f*b.viscous, f*b.coulomb
	}
	return out
}

const (
	frictionRise = 1.2  // of viscous and Coulomb friction of a joint
	payloadPart  = 0.05 // of the arm's mass
)

// robot returns the unit as a robot, with the change that it has at the time of a log.
func (m model) robot(c Change, changed bool) (*robot.Robot, error) {
	if changed && c.Joint > 0 {
		m.bodies = append([]body(nil), m.bodies...)
		b := &m.bodies[c.Joint-1]
		b.viscous, b.coulomb = frictionRise*b.viscous, frictionRise*b.coulomb
	}
	r, err := format.Read(m.urdf(), "", m.name+".urdf", robot.ReadOptions{})
	if err != nil || !changed || c.Payload == 0 {
		return r, err
	}
	last := &r.Links[len(r.Links)-1]
	load := robot.InertialFromCentral(c.Payload, m.tool, [3][3]float64{}).InFrame(last.UserFrame)
	last.Inertial = last.Inertial.Add(load)
	last.Own = last.Own.Add(load)
	return r, nil
}
