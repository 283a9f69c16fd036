package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"ident/baseparams"
	"ident/datasets"
	"ident/filter"
	"ident/regressor"
	"ident/robot"
)

// Options of Check. The zero value is the default.
type Options struct {
	// Gains turn motor currents into joint torques, N·m/A or N/A, one a joint of the roles; nil where
	// none were given, which leaves those of the robot file.
	Gains []float64
	// Gravity in the base frame, m/s²; nil is the robot's own.
	Gravity *[3]float64
	// Terms of the model whose excitation is judged; nil is all of them.
	Terms []regressor.Term
	// Lock holds the positions of joints that the log does not hold, by joint name; absent is zero.
	Lock map[string]float64
	// Still are the links of joints that stand still though their torques are measured.
	Still []int
	// Trim is what the fit will cut from both ends, seconds. Edge transients within it are only
	// mentioned.
	Trim float64
	// Rate is the sampling rate that was declared for the log, Hz; 0 where none was.
	Rate float64
	// Seed of the random states of the base parameters, and of the noise that excitation is held against.
	Seed uint64
}

// ErrNoClock: the roles name no time channel.
var ErrNoClock = errors.New("doctor: no time channel")

// fewest is the number of rows below which nothing about signals can be said.
const fewest = 50

// Check reads the log once for its clock and once for everything else, and returns what it noticed, the
// gravest first. The roles have one entry for each moving joint of the robot, or for each of its
// independent ones, in the robot's order; other lengths panic. An error means that the log could not be
// read or the robot not be computed with, never that something is wrong in the data: that is a Finding.
func Check(r *robot.Robot, l *datasets.Log, roles datasets.Roles, opt Options) ([]Finding, error) {
	e, err := Examine(r, l, roles, opt)
	if err != nil {
		return nil, err
	}
	return e.Findings, nil
}

// Examination is what Examine leaves: the findings, and what Between holds against other runs.
type Examination struct {
	Findings []Finding
	patient  *patient
}

// Examine is Check, with what is needed to compare several runs of one robot kept.
func Examine(r *robot.Robot, l *datasets.Log, roles datasets.Roles, opt Options) (*Examination, error) {
	if roles.T == "" {
		return nil, ErrNoClock
	}
	p, err := newPatient(r, l, roles, opt)
	if err != nil {
		return nil, err
	}
	if p.t, err = l.Column(roles.T); err != nil {
		return nil, err
	}
	p.clock = filter.AnalyseClock(p.t)
	p.checkMissing()
	p.checkClock()
	if len(p.t) >= fewest && p.clock.Median > 0 {
		if err := p.scan(); err != nil {
			return nil, err
		}
		p.checkValues()
		p.checkHeld()
		p.checkVelocity()
		p.checkUnits()
		p.checkTorques()
		p.checkSpectra()
		p.checkExcitation()
	}
	slices.SortStableFunc(p.findings, func(a, b Finding) int {
		return cmp.Compare(b.Severity.rank(), a.Severity.rank())
	})
	p.windows, p.log = nil, nil // nothing needs the rows any more
	return &Examination{Findings: p.findings, patient: p}, nil
}

// patient is one log and one robot under examination.
type patient struct {
	robot    *robot.Robot
	model    *regressor.Model
	log      *datasets.Log
	roles    datasets.Roles
	opt      Options
	joints   []joint
	channels []*channel

	t       []float64
	clock   filter.Clock
	windows []*window
	fits    *motion
	set     *baseparams.Set
	trial   *trial
	owns    []*own
	coupled map[pair]bool // pairs of joints whose drives were found to be coupled, sign 0
	before  int           // findings when the torques' turn came
	spikes  []int         // rows of lone values
	slow    bool          // some channels come from a slower clock
	// arranged says that the motion and the robot file were found to be at odds as a whole.
	arranged bool
	// merged says that the times are those of two clocks.
	merged bool
	// gainless says that the torques were found to be currents.
	gainless bool

	findings []Finding
}

// joint is one row of the model and its channels, nil where the log has none.
type joint struct {
	name   string
	link   int
	gain   float64 // of its current, 0 where unknown
	q, dq  *channel
	ddq    *channel
	effort *channel // torque, else current
}

// role is what a channel measures.
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
	joint int // index into patient.joints
	index int // into patient.channels
	bound float64
	stats stats
	// quantum of the values, once it has been looked for: it takes a sort of the windows' steps.
	quantum  float64
	measured bool
}

func newPatient(r *robot.Robot, l *datasets.Log, roles datasets.Roles, opt Options) (*patient, error) {
	r = r.Clone()
	if opt.Gravity != nil {
		r.Gravity = *opt.Gravity
	}
	terms := opt.Terms
	if terms == nil {
		terms = regressor.DefaultTerms()
	}
	model, err := regressor.NewDynamic(r, regressor.OfMotion(terms))
	if err != nil {
		return nil, err
	}
	p := &patient{robot: r, model: model, log: l, roles: roles, opt: opt, coupled: map[pair]bool{}}
	units := map[string]string{}
	for _, c := range l.Channels() {
		units[c.Name] = c.Unit
	}
	n := len(roles.Q)
	at := jointIndex(r, model.JointLinks(), n)
	for j, link := range model.JointLinks() {
		jt := joint{name: r.Links[link].Joint.Name, link: link, gain: r.Links[link].Joint.Gain}
		i := at[j]
		if opt.Gains != nil {
			if len(opt.Gains) != n {
				panic(fmt.Sprintf("doctor: %d gains for %d joints", len(opt.Gains), n))
			}
			jt.gain = opt.Gains[i]
		}
		add := func(names []string, what role) *channel {
			if i >= len(names) || names[i] == "" {
				return nil
			}
			c := &channel{name: names[i], unit: units[names[i]], role: what, joint: j, index: len(p.channels)}
			c.bound = bound(&r.Links[link].Joint, what)
			p.channels = append(p.channels, c)
			return c
		}
		jt.q = add(roles.Q, position)
		jt.dq = add(roles.DQ, velocity)
		jt.ddq = add(roles.DDQ, acceleration)
		if jt.effort = add(roles.Tau, torque); jt.effort == nil {
			jt.effort = add(roles.Current, current)
		}
		p.joints = append(p.joints, jt)
	}
	return p, nil
}

// jointIndex says which entry of roles with n joints belongs to each of the model's rows.
func jointIndex(r *robot.Robot, links []int, n int) []int {
	at := make([]int, len(links))
	moving := r.Moving()
	if n != len(links) && n != len(moving) {
		panic(fmt.Sprintf("doctor: roles of %d joints for a robot with %d", n, len(moving)))
	}
	for j, link := range links {
		at[j] = j
		if n == len(moving) {
			at[j] = slices.Index(moving, link)
		}
	}
	return at
}

// add keeps a finding. Figures of damaged logs may have overflowed; those of findings stay finite.
func (p *patient) add(f Finding) {
	f.Value, f.Limit = finite(f.Value), finite(f.Limit)
	p.findings = append(p.findings, f)
}

func finite(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return min(max(x, -math.MaxFloat64), math.MaxFloat64)
}

// about starts a finding on a channel.
func (p *patient) about(id string, s Severity, c *channel) Finding {
	return Finding{ID: id, Severity: s, Channel: c.name, Joint: p.joints[c.joint].name}
}
