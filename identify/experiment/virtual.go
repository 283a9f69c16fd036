package experiment

import (
	"context"
	"fmt"

	"ident/datasets"
	"ident/identify/elastic"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/robot"
	"ident/simulate"
)

// Virtual is a robot with a motion and the options of its experiment.
type Virtual struct {
	Source, Robot *robot.Robot // Source is the robot as the file says; Robot has its joints locked and its loops assembled
	Motion        simulate.Sampler
	Run           simulate.Options
	Notes         []string

	commanded *simulate.Commanded // torques that move the robot in place of the motion; nil for none

	opt   Options
	seals folder.Seals // of a result that is the law's model
}

// Open reads the robot of the settings and the motion, and completes the options.
func Open(ctx context.Context, s *project.Settings, opt Options) (*Virtual, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	rate, faults, err := ofClass(opt.Sensors, opt.Faults)
	if err != nil {
		return nil, err
	}
	switch {
	case opt.Rate != 0:
	case rate > 0:
		opt.Rate = rate
	default:
		opt.Rate = simulate.DefaultRate
	}
	v := &Virtual{opt: opt, seals: s.Seals}
	if v.Source, err = project.FindRobot(s, true); err != nil {
		return nil, err
	}
	if err := project.RequireNumeric(v.Source); err != nil {
		return nil, err
	}
	r, err := project.Lock(v.Source, s.Lock)
	if err != nil {
		return nil, err
	}
	if err := v.openMotion(ctx, r); err != nil {
		return nil, err
	}
	r, ways, err := project.AssembledFor(ctx, s, r, v.Motion)
	if err != nil {
		return nil, fmt.Errorf("trajectory %s: %w", opt.Motion+opt.Torques, err)
	}
	v.Robot, v.Notes = r, append(v.Notes, ways...)
	v.Run = simulate.Options{Rate: opt.Rate, Duration: opt.Duration, VelocityLag: opt.VelocityLag, TorqueLag: opt.TorqueLag,
		Acceleration: opt.Acceleration || opt.Ideal, Passive: opt.Passive, Seed: s.Seed, Measure: opt.Measure, Faults: faults,
		Noise: simulate.Noise{Torque: opt.Torque, Position: opt.Position, Velocity: opt.Velocity}, Encoder: opt.Encoder, TorqueQuantum: opt.TorqueQuantum}
	if n := len(opt.Payloads); n > 0 {
		v.Run.Payload, v.Run.Payloads = opt.Payloads[0], opt.Payloads[1:n:n]
	}
	if opt.Repeats > 1 {
		v.Run.Duration = float64(opt.Repeats) * v.Motion.Duration()
	}
	if v.Run.Duration > v.Motion.Duration() && !v.Motion.Periodic() {
		if v.Motion, err = simulate.Repeat(opt.Motion+opt.Torques, v.Motion); err != nil {
			return nil, err
		}
	}
	if v.commanded != nil && v.Elastic() {
		return nil, project.NewOptionError("{torques}: robot %q has elastic joints, which are simulated along a motion", r.Name)
	}
	if !opt.Ideal && !v.Elastic() && v.commanded == nil {
		if err := project.UsualSensors(ctx, &v.Run, r, v.Motion); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// openMotion opens what moves the robot: a motion, or torques of its drives with the state in which it starts.
func (v *Virtual) openMotion(ctx context.Context, r *robot.Robot) (err error) {
	if v.opt.Torques == "" {
		v.Motion, v.Notes, err = project.OpenMotion(ctx, v.opt.Motion, r)
		return err
	}
	c, notes, err := project.OpenTorques(ctx, v.opt.Torques, r)
	if err != nil {
		return err
	}
	v.Motion, v.commanded, v.Notes = c.Start(), &c, notes
	return nil
}

// Elastic reports whether the robot has elastic joints.
func (v *Virtual) Elastic() bool { return elastic.HasElasticJoint(v.Robot) }

// Prepare builds the experiment for a run, whose options differ from Run only in their seed.
func (v *Virtual) Prepare(run simulate.Options) (*simulate.Simulation, error) {
	if v.commanded != nil {
		c := *v.commanded
		var err error
		if c.Plant, err = Friction(v.opt.Friction, len(v.Robot.Independent())); err != nil {
			return nil, err
		}
		return simulate.NewCommanded(v.Robot, c, run)
	}
	if v.opt.Controller == "" {
		if v.opt.Friction != "" {
			return nil, project.NewOptionError("{friction} is that of a robot moved by a {controller} or by {torques}")
		}
		return simulate.New(v.Robot, v.Motion, run)
	}
	c, err := Controlled(v.opt.Controller, v.opt.ControllerModel, v.Robot, run.Rate, v.seals)
	if err != nil {
		return nil, err
	}
	if c.Plant, err = Friction(v.opt.Friction, len(v.Robot.Independent())); err != nil {
		return nil, err
	}
	return simulate.NewControlled(v.Robot, v.Motion, c, run)
}

// Record runs the experiment with another seed into a log in memory.
func (v *Virtual) Record(ctx context.Context, name string, seed uint64) (*datasets.Log, error) {
	run := v.Run
	run.Seed = seed
	x, err := v.Prepare(run)
	if err != nil {
		return nil, err
	}
	stage, err := v.Stage(ctx, x)
	if err != nil {
		return nil, err
	}
	return record(ctx, x, stage, name, x.Outline().Meta())
}
