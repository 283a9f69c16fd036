package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/help"
	"ident/cmd/ident/internal/pipe"
	"ident/cmd/ident/internal/table"
	"ident/identify"
	"ident/identify/experiment"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/simulate"
)

// simulateFlags are the options of a virtual experiment as texts, and what they say.
type simulateFlags struct {
	identify.SimulateOptions
	identify.TrialsOptions
	task               string
	payload, payloadOn []string
	verbose            bool
	lists              [5]string // torque, position and velocity noise, encoder and quantum of the torque
}

func newSimulate(s streams) *cobra.Command {
	f := s.flags()
	words := new(simulateFlags)
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

By default the encoders have 20 bits a turn (%g m a count on slides), and the velocities
have noise of %g rad/s (%g m/s). Each torque has noise of %g %% of its root mean square. All
noise is white and Gaussian. --ideal turns all of it off and logs the exact accelerations,
too. Lists have one value for all joints, or one for each.

With --controller the robot does not follow the motion exactly: a control law commands
torques of its drives. Friction sticks if a joint comes to rest. Laws are pd (kp, kd), pid
(kp, ki, kd), cascade (kp, kv), computed (torque; kp, kv) and operational (of the tip; kp,
kv). +gravity and +feedforward add torques of a model: the robot itself, or
--controller-model. gain is the torque per control unit, limit the largest torque, rate (Hz)
and delay (s) are those of the law. The law sees the measured values; the log holds the
reference as q_ref1 and so on.

With --torques FILE the robot is moved by the torques of a log alone, t and tau1, tau2 and so on,
asked of its drives along straight lines between the rows; friction sticks. It starts in the
positions and velocities of the first row, or at rest at zero. Sensors are perfect unless options
say otherwise.

--faults adds faults of real logs, NAME[:JOINT][=SIZE] comma-separated:
  %s.
--sensors adds the faults of a class of arms:
  %s.

With --trials the experiment is repeated with other seeds, and each record fitted by each of
--estimators as ident fit --plain does: how the estimates lie about the robot's own parameters.

If the robot file describes motors or cylinders (dc or cylinder under drive), they turn the
law's torques into voltages and currents within their limits. --measure current,voltage logs
these as i1, u1 and so on, like amplifiers.`, project.SlidingStep, project.TurningNoise, project.SlidingNoise, 100*project.TorqueNoise, strings.ReplaceAll(faultNames(), "\n", "\n  "), sensorNames()),
		Example: `  ident simulate arm.urdf --trajectory traj.csv -o log.parquet
  ident simulate arm.urdf --trajectory traj.json --repeat 6 --torque-noise 0.5,1 -o log.csv
  ident simulate arm.urdf --trajectory traj.json --ideal -o exact.parquet
  ident simulate arm.urdf --trajectory traj.json --sensors cobot --faults dropped -o real.csv
  ident simulate arm.urdf --trajectory traj.csv --controller "pd+gravity kp=400 kd=40" -o log.csv
  ident simulate arm.urdf --trajectory traj.json --rate 200 --trials 5 --estimators wls,irls
  ident simulate arm.urdf --task task.yaml --ideal -o exact.csv
  ident simulate arm.urdf --torques drives.csv -o motion.csv
  cat traj.csv | ident simulate arm.urdf --trajectory - -o -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := robotProject(c, f, args)
			if err != nil {
				return err
			}
			opt, err := words.options(c)
			if err != nil {
				return err
			}
			motion := &opt.Motion
			if opt.Torques != "" {
				motion = &opt.Torques
			}
			name := *motion
			given, done, err := s.input(c.Context(), []string{name})
			if err != nil {
				return err
			}
			defer done()
			if *motion = given[0]; words.Trials != 0 {
				return s.trials(c.Context(), p, opt, words, name, f.json)
			}
			s, doc := s, (*experiment.Document)(nil)
			if err := s.during("simulating", func() error {
				return pipe.Output(c.Context(), s.data, words.Output, func(out string) error {
					opt.Output = out
					doc, err = identify.Simulate(c.Context(), p, opt)
					return err
				})
			}); err != nil {
				return err
			}
			if doc.Trajectory, doc.Output = name, words.Output; words.Output == "-" {
				s.out = s.err // beside the log
			}
			for _, n := range doc.Notes {
				s.note("%s", n)
			}
			if f.json {
				return folder.WriteJSON(s.data, doc)
			}
			table.Simulated(s.out, doc)
			return nil
		},
	}
	f.robotFlags(c)
	f.settings(c, project.Random)
	f.jsonFlag(c)
	words.flags(c)
	return c
}

// flags adds the options of the experiment.
func (opt *simulateFlags) flags(c *cobra.Command) {
	fl := c.Flags()
	fl.StringVar(&opt.Motion, "trajectory", "", "the motion: a file of ident design-trajectory, or a log with positions")
	fl.StringVar(&opt.task, "task", "", "the motion as a task of the tip, in a YAML file")
	addNumber(fl, &opt.Rate, "rate", "Hz", simulate.DefaultRate, 1e-3, 1e5, "samples a second")
	addNumber(fl, &opt.Duration, "duration", "s", 0, 0, 1e8, "seconds to record (default: the motion's own)")
	addNumber(fl, &opt.Repeats, "repeat", "", 1, 1, 1_000_000, "times to repeat the motion")
	fl.StringVar(&opt.Torques, "torques", "", "torques of the drives that move the robot instead of a motion: a log with t and tau1, tau2 …, and q1 …, dq1 … of the start")
	fl.StringVar(&opt.lists[0], "torque-noise", "", "standard deviation of the torques, N·m or N (default 1 % of each joint's torque)")
	fl.StringVar(&opt.lists[1], "position-noise", "", "standard deviation of the positions, rad or m (default 0)")
	fl.StringVar(&opt.lists[2], "velocity-noise", "", "standard deviation of the velocities, rad/s or m/s (default 2e-4, 2e-5)")
	fl.StringVar(&opt.lists[3], "encoder", "", "size of an encoder count, rad or m; 0 for none (default 2π/2^20, 1e-6)")
	fl.StringVar(&opt.lists[4], "torque-quantum", "", "step of the torque sensor, N·m or N (default 0, none)")
	addNumber(fl, &opt.VelocityLag, "velocity-lag", "s", 0, -1e3, 1e3, "seconds by which the velocities come late")
	addNumber(fl, &opt.TorqueLag, "torque-lag", "s", 0, -1e3, 1e3, "seconds by which the torques come late")
	fl.BoolVar(&opt.Ideal, "ideal", false, "perfect sensors, and exact accelerations in the log")
	fl.BoolVar(&opt.Acceleration, "acceleration", false, "log the exact accelerations too")
	fl.BoolVar(&opt.Passive, "passive", false, "log the positions of the passive joints of closed loops too")
	fl.StringArrayVar(&opt.payload, "payload", nil, "a body that a link carries at times (repeatable): LINK=MASS,X,Y,Z in kg and m in the link's frame, or with IXX,IYY,IZZ about its centre in kg·m²; the channel payload has its number while it is on")
	fl.StringArrayVar(&opt.payloadOn, "payload-on", nil, "seconds at which the payload is on, FROM:TO comma-separated; once for each --payload")
	fl.StringVar(&opt.Controller, "controller", "", "control law that moves the robot, with its gains, one value or one a joint: \"pd kp=… kd=…\", also pv, pid, cascade, computed, operational, +gravity, +feedforward; gain=, limit=, rate=, delay=")
	fl.StringVar(&opt.ControllerModel, "controller-model", "", "robot file, or folder of a result, that the law takes for its model (default: the robot itself)")
	fl.StringVar(&opt.Friction, "friction", "", "more friction under a controller, one value or one a joint: stribeck= speed= (N·m, rad/s), load= (of the drive's torque); of warm joints capacity= (J/K), resistance= (K/W), viscous=, coulomb= (1/K)")
	fl.StringSliceVar(&opt.Measure, "measure", nil, "signals of the drives in the log: torque, current, voltage, pressure (default torque)")
	fl.StringVar(&opt.Sensors, "sensors", "", "class of arms whose sensors watch: "+sensorNames())
	fl.StringVar(&opt.Faults, "faults", "", "faults of the log, NAME[:JOINT][=SIZE] comma-separated, e.g. late-torque=0.01,dropped")
	addNumber(fl, &opt.Trials, "trials", "", 0, 2, 100_000, "repeat the experiment with other draws, fit each record by --estimators, and tell their bias, scatter and coverage; writes no log")
	fl.BoolVarP(&opt.verbose, "verbose", "v", false, "print every note, and every parameter of --trials")
	fl.StringSliceVar(&opt.Estimators, "estimators", []string{"wls"}, "estimators of --trials")
	fl.StringVarP(&opt.Output, "output", "o", "", "log to write, in any format of ident help formats")
}

// options returns the options that the texts of a call say.
func (o *simulateFlags) options(c *cobra.Command) (opt identify.SimulateOptions, err error) {
	opt = o.SimulateOptions
	given := c.Flags().Changed
	if o.task != "" && opt.Motion != "" {
		return opt, usagef("--task and --trajectory are both the motion: give one")
	}
	opt.Motion += o.task
	for i, to := range []*[]float64{&opt.Torque, &opt.Position, &opt.Velocity, &opt.Encoder, &opt.TorqueQuantum} {
		name := []string{"torque-noise", "position-noise", "velocity-noise", "encoder", "torque-quantum"}[i]
		if !given(name) {
			continue
		}
		if *to, err = project.ParseNumbers(o.lists[i]); err != nil || len(*to) == 0 {
			return opt, usagef("--%s %q: want numbers, one for all joints or one for each, comma-separated", name, o.lists[i])
		}
	}
	switch {
	case opt.Torques != "" && o.Trials != 0:
		return opt, usagef("--torques alone moves the robot: leave out --trajectory, --task, --controller, --repeat, --trials, --faults and --sensors")
	case opt.Motion == "" && o.Trials != 0:
		return opt, usagef("no motion: give --trajectory FILE (ident design-trajectory makes one)")
	case opt.Motion == "" && opt.Torques == "":
		return opt, usagef("no motion: give --trajectory FILE (ident design-trajectory makes one), --task FILE or --torques FILE\n%s", help.Call(c))
	case opt.Output == "" && o.Trials == 0:
		return opt, usagef("no place for the log: give -o FILE with .parquet, .csv, .csv.gz or .arrow\n%s", help.Call(c))
	case opt.Output != "" && o.Trials != 0:
		return opt, usagef("--trials writes no log: leave -o out, and take --json for a document")
	}
	if !given("rate") {
		opt.Rate = 0 // that of the class of sensors
	}
	if !given("repeat") {
		opt.Repeats = 0
	}
	if opt.Payloads, err = payloads(o.payload, o.payloadOn); err != nil {
		return opt, err
	}
	if err := opt.Check(); err != nil || o.Trials != 0 {
		return opt, err
	}
	return opt, checkOutput(c, opt.Output)
}

// trials repeats an experiment and fits its records.
func (s streams) trials(ctx context.Context, p *project.Settings, opt identify.SimulateOptions, words *simulateFlags, motion string, asJSON bool) error {
	var report *identify.TrialsReport
	if err := s.during("trials", func() (err error) {
		report, err = identify.SimulateTrials(ctx, p, opt, words.TrialsOptions)
		return err
	}); err != nil {
		return err
	}
	report.Motion = motion
	if asJSON {
		return folder.WriteJSON(s.data, report)
	}
	return report.Text(s.out, words.verbose)
}
