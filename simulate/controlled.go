package simulate

import (
	"context"
	"fmt"
	"math"

	"ident/robot"
	"ident/robot/drives"
	"ident/simulate/plant"
)

// Controlled describes the controller that moves the robot, instead of an exactly followed motion.
type Controlled struct {
	plant.Control // Sense is set by the experiment's sensors
	Plant         plant.Options
	Text          string // text for the metadata
}

// control is the robot under its controller, or under given torques.
type control struct {
	Controlled
	plant     *plant.Plant
	every     int        // control periods between two rows
	commanded *Commanded // nil under a controller
}

// move hands out the rows of the motion.
func (c *control) move(ctx context.Context, x *Simulation, sense func(q, dq []float64), visit func(plant.Row) error) error {
	if g := c.commanded; g != nil {
		return c.plant.Under(ctx, g.Commands, g.Q, g.DQ, 1/x.outline.Options.Rate, x.samples, sense, visit)
	}
	control := c.Control
	control.Sense = sense
	return c.plant.Follow(ctx, x.motion, control, plant.Run{Every: c.every, Samples: x.samples}, visit)
}

// NewControlled prepares an experiment in which a controller commands the drives' torques and the robot moves
// accordingly: forward dynamics with sticking friction (package plant). The motion is the controller's reference. The
// controller sees the measured positions and velocities, including noise, which are also recorded; recorded torques are
// the drives'. A row is recorded every whole number of control periods. Lags of sensors and payloads are errors. Forces
// of a task push the robot where it is. A robot with loops is moved in its driven joints.
func NewControlled(r *robot.Robot, reference Sampler, c Controlled, opt Options) (*Simulation, error) {
	if opt.VelocityLag != 0 || opt.TorqueLag != 0 || opt.Payload.Link != "" {
		return nil, fmt.Errorf("simulate: lags of velocity and torque, and payloads, cannot be combined with a controller: leave them out (the controller has its own delay)")
	}
	opt.Controller = c.Text
	x, err := New(r, reference, opt)
	if err != nil {
		return nil, err
	}
	if x.push != nil {
		c.Plant.Push = func(t float64, q, tau []float64) { x.push.Push(t, q, tau) }
	}
	if c.Period == 0 {
		c.Period = 1 / x.outline.Options.Rate
	}
	if drives.Any(x.drives) {
		c.Plant.Drives = x.drives
	}
	k := &control{Controlled: c}
	x.outline.warms = c.Plant.Warming != nil
	if k.plant, err = plant.New(r, c.Plant); err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}
	periods := 1 / (x.outline.Options.Rate * c.Period)
	k.every = int(math.Round(periods))
	if k.every < 1 || math.Abs(periods-float64(k.every)) > 1e-6*periods {
		return nil, fmt.Errorf("simulate: a record at %.4g Hz of a controller at %.4g Hz: the controller's rate must be a whole multiple of the record's", x.outline.Options.Rate, 1/c.Period)
	}
	x.control = k
	return x, nil
}

// contact records the force of the surroundings in a row.
func (x *Simulation) contact(e *Record, at int, row plant.Row, unused []float64) {
	if x.push == nil {
		return
	}
	f := x.push.Push(row.Time, row.Q, unused)
	e.Contact[0][at] = 0
	for i, v := range f {
		if e.Contact[1+i][at] = v; v != 0 {
			e.Contact[0][at] = 1
		}
	}
}

// controlledBlocks is Blocks for a robot under a controller or given torques.
func (x *Simulation) controlledBlocks(ctx context.Context, visit func(e *Record) error) error {
	block := x.outline
	block.allocate(min(blockRows, x.samples))
	noise := newNoise(&block.Options, len(block.Joints))
	at, done, unused := 0, 0, make([]float64, len(block.Joints))
	err := x.control.move(ctx, x, noise.read, func(row plant.Row) error {
		block.T[at] = row.Time
		for i := range block.Joints {
			block.Exact.Q[i][at], block.Exact.DQ[i][at], block.Exact.DDQ[i][at], block.Exact.Tau[i][at] = row.Q[i], row.DQ[i], row.DDQ[i], row.Tau[i]
			block.Measured.Q[i][at], block.Measured.DQ[i][at], block.Measured.Tau[i][at] = row.SensedQ[i], row.SensedDQ[i], row.Tau[i]
			if row.QR != nil {
				block.Reference[i][at] = row.QR[i]
				block.Limited[i][at] = row.Limited[i]
			}
		}
		block.signals(at, row.Signals)
		x.contact(&block, at, row, unused)
		for i, v := range row.Temperatures {
			block.Temperature[i][at] = v
		}
		if x.plant.loops != nil {
			for i, k := range x.plant.loops.passive {
				block.PassiveQ[i][at] = row.All[k]
			}
		}
		at, done = at+1, done+1
		if at < len(block.T) && done < x.samples {
			return nil
		}
		e := block.slice(0, at)
		noise.torques(e.Measured.Tau)
		x.currentNoise(e)
		at = 0
		return visit(e)
	})
	if err != nil {
		return fmt.Errorf("simulate: %w", err)
	}
	return nil
}
