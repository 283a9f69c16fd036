package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/experiment"
	"ident/cmd/ident/internal/help"
	"ident/cmd/ident/internal/pipe"
	"ident/datasets"
	"ident/identify/design"
	"ident/identify/elastic"
	"ident/identify/project"
	"ident/robot"
	"ident/simulate"
)

// simulateOptions are the options of a virtual experiment that are no settings of a project.
type simulateOptions struct {
	trajectory, task, torques   string
	out                         string
	rate, duration              float64
	repeat                      int
	torque, position, velocity  []float64 // nil where not given
	encoder, quantum            []float64
	velocityLag, torqueLag      float64
	ideal, acceleration, repGiv bool
	passive                     bool // log the passive joints of closed loops
	payload, payloadOn          []string
	controller, model, friction string
	seals                       project.Seals
	measure                     []string // signals of the drives in the log
	sensors                     experiment.Sensors
	trials                      int
	estimators                  []string
	verbose                     bool
}

func newSimulate(s streams) *cobra.Command {
	f := s.flags()
	var opt simulateOptions
	var torque, position, velocity, encoder, quantum string
	c := &cobra.Command{
		Use:   "simulate [ROBOT|RESULT] --trajectory FILE -o LOG",
		Short: "simulate an experiment: robot, motion and sensors",
		Long: fmt.Sprintf(`Let a robot follow a motion exactly and record what its sensors see: t, and q, dq
and tau of each joint. The torques follow from the robot file's inertials, friction
and rotor inertias. The log carries the robot, so that ident fit LOG needs nothing
else. - is standard input for the motion, and CSV on standard output for the log. The folder of
a result stands for the identified robot.

The motion is a file of ident design-trajectory, or any log with t and the positions
of all joints (and velocities and accelerations where it has them). It is repeated
with --repeat where it ends as it began. --task is a motion of the tip in its place: points,
lines and arcs with speeds and orientations, in a YAML file (see docs/laboratory.md).

Unless told otherwise the encoders have 20 bits a turn (%g m a count on slides), the
velocities have noise of %g rad/s (%g m/s), and each torque has noise of %g %% of its
own root mean square; all noise is white and Gaussian. --ideal turns all of it off
and logs the exact accelerations too. Lists have one value for all joints, or one
for each.

With --controller the robot does not follow the motion exactly: a control law asks its
drives for torques, and it moves as they and its friction let it, sticking where it
comes to rest. Laws are pd (kp, kd), pid (kp, ki, kd), cascade (kp, kv), computed (torque;
kp, kv) and operational (that of the tip; kp, kv); +gravity and +feedforward add torques
of a model, which is the robot itself or --controller-model. gain is torque a control
unit, limit that of the drives, rate and delay are those of the law, in Hz and s. The law
sees what the sensors measure, and the log holds what it was asked for, q_ref1 and so on.

With --torques FILE the robot is moved by the torques of a log alone, t and tau1, tau2 and so on,
asked of its drives along straight lines between the rows; friction sticks. It starts in the
positions and velocities of the first row, or at rest at zero. Sensors are perfect unless options
say otherwise.

--faults adds those of real logs, NAME[:JOINT][=SIZE] comma-separated:
%s.
--sensors adds those of a class of arms:
%s.

With --trials the experiment is repeated with other seeds, and each record fitted by each of
--estimators as ident fit --plain does: how the estimates lie about the robot's own parameters.

Motors and cylinders that the robot file describes (dc or cylinder under drive) turn the
law's torques into voltages and currents within their limits; --measure current,voltage
logs these, i1 and u1 and so on, as amplifiers do.`, project.SlidingStep, project.TurningNoise, project.SlidingNoise, 100*project.TorqueNoise, experiment.FaultNames(), experiment.SensorNames()),
		Example: `  ident simulate arm.urdf --trajectory traj.csv -o log.parquet
  ident simulate arm.urdf --trajectory traj.json --repeat 6 --torque-noise 0.5,1 -o log.csv
  ident simulate arm.urdf --trajectory traj.json --ideal -o exact.parquet
  ident simulate arm.urdf --trajectory traj.json --sensors cobot --faults dropped -o real.csv
  ident simulate arm.urdf --trajectory traj.csv --controller "pd+gravity kp=400 kd=40" -o log.csv
  ident simulate arm.urdf --trajectory traj.json --rate 200 --trials 5 --estimators wls,irls
  ident simulate arm.urdf --task task.yaml --ideal -o exact.csv
  ident simulate arm.urdf --torques torques.csv -o motion.csv
  cat traj.csv | ident simulate arm.urdf --trajectory - -o -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := robotProject(c, f, args)
			if err != nil {
				return err
			}
			if opt.repGiv = c.Flags().Changed("repeat"); opt.task != "" && opt.trajectory != "" {
				return usagef("--task and --trajectory are both the motion: give one")
			}
			if opt.torques != "" {
				if opt.trajectory+opt.task+opt.controller != "" || opt.repGiv || opt.trials != 0 || opt.sensors.Faults+opt.sensors.Class != "" {
					return usagef("--torques alone moves the robot: leave out --trajectory, --task, --controller, --repeat, --trials, --faults and --sensors")
				}
			}
			opt.trajectory += opt.task + opt.torques
			for _, l := range []struct {
				name, text string
				to         *[]float64
			}{{"torque-noise", torque, &opt.torque}, {"position-noise", position, &opt.position}, {"velocity-noise", velocity, &opt.velocity},
				{"encoder", encoder, &opt.encoder}, {"torque-quantum", quantum, &opt.quantum}} {
				if !c.Flags().Changed(l.name) {
					continue
				}
				if opt.ideal {
					return usagef("--ideal and --%s contradict each other", l.name)
				}
				if *l.to, err = project.ParseNumbers(l.text); err != nil || len(*l.to) == 0 {
					return usagef("--%s %q: want numbers, one for all joints or one for each, comma-separated", l.name, l.text)
				}
				if x := slices.Min(*l.to); x < 0 {
					return usagef("--%s %g: give zero or more", l.name, x)
				}
			}
			if opt.trials != 0 {
				err = opt.checkTrials()
			} else {
				err = opt.check(c)
			}
			if err != nil {
				return err
			}
			rate, err := opt.sensors.Take()
			if err != nil {
				return err
			}
			if rate > 0 && !c.Flags().Changed("rate") {
				opt.rate = rate
			}
			given, done, err := s.input(c.Context(), []string{opt.trajectory})
			if err != nil {
				return err
			}
			defer done()
			if opt.trials != 0 {
				own := opt
				own.trajectory = given[0]
				return s.trials(c.Context(), f, p, own, opt.trajectory)
			}
			s, doc := s, (*experiment.Document)(nil)
			if err := s.during("simulating", func() error {
				return pipe.Output(c.Context(), s.data, opt.out, func(out string) error {
					own := opt
					own.trajectory, own.out = given[0], out
					doc, err = runSimulation(c.Context(), p, own)
					return err
				})
			}); err != nil {
				return err
			}
			if doc.Trajectory, doc.Output = opt.trajectory, opt.out; opt.out == "-" {
				s.out = s.err // beside the log
			}
			for _, n := range doc.Notes {
				s.note("%s", n)
			}
			if f.json {
				return project.WriteJSON(s.data, doc)
			}
			doc.Text(s.out)
			return nil
		},
	}
	f.robotFlags(c)
	f.settings(c, project.Random)
	f.jsonFlag(c)
	fl := c.Flags()
	fl.StringVar(&opt.trajectory, "trajectory", "", "the motion: a file of ident design-trajectory, or a log with positions")
	fl.StringVar(&opt.task, "task", "", "the motion as a task of the tip, in a YAML file")
	addNumber(fl, &opt.rate, "rate", "Hz", simulate.DefaultRate, 1e-3, 1e5, "samples a second")
	addNumber(fl, &opt.duration, "duration", "s", 0, 0, 1e8, "seconds to record (default: the motion's own)")
	addNumber(fl, &opt.repeat, "repeat", "", 1, 1, 1_000_000, "times to repeat the motion")
	fl.StringVar(&opt.torques, "torques", "", "torques of the drives that move the robot instead of a motion: a log with t and tau1, tau2 …, and q1 …, dq1 … of the start")
	fl.StringVar(&torque, "torque-noise", "", "standard deviation of the torques, N·m or N (default 1 % of each joint's torque)")
	fl.StringVar(&position, "position-noise", "", "standard deviation of the positions, rad or m (default 0)")
	fl.StringVar(&velocity, "velocity-noise", "", "standard deviation of the velocities, rad/s or m/s (default 2e-4, 2e-5)")
	fl.StringVar(&encoder, "encoder", "", "size of an encoder count, rad or m; 0 for none (default 2π/2^20, 1e-6)")
	fl.StringVar(&quantum, "torque-quantum", "", "step of the torque sensor, N·m or N (default 0, none)")
	addNumber(fl, &opt.velocityLag, "velocity-lag", "s", 0, -1e3, 1e3, "seconds by which the velocities come late")
	addNumber(fl, &opt.torqueLag, "torque-lag", "s", 0, -1e3, 1e3, "seconds by which the torques come late")
	fl.BoolVar(&opt.ideal, "ideal", false, "perfect sensors, and exact accelerations in the log")
	fl.BoolVar(&opt.acceleration, "acceleration", false, "log the exact accelerations too")
	fl.BoolVar(&opt.passive, "passive", false, "log the positions of the passive joints of closed loops too")
	fl.StringArrayVar(&opt.payload, "payload", nil, "a body that a link carries at times, LINK=MASS,X,Y,Z (kg, and m of its centre in the link's frame) or with IXX,IYY,IZZ about the centre (kg·m²); the channel payload says when, of several (repeatable) by number")
	fl.StringArrayVar(&opt.payloadOn, "payload-on", nil, "seconds at which the payload is on, FROM:TO comma-separated; once for each --payload")
	fl.StringVar(&opt.controller, "controller", "", "control law that moves the robot, with its gains, one value or one a joint: \"pd kp=… kd=…\", also pv, pid, cascade, computed, operational, +gravity, +feedforward; gain=, limit=, rate=, delay=")
	fl.StringVar(&opt.model, "controller-model", "", "robot file, or folder of a result, that the law takes for its model (default: the robot itself)")
	fl.StringVar(&opt.friction, "friction", "", "friction under a controller beside the file's, one value or one a joint: stribeck= speed= (N·m, rad/s), load= (of the drive's torque), and as joints warm: capacity= (J/K), resistance= (K/W), viscous=, coulomb= (1/K)")
	fl.StringSliceVar(&opt.measure, "measure", nil, "signals of the drives in the log: torque, current, voltage, pressure (default torque)")
	fl.StringVar(&opt.sensors.Class, "sensors", "", "class of arms whose sensors watch: "+experiment.SensorNames())
	fl.StringVar(&opt.sensors.Faults, "faults", "", "faults of the log, NAME[:JOINT][=SIZE] comma-separated, e.g. late-torque=0.01,dropped")
	addNumber(fl, &opt.trials, "trials", "", 0, 2, 100_000, "repeat the experiment with other draws, fit each record by --estimators, and tell their bias, scatter and coverage; writes no log")
	fl.BoolVarP(&opt.verbose, "verbose", "v", false, "print every note, and every parameter of --trials")
	fl.StringSliceVar(&opt.estimators, "estimators", []string{"wls"}, "estimators of --trials")
	fl.StringVarP(&opt.out, "output", "o", "", "log to write, in any format of ident help formats")
	return c
}

// check refuses settings that mean nothing, before anything is computed.
func (o *simulateOptions) check(c *cobra.Command) error {
	switch {
	case o.trajectory == "":
		return usagef("no motion: give --trajectory FILE (ident design-trajectory makes one), --task FILE or --torques FILE\n%s", help.Call(c))
	case o.out == "":
		return usagef("no place for the log: give -o FILE with .parquet, .csv, .csv.gz or .arrow\n%s", help.Call(c))
	case o.model != "" && o.controller == "":
		return usagef("--controller-model goes with --controller")
	case o.repeat < 1:
		return usagef("--repeat %d: give 1 or more", o.repeat)
	case o.repGiv && c.Flags().Changed("duration"):
		return usagef("--repeat and --duration both say how long: give one")
	case !(o.rate > 0) || math.IsInf(o.rate, 0):
		return usagef("--rate %g: give a positive number of samples a second", o.rate)
	case len(o.payload) != len(o.payloadOn):
		return usagef("--payload LINK=MASS,X,Y,Z and --payload-on FROM:TO go together: %d and %d are given", len(o.payload), len(o.payloadOn))
	case o.duration < 0 || math.IsNaN(o.duration) || math.IsInf(o.duration, 0):
		return usagef("--duration %g: give a positive number of seconds", o.duration)
	}
	return checkOutput(c, o.out)
}

// virtual reads robot and motion and completes the options.
func (opt *simulateOptions) virtual(ctx context.Context, p *project.Settings) (*experiment.Virtual, error) {
	opt.seals = p.Seals
	source, err := project.FindRobot(p, true)
	if err != nil {
		return nil, err
	}
	if err := project.RequireNumeric(source); err != nil {
		return nil, err
	}
	r, err := project.Lock(source, p.Lock)
	if err != nil {
		return nil, err
	}
	motion, commanded, notes, err := opt.moved(ctx, r)
	if err != nil {
		return nil, err
	}
	r, ways, err := project.AssembledFor(ctx, p, r, motion)
	if err != nil {
		return nil, fmt.Errorf("trajectory %s: %w", opt.trajectory, err)
	}
	notes = append(notes, ways...)
	run := simulate.Options{Rate: opt.rate, Duration: opt.duration, VelocityLag: opt.velocityLag, TorqueLag: opt.torqueLag,
		Acceleration: opt.acceleration || opt.ideal, Passive: opt.passive, Seed: p.Seed, Measure: opt.measure, Faults: opt.sensors.Faults,
		Noise: simulate.Noise{Torque: opt.torque, Position: opt.position, Velocity: opt.velocity}, Encoder: opt.encoder, TorqueQuantum: opt.quantum}
	if err = experiment.Payloads(&run, opt.payload, opt.payloadOn); err != nil {
		return nil, err
	}
	if opt.repeat > 1 {
		run.Duration = float64(opt.repeat) * motion.Duration()
	}
	if run.Duration > motion.Duration() && !motion.Periodic() {
		if motion, err = simulate.Repeat(opt.trajectory, motion); err != nil {
			return nil, err
		}
	}
	if commanded != nil && elastic.HasElasticJoint(r) {
		return nil, usagef("--torques: robot %q has elastic joints, which are simulated along a motion", r.Name)
	}
	if elastic.HasElasticJoint(r) {
		if opt.trials != 0 {
			return nil, usagef("--trials: robot %q has elastic joints, which are fitted by a model of their own", r.Name)
		}
		return opt.of(source, r, motion, run, notes), nil
	}
	if !opt.ideal && commanded == nil {
		if err := project.UsualSensors(ctx, &run, r, motion); err != nil {
			return nil, err
		}
	}
	v := opt.of(source, r, motion, run, notes)
	v.Commanded = commanded
	return v, nil
}

// moved opens what moves the robot: a motion, or torques of its drives with the place where it starts.
func (opt *simulateOptions) moved(ctx context.Context, r *robot.Robot) (simulate.Sampler, *simulate.Commanded, []string, error) {
	if opt.torques == "" {
		motion, notes, err := project.OpenMotion(ctx, opt.trajectory, r)
		return motion, nil, notes, err
	}
	c, notes, err := project.OpenTorques(ctx, opt.trajectory, r)
	if err != nil {
		return nil, nil, nil, err
	}
	return c.Start(), &c, notes, nil
}

func (opt *simulateOptions) of(source, r *robot.Robot, motion simulate.Sampler, run simulate.Options, notes []string) *experiment.Virtual {
	return &experiment.Virtual{Source: source, Robot: r, Motion: motion, Run: run, Notes: notes, Controller: opt.controller, Model: opt.model, Seals: opt.seals, Friction: opt.friction, Sensors: opt.sensors}
}

// runSimulation runs the whole of `ident simulate`.
func runSimulation(ctx context.Context, p *project.Settings, opt simulateOptions) (*experiment.Document, error) {
	v, err := opt.virtual(ctx, p)
	if err != nil {
		return nil, err
	}
	source, r, motion, run, notes := v.Source, v.Robot, v.Motion, v.Run, v.Notes
	if elastic.HasElasticJoint(r) {
		doc := &experiment.Document{Schema: "ident.simulate/1", Robot: design.RobotOf(r), Trajectory: opt.trajectory, Output: opt.out, Notes: append(notes, experiment.NotInFile(p)...)}
		return doc, simulateElastic(ctx, r, motion, run, opt, experiment.CarriedRobot(source, map[string]string{}), doc)
	}
	x, err := v.Prepare(run)
	if err != nil {
		return nil, err
	}
	stage, err := v.Sensors.Stage(ctx, r, motion, x)
	if err != nil {
		return nil, err
	}
	e := x.Outline()
	doc := &experiment.Document{Schema: "ident.simulate/1", Robot: design.RobotOf(r), Trajectory: opt.trajectory, Output: opt.out, Samples: x.Samples(),
		Joints: e.Joints, Options: e.Options, Notes: append(notes, experiment.NotInFile(p)...)}
	channels, _ := e.Channels()
	for _, c := range channels {
		doc.Channels = append(doc.Channels, c.Name)
	}
	meta := experiment.CarriedRobot(source, e.Meta())
	var load project.MeanSquares
	var control experiment.Following
	err = datasets.Write(opt.out, channels, meta, func(w *datasets.Writer) error {
		return x.Blocks(ctx, func(e *simulate.Record) error {
			load.Add(e.Exact.Tau)
			control.Add(e)
			if stage != nil {
				e = stage.Apply(e)
				doc.Rows += len(e.T)
			}
			_, cols := e.Channels()
			return w.Append(cols)
		})
	})
	doc.RMSTorque = load.Roots()
	doc.Tracking, doc.Limited = control.RMS(), control.Limited
	return doc, err
}
