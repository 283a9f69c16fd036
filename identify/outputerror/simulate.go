package outputerror

import (
	"context"
	"errors"
	"fmt"
	"math"

	"ident/mechanics/dynamics"
	"ident/simulate/plant"
)

// motion is a simulated run at the ends of its steps, joint by sample.
type motion struct {
	q, dq   [][]float64
	limited [][]bool    // the law wanted more than the drive gives
	e, de   [][]float64 // errors of position and velocity that the law saw
}

// parameters holds the parameters of a simulation.
type parameters struct {
	x, gains, bias []float64
	delay          float64
}

func (p parameters) clone() parameters {
	return parameters{x: append([]float64(nil), p.x...), gains: append([]float64(nil), p.gains...), bias: append([]float64(nil), p.bias...), delay: p.delay}
}

// Bounds of a simulation.
const (
	// heldSurely is the part of the friction at rest up to which a joint is taken to stay; beyond, the plant decides.
	heldSurely = 0.95
	// fastest, rad/s or m/s, is beyond every robot.
	fastest = 1e4
	// checkSteps is the number of steps between two looks at the context.
	checkSteps = 512
)

// stepper moves a robot from sample to sample of its law. Torques jump there and once between, when the delayed command
// takes its place, and are constant otherwise; the robot's own dynamics are slow against the law's rate, so that the
// equations of the midpoint make a step, with an error of (hω)²/24 for a mode of ω rad/s of the robot without
// its controller. Where the friction of a joint changes, the step is that of the plant, with its search for events.
type stepper struct {
	n          int
	body       *plant.Plant
	tree       *dynamics.Tree
	friction   []friction
	q, dq      []float64
	last       []float64 // accelerations of the last step
	mass, bias []float64
	zero       []float64
	mid, rate  []float64 // position and velocity of the midpoint
	system     []float64
	a          []float64 // accelerations by the two torques: joint, then 2
	nextQ      []float64
	nextDQ     []float64
	rests      []bool
	events     int
}

// friction of a joint: N·m and N·m·s/rad, or N and N·s/m.
type friction struct{ coulomb, viscous, offset float64 }

func newStepper(body *plant.Plant, tree *dynamics.Tree, f []friction, q, dq []float64) *stepper {
	n := len(q)
	s := &stepper{n: n, body: body, tree: tree, friction: f, q: append([]float64(nil), q...), dq: append([]float64(nil), dq...), rests: make([]bool, n)}
	for _, v := range []*[]float64{&s.last, &s.bias, &s.zero, &s.mid, &s.rate, &s.nextQ, &s.nextDQ} {
		*v = make([]float64, n)
	}
	s.mass, s.system, s.a = make([]float64, n*n), make([]float64, n*n), make([]float64, 2*n)
	return s
}

// diverged says that a joint's velocity left all bounds.
type diverged struct {
	joint int
	at    float64
}

func (d *diverged) Error() string { return fmt.Sprintf("joint %d diverges at %.3f s", d.joint+1, d.at) }

// joint returns the name of a joint.
func (f *fit) joint(k int) string {
	return f.subject.Robot.Links[f.subject.Model.JointLinks()[k]].Joint.Name
}

// step moves from time t over a period h, under the torques before for the first part of it and after for the rest.
func (s *stepper) step(ctx context.Context, t, h, part float64, before, after []float64) error {
	n := s.n
	for i := range n {
		s.mid[i] = s.q[i] + h/2*(s.dq[i]+h/4*s.last[i])
		s.rate[i] = s.dq[i] + h/2*s.last[i]
		s.rests[i] = s.dq[i] == 0 && s.friction[i].coulomb > 0
		if s.rests[i] {
			s.rate[i] = 0
		}
	}
	s.tree.InertiaMatrix(s.mass, s.mid)
	s.tree.InverseDynamics(s.bias, s.mid, s.rate, s.zero)
	copy(s.system, s.mass)
	for i := range n {
		f := &s.friction[i]
		own := -s.bias[i] - f.offset - f.viscous*s.rate[i]
		if !s.rests[i] && f.coulomb > 0 {
			own -= math.Copysign(f.coulomb, s.dq[i])
		}
		s.a[2*i], s.a[2*i+1] = before[i]+own, after[i]+own
		if s.rests[i] {
			for j := range n {
				s.system[i*n+j] = 0
			}
			s.system[i*n+i] = 1
			s.a[2*i], s.a[2*i+1] = 0, 0
		}
	}
	eliminate(s.system, s.a, n, 2)
	for i := range n {
		a0, a1 := s.a[2*i], s.a[2*i+1]
		s.nextDQ[i] = s.dq[i] + h*(part*a0+(1-part)*a1)
		s.nextQ[i] = s.q[i] + h*s.dq[i] + h*h*(part*(1-part/2)*a0+(1-part)*(1-part)/2*a1)
		v := s.nextDQ[i]
		if !(math.Abs(v) < fastest) {
			return &diverged{i, t}
		}
		if s.friction[i].coulomb == 0 {
			continue
		}
		if s.rests[i] {
			if !s.stays(i, 0, before[i]) || !s.stays(i, 1, after[i]) {
				return s.event(ctx, t, h, part, before, after)
			}
		} else if v*s.dq[i] <= 0 {
			return s.event(ctx, t, h, part, before, after)
		}
	}
	for i := range n {
		s.last[i] = (s.nextDQ[i] - s.dq[i]) / h
	}
	s.q, s.nextQ = s.nextQ, s.q
	s.dq, s.nextDQ = s.nextDQ, s.dq
	return nil
}

// stays reports whether friction surely holds a joint at rest under one of the step's two torques.
func (s *stepper) stays(i, which int, torque float64) bool {
	held := torque - s.bias[i] - s.friction[i].offset
	for j := range s.n {
		held -= s.mass[i*s.n+j] * s.a[2*j+which]
	}
	return math.Abs(held) <= heldSurely*s.friction[i].coulomb
}

// event returns the step of the plant.
func (s *stepper) event(ctx context.Context, t, h, part float64, before, after []float64) error {
	s.events++
	m := s.body.Start(t, s.q, s.dq)
	if part > 0 {
		if err := m.Advance(ctx, t+part*h, plant.Constant(before)); err != nil {
			return err
		}
	}
	if part < 1 {
		if err := m.Advance(ctx, t+h, plant.Constant(after)); err != nil {
			return err
		}
	}
	for i, v := range m.DQ() {
		s.last[i] = (v - s.dq[i]) / h
	}
	copy(s.q, m.Q())
	copy(s.dq, m.DQ())
	return nil
}

// simulate moves the robot with the given parameters under the law and the commands of a run.
func (f *fit) simulate(ctx context.Context, c *clocked, p parameters) (*motion, error) {
	n, h := f.joints, c.period
	body, err := f.subject.body(p.x)
	if err != nil {
		return nil, err
	}
	gp, gd := f.law.with(p.gains)
	for k := range n {
		if !(gp[k] > 0) || !(gd[k] >= 0) {
			return nil, fmt.Errorf("joint %q has the gains %.4g and %.4g, with which no joint is stable", f.joint(k), gp[k], gd[k])
		}
	}
	m := &motion{q: table(n, c.samples), dq: table(n, c.samples), e: table(n, c.samples), de: table(n, c.samples)}
	for range n {
		m.limited = append(m.limited, make([]bool, c.samples))
	}
	q := make([]float64, n)
	for k := range q {
		q[k] = c.q[k] - p.bias[k]
	}
	s := newStepper(body.plant, body.tree, body.friction, q, c.dq)
	late, part := lateness(p.delay, h)
	commands := table(late+2, n) // a ring of the last ones
	none := make([]float64, n)
	for at := range c.samples {
		if at%checkSteps == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		tau := commands[at%len(commands)]
		for k := range n {
			m.q[k][at], m.dq[k][at] = s.q[k], s.dq[k]
			if at%c.hold != 0 { // the law holds its command
				m.e[k][at], m.de[k][at], m.limited[k][at] = m.e[k][at-1], m.de[k][at-1], m.limited[k][at-1]
				tau[k] = commands[(at-1)%len(commands)][k]
				continue
			}
			e, de := c.r[k][at]-s.q[k]-p.bias[k], f.law.Forward*c.dr[k][at]-s.dq[k]
			m.e[k][at], m.de[k][at] = e, de
			tau[k] = gp[k]*e + gd[k]*de
			if f.law.Limit != nil && f.law.Limit[k] > 0 && math.Abs(tau[k]) > f.law.Limit[k] {
				tau[k], m.limited[k][at] = math.Copysign(f.law.Limit[k], tau[k]), true
			}
		}
		if at == c.samples-1 {
			break
		}
		before, after := none, none
		if at-late-1 >= 0 {
			before = commands[(at-late-1)%len(commands)]
		}
		if at-late >= 0 {
			after = commands[(at-late)%len(commands)]
		}
		if err := s.step(ctx, float64(at)*h, h, part, before, after); err != nil {
			var d *diverged
			if errors.As(err, &d) {
				err = fmt.Errorf("the simulated motion of joint %q diverges at %.3f s: a robot with these parameters is unstable with these gains", f.joint(d.joint), d.at)
			}
			return nil, fmt.Errorf("%s: %w", c.run.Name, err)
		}
	}
	return m, nil
}

// lateness returns the whole samples of a delay and the part of one that is left: a command acts from late samples and
// that part of a period on.
func lateness(delay, period float64) (late int, part float64) {
	late = int(math.Floor(delay / period * (1 + 1e-12)))
	return late, max(0, delay/period-float64(late))
}

func table(rows, cols int) [][]float64 {
	store := make([]float64, rows*cols)
	t := make([][]float64, rows)
	for i := range t {
		t[i] = store[i*cols : (i+1)*cols : (i+1)*cols]
	}
	return t
}
