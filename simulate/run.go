package simulate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/robot"
	"ident/robot/drives"
)

// Motion is a record: one slice per joint, one entry per sample.
type Motion struct {
	Q, DQ, DDQ, Tau [][]float64
}

// Record holds the sensors' measurements of a simulated run and the exact motion and torques, for the whole run or for
// successive samples. DDQ of Measured is that of Exact; otherwise the two Motions share no memory.
type Record struct {
	Options  Options
	Joints   []string // independent joints in the robot's order
	T        []float64
	Measured Motion
	Exact    Motion
	// Passive are the joints that the robot's closed loops move, PassiveQ their exact positions (rad or m), one slice a
	// joint.
	Passive  []string
	PassiveQ [][]float64
	// Attached is the number of the attached payload, 0 for none, in one slice; empty without payloads.
	Attached [][]float64
	// Contact is 1 while a force of the surroundings pushes the robot, otherwise 0, followed by the force's components
	// (N, along the base's axes); empty for a motion without forces.
	Contact [][]float64
	// Reference are the positions commanded to a controller, and Limited says for every torque whether the drive gave
	// less than commanded; empty without a controller.
	Reference [][]float64
	Limited   [][]bool
	// Current (A), Voltage (V) and Pressure (Pa) of the drives, one slice per joint; empty unless measured.
	Current, Voltage, Pressure [][]float64
	// Temperature holds the joints' temperature rises in K; empty unless friction warms them.
	Temperature   [][]float64
	robot         *robot.Robot
	links         []int // of the joints
	pushed, warms bool
}

// blockRows is the number of samples computed at once: the channels of seven
// joints and the machine's slots then stay in the second-level cache.
const blockRows = 1024

// Simulation is an experiment whose robot, motion and options have been checked.
type Simulation struct {
	plant   *mechanics
	with    []*mechanics // with each of the payloads
	motion  BatchSampler
	outline Record
	samples int
	control *control // nil where the robot follows the motion exactly
	drives  []drives.Drive
	push    Pushed // nil without forces
}

// maxSamples bounds a record: nearly three hours at 1 kHz, a gigabyte for a robot of six joints.
const maxSamples = 10_000_000

// New prepares an experiment. It returns an error if the robot cannot be computed or has no inertial parameters, if
// motion and robot differ in their joints, or if the options are invalid.
func New(r *robot.Robot, s Sampler, opt Options) (*Simulation, error) {
	p, err := newMechanics(r)
	if err != nil {
		return nil, err
	}
	names := p.names()
	if s.DOF() != len(p.links) {
		return nil, fmt.Errorf("simulate: the motion has %d joints, robot %q has %d independent ones: %v", s.DOF(), r.Name, len(p.links), names)
	}
	if err := opt.complete(s, names); err != nil {
		return nil, err
	}
	x := &Simulation{plant: p, motion: batched(s), push: pushOf(s), outline: Record{Options: opt, Joints: names, robot: r, links: p.links}}
	if x.drives, err = drivesOf(r, p.links, &x.outline.Options); err != nil {
		return nil, err
	}
	if opt.Payload.Link == "" && len(opt.Payloads) > 0 {
		return nil, fmt.Errorf("simulate: further payloads without a first")
	}
	for _, p := range opt.payloads() {
		carrying, err := p.carrying(r)
		if err != nil {
			return nil, err
		}
		with, err := newMechanics(carrying)
		if err != nil {
			return nil, err
		}
		x.with = append(x.with, with)
	}
	if n := opt.Duration * opt.Rate; !(n <= maxSamples) {
		return nil, fmt.Errorf("simulate: %g s at %g samples a second are %.3g samples, and %.0e are the most; record a shorter time, or at a lower rate", opt.Duration, opt.Rate, n, float64(maxSamples))
	}
	x.samples = int(math.Floor(opt.Duration*opt.Rate*(1+1e-12))) + 1
	if p.loops != nil {
		x.outline.Passive = p.loops.names
		if x.push != nil {
			return nil, errPushed("this one has loops")
		}
	}
	x.outline.pushed = x.push != nil
	return x, nil
}

// Samples returns the length of the record.
func (x *Simulation) Samples() int { return x.samples }

// Outline returns the experiment without samples: its completed options, joints
// and channels.
func (x *Simulation) Outline() *Record {
	e := x.outline
	e.allocate(0)
	return &e
}

// Blocks computes the record and calls visit with it in order, block by block. The memory is reused for the next block.
// Values do not depend on the size of a block. An error of visit ends it, as does ctx.
func (x *Simulation) Blocks(ctx context.Context, visit func(e *Record) error) error {
	if x.control != nil {
		return x.controlledBlocks(ctx, visit)
	}
	block := x.outline
	block.allocate(min(blockRows, x.samples))
	opt := &block.Options
	var lateRate, lateTorque *states
	now := x.newStates()
	if opt.VelocityLag != 0 {
		lateRate = x.newStates()
	}
	if opt.TorqueLag != 0 {
		lateTorque = x.newStates()
	}
	rates := x.newTorqueRates()
	noise := newNoise(opt, len(block.Joints))
	for first := 0; first < x.samples; first += blockRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(blockRows, x.samples-first)
		e := block.slice(0, n)
		for k := range e.T {
			e.T[k] = float64(first+k) / opt.Rate
		}
		if err := now.at(x.motion, e.T, 0, true); err != nil {
			return err
		}
		rate, torque := now, now
		if lateRate != nil {
			rate = lateRate
			if err := rate.at(x.motion, e.T, opt.VelocityLag, false); err != nil {
				return err
			}
		}
		if lateTorque != nil {
			torque = lateTorque
			if err := torque.at(x.motion, e.T, opt.TorqueLag, true); err != nil {
				return err
			}
		}
		copyRows(e.Exact.Q, now.q)
		copyRows(e.Exact.DQ, now.dq)
		copyRows(e.Exact.DDQ, now.ddq)
		copyRows(e.Exact.Tau, now.tau)
		copyRows(e.Measured.Q, now.q)
		copyRows(e.Measured.DQ, rate.dq)
		copyRows(e.Measured.Tau, torque.tau)
		if now.loops != nil {
			now.loops.passiveRows(e.PassiveQ)
		}
		payloads := opt.payloads()
		for _, on := range e.Attached {
			for k, v := range e.T {
				on[k] = float64(carriedAt(payloads, v))
			}
		}
		copyRows(e.Contact, now.force)
		noise.sense(&e.Measured)
		if rates != nil {
			if err := rates.fill(x.motion, e.T); err != nil {
				return err
			}
		}
		x.drivenSignals(e, rates)
		if err := visit(e); err != nil {
			return err
		}
	}
	return nil
}

// Run records a robot that follows a motion, all in memory. Its errors are those of New and ctx and, with closed loops,
// of motions that open them.
func Run(ctx context.Context, r *robot.Robot, s Sampler, opt Options) (*Record, error) {
	x, err := New(r, s, opt)
	if err != nil {
		return nil, err
	}
	return x.All(ctx)
}

// All computes the whole record. Its errors are those of Blocks.
func (x *Simulation) All(ctx context.Context) (*Record, error) {
	e := x.outline
	e.allocate(x.samples)
	at := 0
	err := x.Blocks(ctx, func(block *Record) error {
		n := len(block.T)
		to := e.slice(at, at+n)
		for i, g := range to.grids() {
			copyRows(*g, *block.grids()[i])
		}
		copy(to.T, block.T)
		for i, x := range block.Limited {
			copy(to.Limited[i], x)
		}
		at += n
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &e, nil
}

// grids returns the channels of an experiment, one slice per joint, without the
// accelerations of Measured.
func (e *Record) grids() []*[][]float64 {
	return []*[][]float64{&e.Exact.Q, &e.Exact.DQ, &e.Exact.DDQ, &e.Exact.Tau, &e.Measured.Q, &e.Measured.DQ, &e.Measured.Tau, &e.PassiveQ, &e.Attached, &e.Contact, &e.Reference,
		&e.Current, &e.Voltage, &e.Pressure, &e.Temperature}
}

// allocate makes room for n samples.
func (e *Record) allocate(n int) {
	e.T = make([]float64, n)
	for _, g := range e.grids() {
		joints := len(e.Joints)
		switch {
		case g == &e.PassiveQ:
			joints = len(e.Passive)
		case g == &e.Attached && e.Options.Payload.Link != "":
			joints = 1
		case g == &e.Contact && e.pushed:
			joints = len(pushChannels)
		case g == &e.Attached, g == &e.Contact, g == &e.Temperature && !e.warms, g == &e.Reference && e.Options.Controller == "",
			g == &e.Current && !e.Options.measures(currentSignal), g == &e.Voltage && !e.Options.measures(voltageSignal), g == &e.Pressure && !e.Options.measures(pressureSignal):
			joints = 0
		}
		*g = grid(joints, n)
	}
	e.Measured.DDQ = e.Exact.DDQ
	e.Limited = make([][]bool, len(e.Reference))
	for i := range e.Limited {
		e.Limited[i] = make([]bool, n)
	}
}

// slice returns the samples from first up to end, in the same memory.
func (e *Record) slice(first, end int) *Record {
	part := *e
	part.T = e.T[first:end]
	for _, g := range part.grids() {
		*g = slices.Clone(*g)
		for i, x := range *g {
			(*g)[i] = x[first:end]
		}
	}
	part.Measured.DDQ = part.Exact.DDQ
	part.Limited = slices.Clone(part.Limited)
	for i, x := range part.Limited {
		part.Limited[i] = x[first:end]
	}
	return &part
}

// grid allocates rows of n values.
func grid(rows, n int) [][]float64 {
	g := make([][]float64, rows)
	for i := range g {
		g[i] = make([]float64, n)
	}
	return g
}

// copyRows fills the rows of to.
func copyRows(to, from [][]float64) {
	for i := range to {
		copy(to[i], from[i])
	}
}

// First returns the first n samples, in the same memory.
func (e *Record) First(n int) *Record { return e.slice(0, n) }
