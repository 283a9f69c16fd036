package loads

import (
	"cmp"
	"fmt"
	"slices"

	"ident/internal/spatial"
	"ident/robot"
)

// Choice is a motor chosen for a joint: the lightest of the catalogue that follows the motion.
type Choice struct {
	Joint string    `json:"joint"`
	Use   *MotorUse `json:"use"`  // null if no motor of the catalogue suffices
	Link  string    `json:"link"` // link that carries the motor, "" for the base
	// Rejected lists the lighter motors that do not suffice (all motors if none does), with the reason.
	Rejected []Rejection `json:"rejected"`
}

// Rejection is a motor that does not suffice for a joint, and the reason.
type Rejection struct {
	Motor string `json:"motor"`
	Why   string `json:"why"`
}

// size chooses motors from the last joint to the first: each one's mass joins the link before the joint, at the
// joint's frame, and loads the joints that are chosen later (Vukobratović and Potkonjak 1985, section 5.4). Rotors
// replace those of the robot file. The masses' torques are added to those of the motion, of any origin.
func (c *computation) size() error {
	motors := slices.SortedStableFunc(slices.Values(c.opt.Catalogue), func(a, b Motor) int { return cmp.Compare(a.Mass, b.Mass) })
	n := len(c.links)
	joint := make([][]float64, n) // torques without rotors, of the robot as it is loaded so far
	for i := range joint {
		joint[i] = make([]float64, len(c.s.T))
	}
	base, err := c.withoutRotors(c.r)
	if err != nil {
		return err
	}
	torque, drag := make([]float64, n), make([]float64, n)
	err = c.walk(base, func(k int) {
		base.rigid(torque)
		base.friction(drag)
		for i := range joint {
			if joint[i][k] = torque[i] + drag[i]; c.s.Tau != nil {
				joint[i][k] = c.s.Tau[i][k] - c.r.Links[c.links[i]].Joint.Ia*c.s.DDQ[i][k]
			}
		}
	})
	if err != nil {
		return err
	}
	order := make([]int, n)
	for i := range order {
		order[i] = n - 1 - i
	}
	for _, i := range order {
		l := &c.r.Links[c.links[i]]
		choice := Choice{Joint: l.Joint.Name, Rejected: []Rejection{}}
		if l.Antecedent >= 0 {
			choice.Link = c.r.Links[l.Antecedent].Name
		}
		for _, motor := range motors {
			if motor.Ratio == 0 {
				motor.Ratio = l.Joint.GearRatio
			}
			if motor.Ratio == 0 {
				return fmt.Errorf("loads: the gear ratio of joint %q is not known: give the motors of the catalogue a ratio, or the joint's drive a gear_ratio", l.Joint.Name)
			}
			c.lossTwice(l, &motor)
			u := MotorUse{Joint: l.Joint.Name, Motor: motor}
			c.follow(&u, i, joint[i])
			if u.OK {
				u = MotorUse{Joint: l.Joint.Name, Motor: motor, points: new(grid)}
				c.follow(&u, i, joint[i])
				choice.Use = &u
				break
			}
			choice.Rejected = append(choice.Rejected, Rejection{motor.Name, u.why(c.opt.Margin)})
		}
		c.report.Sizing = append(c.report.Sizing, choice)
		if choice.Use == nil || choice.Use.Motor.Mass == 0 || l.Antecedent < 0 || i == 0 {
			continue
		}
		if err := c.carry(l.Antecedent, robot.InertialFromCentral(choice.Use.Motor.Mass, l.Placement.P, spatial.Mat{}), joint); err != nil {
			return err
		}
	}
	return nil
}

// follow takes a motor through the motion of a joint with torques of its own.
func (c *computation) follow(u *MotorUse, joint int, torque []float64) {
	m := &u.Motor
	for k, t := range c.s.T {
		rate, acc := c.s.DQ[joint][k], c.s.DDQ[joint][k]
		u.take(t, c.weight[k], m.torque(torque[k], rate, acc, m.RotorInertia*m.Ratio*m.Ratio), m.Ratio*rate)
	}
	u.finish(c.opt.Margin)
}

// carry adds to the drives' torques those for a body that a link carries.
func (c *computation) carry(link int, body robot.Inertial, torques [][]float64) error {
	only := c.r.Clone()
	for j := range only.Links {
		only.Links[j].Inertial = robot.Inertial{}
	}
	carrier := &only.Links[link]
	carrier.Inertial, carrier.HasInertial, carrier.Massless = body, true, false
	m, err := c.withoutRotors(only)
	if err != nil {
		return err
	}
	torque := make([]float64, len(torques))
	return c.walk(m, func(k int) {
		m.rigid(torque)
		for i := range torques {
			torques[i][k] += torque[i]
		}
	})
}

// withoutRotors returns the mechanics of a robot without rotors.
func (c *computation) withoutRotors(r *robot.Robot) (*mechanics, error) {
	r = r.Clone()
	for j := range r.Links {
		r.Links[j].Joint.Ia = 0
	}
	return newMechanics(r)
}

// walk visits all samples, up to the end of the context.
func (c *computation) walk(m *mechanics, visit func(k int)) error {
	for k := range c.s.T {
		if k%256 == 0 {
			if err := c.ctx.Err(); err != nil {
				return err
			}
		}
		if err := m.move(&c.s, k); err != nil {
			return err
		}
		visit(k)
	}
	return nil
}
