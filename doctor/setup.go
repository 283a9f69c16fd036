package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/datasets"
	"ident/doctor/causes"
	"ident/doctor/internal/trialfit"
	"ident/regressor"
	"ident/robot"
)

// setup is the robot, its model and the channels of its joints. It is immutable.
type setup struct {
	robot    *robot.Robot
	models   *trialfit.Models
	roles    datasets.Roles
	opt      Options
	joints   []joint
	channels []*channel
	spare    []datasets.Channel    // of the log, that no role names
	causes   func() *causes.Models // nil where the robot has none
}

// joint is one row of the model with its channels; a channel that the log lacks is nil.
type joint struct {
	name   string
	link   int
	gain   float64 // joint torque of a unit of its current, 0 where unknown
	q, dq  *channel
	ddq    *channel
	effort *channel // torque, else current
	given  bool     // whether the effort is not measured, but given by the mechanism or by a law
}

// torquePerUnit returns the joint torque of one unit of the effort channel.
func (j joint) torquePerUnit() float64 {
	if j.effort.role == current && j.gain != 0 {
		return j.gain
	}
	return 1
}

// role is the quantity that a channel measures.
type role int

const (
	position role = iota
	velocity
	acceleration
	torque
	current
)

// channel is one column of the log that a joint uses.
type channel struct {
	name  string
	unit  string
	role  role
	joint int     // index into setup.joints
	index int     // index into setup.channels
	bound float64 // magnitude beyond which a value cannot have been measured

	assumed bool // whether the mechanism gives its values, which no sensor measured
}

// newModels returns the models of a robot for the Gravity, Terms, Immobile and Seed of the options.
func newModels(r *robot.Robot, opt Options) (*trialfit.Models, error) {
	r = r.Clone()
	if opt.Gravity != nil {
		r.Gravity = *opt.Gravity
	}
	terms := opt.Terms
	if terms == nil {
		terms = regressor.DefaultTerms()
	}
	return trialfit.NewModels(r, terms, baseparams.Options{Seed: opt.Seed, Immobile: opt.Immobile})
}

// newSetup finds the channels of the model's joints.
func newSetup(r *robot.Robot, inLog []datasets.Channel, roles datasets.Roles, opt Options) (*setup, error) {
	models := opt.Models
	if models == nil {
		models = new(Models)
	}
	fits, err := models.forFits(r, opt)
	if err != nil {
		return nil, err
	}
	s := &setup{robot: fits.Robot(), models: fits, opt: opt}
	s.causes = func() *causes.Models { return models.forCauses(s.robot, opt.Seed) }
	r = s.robot
	units, assumed := map[string]string{}, map[string]bool{}
	for _, c := range inLog {
		units[c.Name], assumed[c.Name] = c.Unit, c.Assumed
	}
	roles.Tau = slices.Clone(roles.Tau)
	given := make([]bool, len(roles.Tau))
	for i, name := range roles.Tau {
		given[i] = assumed[name] || i < len(opt.given) && opt.given[i]
		if assumed[name] {
			roles.Tau[i] = "" // a force that no sensor measured has nothing to be judged
		}
	}
	opt.given = given
	s.roles = roles
	n := len(roles.Q)
	entries := roleEntries(r, fits.Full().JointLinks(), n)
	for j, link := range fits.Full().JointLinks() {
		jt := joint{name: r.Links[link].Joint.Name, link: link, gain: r.Links[link].Joint.Gain}
		i := entries[j]
		if opt.State.Gains != nil {
			if len(opt.State.Gains) != n {
				panic(fmt.Sprintf("doctor: %d gains for %d joints", len(opt.State.Gains), n))
			}
			jt.gain = opt.State.Gains[i]
		}
		add := func(names []string, as role) *channel {
			if i >= len(names) || names[i] == "" {
				return nil
			}
			c := &channel{name: names[i], unit: units[names[i]], role: as, joint: j, index: len(s.channels), assumed: assumed[names[i]]}
			c.bound = bound(&r.Links[link].Joint, as)
			s.channels = append(s.channels, c)
			return c
		}
		jt.given = i < len(given) && given[i]
		jt.q = add(roles.Q, position)
		jt.dq = add(roles.DQ, velocity)
		jt.ddq = add(roles.DDQ, acceleration)
		if jt.effort = add(roles.Tau, torque); jt.effort == nil {
			jt.effort = add(roles.Current, current)
		}
		s.joints = append(s.joints, jt)
	}
	for _, c := range inLog {
		used := func(x *channel) bool { return x.name == c.Name }
		if c.Name != roles.T && !slices.ContainsFunc(s.channels, used) {
			s.spare = append(s.spare, c)
		}
	}
	return s, nil
}

// roleEntries returns, for each of the model's rows, the index into roles of n joints.
func roleEntries(r *robot.Robot, links []int, n int) []int {
	entries := make([]int, len(links))
	moving := r.Moving()
	if n != len(links) && n != len(moving) {
		panic(fmt.Sprintf("doctor: roles of %d joints for a robot with %d", n, len(moving)))
	}
	for j, link := range links {
		entries[j] = j
		if n == len(moving) {
			entries[j] = slices.Index(moving, link)
		}
	}
	return entries
}

// isRevolute reports whether joint j is revolute.
func (s *setup) isRevolute(j int) bool {
	return s.robot.Links[s.joints[j].link].Joint.Kind == robot.Revolute
}

// limitOf returns the magnitude of the joint's limit for a channel, 0 if the file has none.
func (s *setup) limitOf(c *channel) float64 {
	j := &s.robot.Links[s.joints[c.joint].link].Joint
	limit := 0.0
	switch c.role {
	case position:
		if !j.Continuous {
			limit = math.Max(math.Abs(j.Lower), math.Abs(j.Upper))
		}
		if s.isRevolute(c.joint) && limit > 0 {
			limit = math.Max(limit, math.Pi/2)
		}
	case velocity:
		limit = j.Velocity
	case torque:
		limit = j.Effort
	}
	if math.IsNaN(limit) || math.IsInf(limit, 0) {
		return 0
	}
	return limit
}

// unitOf returns the SI unit of a channel.
func (s *setup) unitOf(c *channel) string {
	revolute := s.isRevolute(c.joint)
	switch c.role {
	case position:
		return pick(revolute, "rad", "m")
	case velocity:
		return pick(revolute, "rad/s", "m/s")
	case acceleration:
		return pick(revolute, "rad/s²", "m/s²")
	case torque:
		return pick(revolute, "N·m", "N")
	}
	return "A"
}

// about returns a new finding about a channel.
func (s *setup) about(id string, severity Severity, c *channel) Finding {
	return Finding{ID: id, Severity: severity, Channel: c.name, Joint: s.joints[c.joint].name}
}

func pick[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

// unknownGains reports whether a joint has a motor current without a gain.
func (s *setup) unknownGains() bool {
	return slices.ContainsFunc(s.joints, func(j joint) bool { return j.effort != nil && j.effort.role == current && j.gain == 0 })
}
