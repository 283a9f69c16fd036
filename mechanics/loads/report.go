package loads

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/internal/finite"
	"ident/internal/spatial"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// Schema identifies the JSON document that a Report becomes.
const Schema = "ident.loads/1"

// Options extend a Report, which always has the loads of drives and bearings and the energy. The zero value adds nothing.
type Options struct {
	Payload   *Payload
	Catalogue []Motor // motors to choose from; none for no sizing
	Margin    float64 // least ratio of a motor's limit to its use; 0 means 1
	Keep      bool    // keep the series of all quantities
}

// Payload is a body that a link carries throughout, rad, m, kg.
type Payload struct {
	Link  int
	Body  robot.Inertial // inertial parameters in frame j
	Point [3]float64     // point about which its wrench is given, in frame j
}

// Report holds the loads of a motion. A wrench is that on a part from the part that carries it.
type Report struct {
	Schema   string         `json:"schema"` // ident.loads/1
	Robot    string         `json:"robot"`
	Motion   string         `json:"motion"`
	Torques  string         `json:"torques"` // source of the torques
	Samples  int            `json:"samples"`
	Duration float64        `json:"duration_s"`
	Drives   []Drive        `json:"drives"`
	Energy   Energy         `json:"energy"`
	Bearings []Bearing      `json:"bearings"`
	Base     BaseWrench     `json:"base"`
	Payload  *PayloadWrench `json:"payload,omitempty"`
	Motors   []MotorUse     `json:"motors"`
	Sizing   []Choice       `json:"sizing,omitempty"` // motors chosen, from the last joint to the first
	Beams    []Beam         `json:"beams,omitempty"`
	Tip      *Tip           `json:"tip,omitempty"`
	// Vibrations are natural frequencies of elastic joints along the motion.
	Vibrations []Vibration `json:"vibrations,omitempty"`
	Notes      []string    `json:"notes"`

	Columns []Column `json:"-"` // series of all quantities; nil without Options.Keep
}

// Valid returns an error if the report contradicts itself: a number is not finite, or a diagram of speed and torque has lists of
// different lengths.
func (r *Report) Valid() error {
	if err := finite.Check(r); err != nil {
		return fmt.Errorf("the loads are invalid: %w", err)
	}
	for i := range r.Drives {
		if p := &r.Drives[i].Plane; len(p.Speed) != len(p.Torque) {
			return fmt.Errorf("the loads are invalid: drives[%d].torque_speed has %d speeds and %d torques", i, len(p.Speed), len(p.Torque))
		}
	}
	for i := range r.Motors {
		if p := &r.Motors[i].Plane; len(p.Speed) != len(p.Torque) {
			return fmt.Errorf("the loads are invalid: motors[%d] has %d speeds and %d torques", i, len(p.Speed), len(p.Torque))
		}
	}
	return nil
}

// Vibration is a natural frequency of a robot with elastic joints, the least and the largest along the motion, Hz, with the
// standard deviations that those of identified parameters make, and their times.
type Vibration struct {
	Kind      string  `json:"kind"`   // "resonance", of free motors, or "anti-resonance", of locked ones
	Number    int     `json:"number"` // number of the frequency, counted from the lowest
	Low       float64 `json:"low_hz"`
	LowSigma  float64 `json:"low_sigma"`
	LowAt     float64 `json:"low_at_s"`
	High      float64 `json:"high_hz"`
	HighSigma float64 `json:"high_sigma"`
	HighAt    float64 `json:"high_at_s"`
}

// Drive is the use of one drive, at the joint.
type Drive struct {
	Joint  string  `json:"joint"`
	Unit   string  `json:"unit"` // unit of the torque, "N·m" or "N"
	Torque Peak    `json:"torque"`
	Sigma  float64 `json:"torque_sigma,omitempty"` // standard deviation of the peak, from that of the identified parameters
	RMS    float64 `json:"rms_torque"`
	Speed  Peak    `json:"speed"` // rad/s or m/s
	Power  Peak    `json:"power"` // W; positive where the drive gives it
	// Given and Taken are the energy that the drive gives and takes, J; Taken is not positive.
	Given float64  `json:"energy_given"`
	Taken float64  `json:"energy_taken"`
	Limit *float64 `json:"torque_limit"` // torque limit of the robot file; null if it has none
	Share *float64 `json:"torque_share"` // peak torque as a part of the limit
	// Fastest is the speed limit of the robot file, rad/s or m/s.
	Fastest *float64 `json:"speed_limit"`
	Plane   Plane    `json:"torque_speed"`

	squares float64
	points  grid
}

// Energy of all drives in J, at the joints.
type Energy struct {
	// Without regeneration each drive turns the energy that it takes into heat; with a shared supply drives feed one
	// another, and nothing goes back to the mains; net, all of it goes back.
	Without float64 `json:"without_regeneration"`
	Shared  float64 `json:"shared_supply"`
	Net     float64 `json:"net"`
	// Mechanical is the change of kinetic and potential energy, J; Dissipated the net energy less that, which friction
	// takes; for bodies and rotors alone it is the error of the integral.
	Mechanical float64 `json:"mechanical"`
	Dissipated float64 `json:"dissipated"`
	// Residual is the net energy for bodies and rotors less Mechanical: it is zero but for the integral over samples.
	Residual float64 `json:"residual"`
}

// BaseWrench is the force and the moment of the foundation on the robot, in the base frame. Shear and tilting moment are across
// the base frame's z.
type BaseWrench struct {
	Vertical Peak       `json:"force_z"`
	Shear    Peak       `json:"shear_force"`
	Tilt     Peak       `json:"tilting_moment"`
	Twist    Peak       `json:"moment_z"`
	Mean     [3]float64 `json:"mean_force"`  // N
	Moment   [3]float64 `json:"mean_moment"` // N·m, about the base frame's origin
}

// PayloadWrench is the force and the moment of a link on its payload, about the payload's Point.
type PayloadWrench struct {
	Link   string  `json:"link"`
	Mass   float64 `json:"mass"`
	Force  Peak    `json:"force"`
	Moment Peak    `json:"moment"`
}

// Of computes the loads of a motion. It fails for a robot that cannot be computed with, for one without masses, and
// where closed loops open; the error of ctx ends it within 256 samples.
func Of(ctx context.Context, r *robot.Robot, s Series, opt Options) (*Report, error) {
	if opt.Margin == 0 {
		opt.Margin = 1
	}
	bare := r
	if p := opt.Payload; p != nil {
		r = r.Clone()
		r.Links[p.Link].Inertial = r.Links[p.Link].Inertial.Add(p.Body)
		r.Links[p.Link].HasInertial = true
	}
	if !slices.ContainsFunc(r.Links, func(l robot.Link) bool { return l.Inertial.Mass() != 0 }) {
		return nil, fmt.Errorf("loads: no link of robot %q has a mass; give the robot file inertials, by shapes for instance", r.Name)
	}
	m, err := newMechanics(r)
	if err != nil {
		return nil, fmt.Errorf("loads: %w", err)
	}
	if err := s.check(len(m.links)); err != nil {
		return nil, err
	}
	c := &computation{ctx: ctx, mechanics: m, bare: bare, s: s, opt: opt}
	c.report = &Report{Schema: Schema, Robot: r.Name, Samples: len(s.T), Torques: "bodies, rotors and friction of the robot file"}
	c.weight, c.report.Duration = s.weights()
	if err := c.prepare(); err != nil {
		return nil, err
	}
	if s.Tau != nil {
		c.report.Torques = "as given"
		if p := opt.Payload; p != nil {
			c.s.Tau = slices.Clone(s.Tau)
			for i, tau := range s.Tau {
				c.s.Tau[i] = slices.Clone(tau)
			}
			if err := c.carry(p.Link, p.Body, c.s.Tau); err != nil {
				return nil, err
			}
			c.report.Torques += ", with the payload's"
		}
	}
	if err := c.walk(m, c.sample); err != nil {
		return nil, err
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	return c.report, nil
}

// computation gathers a report sample by sample.
type computation struct {
	ctx context.Context
	*mechanics
	bare   *robot.Robot // without the payload
	s      Series
	opt    Options
	weight []float64
	report *Report

	torque, rigid, drag []float64 // of the drives
	first, last         float64   // energies, J
	rigidNet            float64
	bearings            []int             // links of report.Bearings, those at cuts behind all links
	wrenches            []dynamics.Wrench // in the joints at the sample, of all links and then at the cuts
	shared              [][6]bool         // their components that are not determined, at any sample so far
	beams               []*beam
	tip                 float64 // deflection, m
	swing               swing   // of the tip
	place               int     // of the next column in a record
}

func (c *computation) prepare() error {
	n := len(c.links)
	c.torque, c.rigid, c.drag = make([]float64, n), make([]float64, n), make([]float64, n)
	out := c.report
	out.Drives, out.Bearings, out.Motors, out.Notes = []Drive{}, []Bearing{}, []MotorUse{}, []string{}
	for _, j := range c.links {
		l := &c.r.Links[j]
		d := Drive{Joint: l.Joint.Name, Unit: "N·m"}
		if l.Joint.Kind == robot.Prismatic {
			d.Unit = "N"
		}
		if e := l.Joint.Effort; e > 0 {
			d.Limit = &e
		}
		if v := l.Joint.Velocity; v > 0 {
			d.Fastest = &v
		}
		out.Drives = append(out.Drives, d)
		if l.Joint.Motor == "" {
			continue
		}
		motor, err := ParseMotor(l.Joint.Motor)
		if err != nil {
			return fmt.Errorf("joint %q: %w", l.Joint.Name, err)
		}
		if motor.Ratio == 0 {
			motor.Ratio = l.Joint.GearRatio
		}
		if motor.Ratio == 0 {
			return fmt.Errorf("joint %q: motor: its gear ratio is not known; give ratio, or gear_ratio of the drive", l.Joint.Name)
		}
		c.lossTwice(l, &motor)
		out.Motors = append(out.Motors, MotorUse{Joint: l.Joint.Name, Motor: motor, points: new(grid)})
	}
	c.prepareBearings()
	if c.opt.Payload != nil {
		p := c.opt.Payload
		out.Payload = &PayloadWrench{Link: c.r.Links[p.Link].Name, Mass: p.Body.Mass()}
	}
	return c.prepareBeams()
}

// lossTwice notes that an efficiency stands beside friction.
func (c *computation) lossTwice(l *robot.Link, m *Motor) {
	if m.efficiency() < 1 && (l.Joint.Fv != 0 || l.Joint.Fs != 0) {
		c.note("joint %q has friction and its motor an efficiency of %g: losses of the gear may count twice", l.Joint.Name, m.Efficiency)
	}
}

func (c *computation) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.report.Notes, text) {
		c.report.Notes = append(c.report.Notes, text)
	}
}

// sample adds the loads of a sample.
func (c *computation) sample(k int) {
	out, t, w := c.report, c.s.T[k], c.weight[k]
	c.mechanics.rigid(c.rigid)
	c.friction(c.drag)
	total, plain := 0.0, 0.0
	motor := 0
	for i := range out.Drives {
		d, l := &out.Drives[i], &c.r.Links[c.links[i]]
		rate, acc := c.s.DQ[i][k], c.s.DDQ[i][k]
		c.torque[i] = c.rigid[i] + c.drag[i]
		if c.s.Tau != nil {
			c.torque[i] = c.s.Tau[i][k]
		}
		tau := c.torque[i]
		d.Torque.take(tau, t)
		d.Speed.take(rate, t)
		power := tau * rate
		d.Power.take(power, t)
		d.squares += w * tau * tau
		d.points.take(tau, rate)
		if power > 0 {
			d.Given += w * power
		} else {
			d.Taken += w * power
		}
		total += power
		plain += c.rigid[i] * rate
		if motor < len(out.Motors) && out.Motors[motor].Joint == d.Joint {
			u := &out.Motors[motor]
			ia := l.Joint.Ia
			if ia == 0 {
				ia = u.Motor.RotorInertia * u.Motor.Ratio * u.Motor.Ratio
			}
			u.take(t, w, u.Motor.torque(tau-l.Joint.Ia*acc, rate, acc, ia), u.Motor.Ratio*rate)
			motor++
		}
	}
	out.Energy.Net += w * total
	if total > 0 {
		out.Energy.Shared += w * total
	}
	c.rigidNet += w * plain
	if k == 0 {
		c.first = c.energy()
	}
	if k == len(c.s.T)-1 {
		c.last = c.energy()
	}
	c.bear(k)
	c.strain(k)
	if c.opt.Keep {
		c.record(k)
	}
}

// bear adds the wrenches of a sample.
func (c *computation) bear(k int) {
	out, t, w := c.report, c.s.T[k], c.weight[k]
	c.takeBearings(t, w)
	f := c.re.Base()
	s := &out.Base
	s.Vertical.take(f.Force[2], t)
	s.Shear.take(math.Hypot(f.Force[0], f.Force[1]), t)
	s.Tilt.take(math.Hypot(f.Moment[0], f.Moment[1]), t)
	s.Twist.take(f.Moment[2], t)
	s.Mean = spatial.AddScaled(s.Mean, w, f.Force)
	s.Moment = spatial.AddScaled(s.Moment, w, f.Moment)
	if p := c.opt.Payload; p != nil {
		g := c.re.On(p.Link, p.Body).Moved(p.Point)
		out.Payload.Force.take(spatial.Norm(g.Force), t)
		out.Payload.Moment.take(spatial.Norm(g.Moment), t)
	}
}

func (c *computation) finish() error {
	out := c.report
	for i := range out.Drives {
		d := &out.Drives[i]
		d.RMS, d.Plane = math.Sqrt(d.squares/out.Duration), d.points.plane()
		if d.Limit != nil {
			share := math.Abs(d.Torque.Value) / *d.Limit
			d.Share = &share
		}
		out.Energy.Without += d.Given
	}
	c.finishBearings()
	out.Base.Mean = spatial.Scale(1/out.Duration, out.Base.Mean)
	out.Base.Moment = spatial.Scale(1/out.Duration, out.Base.Moment)
	e := &out.Energy
	if math.Abs(e.Net) <= 1e-13*e.Without {
		e.Net = 0 // rounding of a sum of as much given as taken
	}
	e.Mechanical = c.last - c.first
	e.Dissipated, e.Residual = e.Net-e.Mechanical, c.rigidNet-e.Mechanical
	for i := range out.Motors {
		out.Motors[i].finish(c.opt.Margin)
	}
	c.finishBeams()
	if len(c.opt.Catalogue) > 0 {
		if err := c.size(); err != nil {
			return err
		}
	}
	if err := finite.Check(out); err != nil {
		return fmt.Errorf("loads: %w: the motion or the robot has a number that is too large", err)
	}
	return nil
}
