package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ident/dynamics"
	"ident/robot"
)

// Sampler is a motion with exact derivatives.
type Sampler interface {
	// DOF is the number of independent joints.
	DOF() int
	// Duration is the time in seconds from 0 for which the motion is defined,
	// one period if it is periodic.
	Duration() float64
	// Periodic tells whether the motion repeats after Duration.
	Periodic() bool
	// Eval stores the motion at time t in seconds, one entry a joint.
	Eval(t float64, q, dq, ddq []float64)
}

// Noise holds the standard deviations of white Gaussian noise: one entry a
// joint, one for all, or none for no noise. Units are those of the channel.
type Noise struct {
	Position []float64 `json:"position,omitempty"`
	Velocity []float64 `json:"velocity,omitempty"`
	Torque   []float64 `json:"torque,omitempty"`
}

// DefaultRate is the sampling rate where Options gives none, Hz.
const DefaultRate = 1000.0

// Options describe the experiment. The zero value records one Duration of the
// motion at DefaultRate with perfect sensors. Slices have one entry a joint,
// one for all, or none.
type Options struct {
	Rate          float64   `json:"rate_hz"`
	Duration      float64   `json:"duration_s"` // 0 for the motion's own
	Noise         Noise     `json:"noise"`
	Encoder       []float64 `json:"encoder,omitempty"`        // rad or m a count
	TorqueQuantum []float64 `json:"torque_quantum,omitempty"` // N·m or N
	VelocityLag   float64   `json:"velocity_lag_s,omitempty"` // seconds
	TorqueLag     float64   `json:"torque_lag_s,omitempty"`   // seconds
	Acceleration  bool      `json:"acceleration,omitempty"`   // log the exact acceleration too
	Passive       bool      `json:"passive,omitempty"`        // log the exact positions of passive joints too
	Seed          uint64    `json:"seed"`
}

// Motion is a record: one slice a joint, one entry a sample.
type Motion struct {
	Q, DQ, DDQ, Tau [][]float64
}

// Experiment is the record of a virtual experiment. DDQ of Measured is that of
// Exact; the two Motions share no other memory.
type Experiment struct {
	Options  Options
	Joints   []string // independent joints in the robot's order
	T        []float64
	Measured Motion
	Exact    Motion
	// Passive are the joints that a robot's closed loops move, and PassiveQ
	// their exact positions, one slice a joint.
	Passive  []string
	PassiveQ [][]float64
	robot    *robot.Robot
	links    []int // of the joints
}

// Run records a robot that follows a motion. It fails when the robot cannot be
// computed with or has no inertial parameters, when motion and robot differ
// in their joints, and when the options do not fit.
func Run(r *robot.Robot, s Sampler, opt Options) (*Experiment, error) {
	p, err := newPlant(r)
	if err != nil {
		return nil, err
	}
	if s.DOF() != len(p.links) {
		return nil, fmt.Errorf("simulate: the motion has %d joints, robot %q has %d independent ones: %v", s.DOF(), r.Name, len(p.links), p.names())
	}
	if err := opt.complete(s, p.names()); err != nil {
		return nil, err
	}
	n := int(math.Floor(opt.Duration*opt.Rate*(1+1e-12))) + 1
	e := &Experiment{Options: opt, Joints: p.names(), T: make([]float64, n), robot: r, links: p.links}
	dof := len(p.links)
	for _, g := range []*[][]float64{&e.Exact.Q, &e.Exact.DQ, &e.Exact.DDQ, &e.Exact.Tau, &e.Measured.Q, &e.Measured.DQ, &e.Measured.Tau} {
		*g = make([][]float64, dof)
		for i := range *g {
			(*g)[i] = make([]float64, n)
		}
	}
	e.Measured.DDQ = e.Exact.DDQ
	if p.loops != nil {
		e.Passive, e.PassiveQ = p.loops.record(n)
	}
	now := newState(dof)
	late := newState(dof)
	for k := range e.T {
		t := float64(k) / opt.Rate
		e.T[k] = t
		if err := now.at(s, p, t); err != nil {
			return nil, err
		}
		now.store(&e.Exact, k)
		if p.loops != nil {
			p.loops.store(e.PassiveQ, k)
		}
		for i := range dof {
			e.Measured.Q[i][k], e.Measured.DQ[i][k], e.Measured.Tau[i][k] = now.q[i], now.dq[i], now.tau[i]
		}
		if opt.VelocityLag != 0 {
			if err := late.at(s, nil, t-opt.VelocityLag); err != nil {
				return nil, err
			}
			for i := range dof {
				e.Measured.DQ[i][k] = late.dq[i]
			}
		}
		if opt.TorqueLag != 0 {
			if err := late.at(s, p, t-opt.TorqueLag); err != nil {
				return nil, err
			}
			for i := range dof {
				e.Measured.Tau[i][k] = late.tau[i]
			}
		}
	}
	for i := range dof {
		e.sense(i)
	}
	return e, nil
}

// sense adds noise and rounding to the channels of a joint.
func (e *Experiment) sense(i int) {
	o := &e.Options
	for c, ch := range []struct {
		x       []float64
		sigma   []float64
		quantum []float64
	}{
		{e.Measured.Q[i], o.Noise.Position, o.Encoder},
		{e.Measured.DQ[i], o.Noise.Velocity, nil},
		{e.Measured.Tau[i], o.Noise.Torque, o.TorqueQuantum},
	} {
		if sigma := each(ch.sigma, i); sigma > 0 {
			rng := rand.New(rand.NewPCG(o.Seed, uint64(3*i+c)))
			for k := range ch.x {
				ch.x[k] += sigma * rng.NormFloat64()
			}
		}
		if step := each(ch.quantum, i); step > 0 {
			for k, x := range ch.x {
				ch.x[k] = math.Round(x/step) * step
			}
		}
	}
}

// each returns the entry of joint i of a list with one entry a joint, one for
// all or none.
func each(list []float64, i int) float64 {
	switch len(list) {
	case 0:
		return 0
	case 1:
		return list[0]
	}
	return list[i]
}

// complete fills in the defaults and checks the rest.
func (o *Options) complete(s Sampler, joints []string) error {
	if o.Rate == 0 {
		o.Rate = DefaultRate
	}
	if o.Duration == 0 {
		o.Duration = s.Duration()
	}
	bad := func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
	switch {
	case !(o.Rate > 0) || bad(o.Rate):
		return fmt.Errorf("simulate: a sampling rate of %g Hz; give a positive one", o.Rate)
	case !(o.Duration > 0) || bad(o.Duration):
		return fmt.Errorf("simulate: a duration of %g s; give a positive one", o.Duration)
	case o.Rate*o.Duration > 1<<31:
		return fmt.Errorf("simulate: %g s at %g Hz are %.3g samples; shorten the experiment", o.Duration, o.Rate, o.Rate*o.Duration)
	case !s.Periodic() && o.Duration > s.Duration()*(1+1e-9):
		return fmt.Errorf("simulate: a duration of %g s, but the motion ends after %g s and does not repeat", o.Duration, s.Duration())
	case bad(o.VelocityLag) || bad(o.TorqueLag) || o.VelocityLag < 0 || o.TorqueLag < 0:
		return fmt.Errorf("simulate: lags of %g s and %g s; give zero or more", o.VelocityLag, o.TorqueLag)
	}
	for _, l := range []struct {
		what string
		list []float64
	}{
		{"position noise", o.Noise.Position}, {"velocity noise", o.Noise.Velocity}, {"torque noise", o.Noise.Torque},
		{"encoder steps", o.Encoder}, {"torque quanta", o.TorqueQuantum},
	} {
		if n := len(l.list); n > 1 && n != len(joints) {
			return fmt.Errorf("simulate: %d values of %s for %d joints; give one for all or one a joint", n, l.what, len(joints))
		}
		for i, x := range l.list {
			if bad(x) || x < 0 {
				return fmt.Errorf("simulate: %s %g of joint %q; give zero or more", l.what, x, joints[i])
			}
		}
	}
	return nil
}

// plant is the robot that moves.
type plant struct {
	r        *robot.Robot
	tree     *dynamics.Tree
	links    []int // of the independent joints
	friction []friction
	loops    *chains // of a robot with closed loops
}

// friction is the part of one joint in the friction torque of its coordinate.
type friction struct {
	coord                 int
	ratio, fv, fs, offset float64
}

func newPlant(r *robot.Robot) (*plant, error) {
	tree, err := dynamics.New(withoutIdleRotors(r))
	if err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}
	p := &plant{r: r, tree: tree}
	has := false
	ratio := map[int]float64{}
	lead := map[int]int{}
	for _, m := range r.Mimics {
		ratio[m.Joint], lead[m.Joint] = m.Multiplier, m.Of
	}
	coord := map[int]int{}
	for _, j := range r.Moving() {
		if _, follows := lead[j]; !follows {
			coord[j] = len(coord)
		}
	}
	p.links = r.Independent()
	for j := range r.Links {
		has = has || r.Links[j].HasInertial
		n := &r.Links[j].Joint
		if n.Kind == robot.Fixed {
			continue
		}
		f := friction{coord: coord[j], ratio: 1, fv: n.Fv, fs: n.Fs, offset: n.Fo}
		if r.Closed() && n.Passive && !n.Redundant {
			f.offset = 0 // that of a drive, which it has not
		}
		if of, follows := lead[j]; follows {
			f.coord, f.ratio = coord[of], ratio[j]
		}
		p.friction = append(p.friction, f)
	}
	if !has {
		return nil, fmt.Errorf("simulate: robot %q gives no inertial parameters, so nothing has a mass; add them to the robot file", r.Name)
	}
	if r.Closed() {
		if p.loops, err = newLoops(r); err != nil {
			return nil, fmt.Errorf("simulate: %w", err)
		}
		p.links = p.loops.links()
	}
	return p, nil
}

func (p *plant) names() []string {
	out := make([]string, len(p.links))
	for i, j := range p.links {
		out[i] = p.r.Links[j].Joint.Name
	}
	return out
}

// drive finds the torques of the drives at time t, through the loops where the
// robot has any.
func (p *plant) drive(t float64, tau, q, dq, ddq []float64) error {
	if p.loops == nil {
		p.torque(tau, q, dq, ddq)
		return nil
	}
	if err := p.loops.move(q, dq, ddq); err != nil {
		return fmt.Errorf("simulate: at %.6g s: %w", t, err)
	}
	p.torque(p.loops.tau, p.loops.q, p.loops.dq, p.loops.ddq)
	p.loops.project(tau)
	return nil
}

func (p *plant) torque(tau, q, dq, ddq []float64) {
	p.tree.InverseDynamics(tau, q, dq, ddq)
	for _, f := range p.friction {
		rate := f.ratio * dq[f.coord]
		t := f.fv*rate + f.offset
		switch {
		case rate > 0:
			t += f.fs
		case rate < 0:
			t -= f.fs
		}
		tau[f.coord] += f.ratio * t
	}
}

// state is the robot at one time.
type state struct{ q, dq, ddq, tau []float64 }

func newState(n int) *state {
	return &state{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
}

// at evaluates the motion, and the torques if a plant is given. Before the
// start it stays as at the start.
func (s *state) at(m Sampler, p *plant, t float64) error {
	m.Eval(max(t, 0), s.q, s.dq, s.ddq)
	if p == nil {
		return nil
	}
	return p.drive(t, s.tau, s.q, s.dq, s.ddq)
}

func (s *state) store(m *Motion, k int) {
	for i := range s.q {
		m.Q[i][k], m.DQ[i][k], m.DDQ[i][k], m.Tau[i][k] = s.q[i], s.dq[i], s.ddq[i], s.tau[i]
	}
}
