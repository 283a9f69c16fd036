package causes

import (
	"context"
	"sync"

	"ident/judge"
	"ident/regressor"
	"ident/robot"
)

// Kinds of causes.
const (
	Delay         = "delay"           // torques come late
	Skew          = "skew"            // the torques' clock runs at another rate
	Bandwidth     = "bandwidth"       // torques are smoother than the motion makes them: a remark
	Clock         = "clock"           // the motion's clock runs at another rate
	Scale         = "scale"           // a torque is too large or too small by a constant factor
	Asymmetry     = "asymmetry"       // a torque has another scale in each direction
	Saturated     = "saturated"       // a torque bends towards its peak
	Curve         = "torque-curve"    // a torque is scaled by a factor that changes with its size or its direction
	SpeedScale    = "scale-by-speed"  // a torque is scaled by a factor that changes with the joint's speed
	Friction      = "friction"        // another law of friction: no fault
	LoadFriction  = "load-friction"   // friction that grows with the torque: no fault, but the model needs a term for it
	Ripple        = "ripple"          // a torque periodic in the joint's angle: no fault
	Warming       = "warming"         // friction falls while the log runs
	Drift         = "drift"           // offsets of the torques change while the log runs
	ScaleDrift    = "scale-drift"     // scales of the torques change while the log runs
	GravityVector = "gravity-vector"  // the base is mounted at another angle than the file says
	TiltStep      = "tilt-step"       // the base tips at some time
	GravityOf     = "gravity-channel" // gravity is scaled in a torque, or missing from it
	Zero          = "zero"            // a position has a constant offset
	Backlash      = "backlash"
	Gear          = "gear"       // a position is scaled by another gear ratio
	Slip          = "slip"       // the zero of a position changes at some time
	Eccentric     = "eccentric"  // the error of a position follows its own angle
	Compliance    = "compliance" // a position is off in proportion to its torque: it is that of a motor, or commanded
	Geometry      = "geometry"
	Payload       = "payload"
	PayloadOfLog  = "payload-of-log"
	Contact       = "contact"
	Drag          = "drag"
	Spring        = "spring"     // a torque has a part that follows the joint's own position
	Coupling      = "coupling"   // a drive turns with two joints
	Mixed         = "mixed"      // a position holds a part of its neighbour's
	Talks         = "cross-talk" // a torque holds a part of its neighbour's

	Recorder        = "recorder"             // torques were recorded at another time
	TorqueSign      = "torque-sign"          // a torque has the wrong sign
	PositionSign    = "position-sign"        // a position has the wrong sign
	TorqueOrder     = "torque-order"         // two torques exchanged
	PositionOrder   = "position-order"       // two positions exchanged
	JointOrder      = "joint-order"          // two joints exchanged
	Units           = "units"                // a position in another unit
	ClockStep       = "clock-step"           // the clock's rate changes
	Smoothed        = "smoothed"             // torques are low-pass filtered, positions are not
	Reversed        = "reversed"             // the log runs backward
	External        = "external"             // torques hold external torque only: the model explains none of them
	FrictionFree    = "friction-compensated" // torques have no friction
	Weightless      = "gravity-compensated"  // torques have no gravity
	GravityMissing  = "gravity-missing"      // gravity is missing from some torques, not from all
	GravityTwice    = "gravity-twice"        // some torques contain gravity twice
	LengthsInMillis = "lengths"              // the robot file gives lengths in mm
	AllSigns        = "all-signs"            // all torques have the wrong sign
)

// Opposite is the Value of a cause GravityVector where gravity points the other way; from 1 to 6 it means x, -x, y, -y, z and -z.
const Opposite = -1.0

// FileTaken is the Value of a cause Weightless where the log is fitted best with the gravity of the file's bodies added.
const FileTaken = 1.0

// Cause is a reason why a log and its robot disagree.
type Cause struct {
	Kind   string
	Joints []int     // indices of the model's joints; nil for all joints
	Value  float64   // size of the disagreement, in the unit of Kind
	Length float64   // length of the stretch that begins at Value, as a fraction of the log. PayloadOfLog: its mass, kg; TorqueOrder: the part of the log from which it is so, 0 for all of it; ClockStep: where the rate changes; Slip: its size; TiltStep: the angle, rad; Units: 1 if ±100 is the range of the file's limits; Recorder: a second shift that the log cannot tell from Value
	Of     Quantity  // quantity of the channel, for causes found in one channel without a model
	Rows   []int     // samples at which the channel shows the cause
	Order  []int     // for exchanged torques: by entry of Joints, the joint whose channel holds its torque
	Signs  []float64 // by entry of Order: -1 if the torque also has the wrong sign, else 1
	// Settled says that the fit as a whole shows the cause, before the ranking. Its Nats and Gain are zero: they were not measured.
	Settled bool
	OfFile  bool    // the cause was found with the bodies of the robot file, which are often wrong
	Nats    float64 // gain of log-likelihood on rows left out, in nats
	Gain    float64 // fraction of the squared error on rows left out that the cause explains: the larger of the mean over the joints and that of the sum in N·m
}

// Options of Judge.
type Options struct {
	Gravity [3]float64
	Cutoff  float64 // low-pass of torques and regressor, Hz; 0 means 10
	Models  *Models // models to share between the logs of one robot; nil builds new ones
	Seed    uint64
	// ClockSure says that velocities were logged and agree with the derivatives of the positions.
	ClockSure bool
	// Whole says that the positions are whole numbers, like encoder counts.
	Whole bool
	// Loaded says that the robot carries a load, so that the bodies of its file are not those of the log: nothing is told from them.
	Loaded bool
	// Trained are logs of the same robot that a result was fitted to: their normal matrix and moments, with their own weights, are added
	// to those of every fold. What the fit of the new logs alone would absorb is evidence then. Hypotheses have no part in these logs.
	Trained []Log
	// Known is what an earlier result says of the robot's bodies, nil for none. It is used like Trained, without their logs.
	Known *Known
	// Without are families that are not asked, as if nobody had thought of them: see Cause.Family.
	Without []string

	models *Models
}

// Models are the models of a robot, shared by its logs.
type Models struct {
	bodies *bodies
	base   []int
	file   []float64 // parameters of the file's bodies; nil for none

	mutex sync.Mutex
	cache map[[3]float64]*regressor.Model
}

// NewModels returns the models of a robot, ready for Judge.
func NewModels(r *robot.Robot, seed uint64) (*Models, error) {
	b, err := newBodies(r)
	if err != nil {
		return nil, err
	}
	m := &Models{bodies: b, base: b.independent(seed), cache: map[[3]float64]*regressor.Model{}}
	any := false
	file := make([]float64, len(b.rest.Columns()))
	for c, col := range b.rest.Columns() {
		if v, ok := regressor.ValueOf(r, col); ok && v != 0 && r.Links[col.Link].HasInertial {
			file[c], any = v, true
		}
	}
	if any {
		m.file = file
	}
	return m, nil
}

// under returns the model of the links of a robot (nil: the models' own) under gravity g.
func (m *Models) under(r *robot.Robot, g [3]float64) *regressor.Model {
	own := r == nil
	if own {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		if c := m.cache[g]; c != nil {
			return c
		}
		r = m.bodies.robot.Clone()
	}
	r.Gravity = g
	model, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		panic(err) // the same robot has been computed with already
	}
	if own {
		model = model.Compiled()
		m.cache[g] = model
	}
	return model
}

// Report says what the logs of a robot show about causes.
type Report struct {
	Named  bool      // the cause is known: the first of Causes, or one of its first Group entries
	Group  int       // how many of the first Causes these logs cannot tell apart
	Causes []Cause   // sorted, strongest evidence first
	Delay  float64   // delay common to all torques, s: a remark, not a fault
	Error  float64   // relative error of the free fit on rows left out
	Each   []float64 // the same error by joint; 0 for a joint without a torque
	// Weight is, by torque, the ratio of the fitted gravity to that of the file's bodies; 0 if the latter is a small
	// part of the torque.
	Weight []float64
	// Inertia is, by torque, the ratio of the fitted torque without gravity (rotors included) to that of the file's
	// bodies; 0 if the latter is a small part of the torque.
	Inertia []float64

	hypotheses []*hypothesis // of Causes
	plain      *trial
	reference  *judge.Reference
	which      []int // equations of the reference
}

// Judge ranks the causes of disagreement between logs and their robot.
func Judge(ctx context.Context, r *robot.Robot, logs []Log, opt Options) (*Report, error) {
	if err := opt.complete(r); err != nil {
		return nil, err
	}
	t, err := newTrial(ctx, r, logs, opt)
	if err != nil {
		return nil, err
	}
	return t.rank(), ctx.Err()
}

// complete fills in the options that are not given.
func (o *Options) complete(r *robot.Robot) error {
	if o.Cutoff == 0 {
		o.Cutoff = 10
	}
	if o.models = o.Models; o.models != nil {
		return nil
	}
	var err error
	o.models, err = NewModels(r, o.Seed)
	return err
}
