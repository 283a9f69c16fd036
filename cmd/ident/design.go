package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/interrupt"
	"ident/cmd/ident/internal/pipe"
	"ident/cmd/ident/internal/trajectory"
	"ident/datasets"
	"ident/excite"
	"ident/identify/project"
	"ident/report"
	"ident/robot"
)

func identityOf(r *robot.Robot) trajectory.Robot {
	return trajectory.Robot{Name: r.Name, DOF: len(r.Independent()), SHA256: r.Source.SHA256}
}

func newDesign(s streams) *cobra.Command {
	f := s.flags()
	opt := new(designOptions)
	c := &cobra.Command{
		Use:   "design-trajectory [ROBOT] [-o FILE]",
		Short: "design an exciting trajectory within the robot's limits",
		Long: `Design a motion that makes the base parameters of a robot as visible in the joint
torques as the limits allow. It starts and ends at rest, and its derivatives are
exact. Limits come from the robot file, from ident.yaml or from the options below;
position and velocity limits are needed, an acceleration limit is assumed where none
is given, and said. All limits are hard, and checked between the samples too. Limits
of torque are kept for parameters off by --uncertainty.

Each -o FILE is .csv, .parquet or .arrow (one period, sampled at --rate: t, and
q_JOINT, dq_JOINT, ddq_JOINT of each joint), .json (the coefficients), .ros.yaml or
.ros.json (a ROS JointTrajectory), .md (the report), .html (a page: the robot that
moves, its curves with their limits, the search; written beside samples too), .svg
(a preview) or .film.svg (the robot at moments of the motion). Samples and
coefficients go into ident simulate; - is CSV on standard output. Ctrl-C ends the
search with the best so far.
--to writes the program of a controller instead of samples: ros2, urscript, krl or rapid
(docs/recording.md). It begins with a slow joint move to the first point; try it in simulation
first.
Without ROBOT, the robot is the one of ident.yaml in the current folder.

The samples for a robot with elastic joints have a torque dither_JOINT for each drive, to be
added to its controller's: a multisine about the resonances, which shows the stiffness.

With --static N the motion passes N poses slowly, there and back, so that friction cancels: the
poses are those that determine the gravity parameters best.

With --noise, or --after the folder of an earlier fit, the deviation of every base
parameter is predicted; --after designs what the logs so far lack.`,
		Example: `  ident design-trajectory arm.urdf
  ident design-trajectory arm.urdf -o traj.csv -o traj.json -o report.md -o robot.film.svg
  ident design-trajectory arm.urdf --period 20 --harmonics 8 --noise 0.5 --criterion D
  ident design-trajectory arm.urdf --keep-out plane:0,0,1:0.1 --self-collision --tip-speed 1.5
  ident design-trajectory arm.urdf --after log.ident --criterion E -o next.csv
  ident design-trajectory arm.urdf --to ros2 -o motion.yaml
  ident design-trajectory arm.urdf --static 40 -o slow.csv`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := robotProject(c, f, args)
			if err != nil {
				return err
			}
			if err := opt.check(c, p); err != nil {
				return err
			}
			doc, err := design(c.Context(), s, p, opt)
			if err != nil {
				return err
			}
			s := s
			if slices.Contains(opt.out, "-") {
				s.out = s.err // beside the samples
			}
			if f.json {
				err = project.WriteJSON(s.data, doc)
			} else {
				if doc.Stopped {
					s.note("stopped early: this is the best motion so far")
				}
				for _, n := range doc.Notes {
					s.note("%s", n)
				}
				trajectory.Print(s.out, doc)
			}
			if err == nil && doc.Stopped {
				return interrupt.Cause(c.Context())
			}
			if err == nil && doc.Violations > 0 { // of a motion that was given
				return errVerdict
			}
			return err
		},
	}
	f.robotFlags(c)
	f.termsFlag(c, "links,Ia,Fv,Fs,Fo")
	f.settings(c, project.Motion)
	f.settings(c, project.Random)
	f.jsonFlag(c)
	opt.flags(c)
	return c
}

// robotProject returns the settings of a command whose argument is a robot.
func robotProject(c *cobra.Command, f *flags, args []string) (*project.Settings, error) {
	beside := project.File
	if len(args) > 0 {
		f.robotOf(args[0])
		beside = args[0]
	}
	p, err := f.resolve(beside)
	if err != nil {
		return nil, err
	}
	if p.Robot == "" {
		return nil, usagef("no robot: name its file, as in %s arm.urdf, or put \"robot: FILE\" into ident.yaml here", c.CommandPath())
	}
	return p, nil
}

// design runs `ident design-trajectory`.
func design(ctx context.Context, s streams, p *project.Settings, opt *designOptions) (*trajectory.Design, error) {
	job, err := opt.job(ctx, p)
	if err != nil {
		return nil, err
	}
	bar := &progress{s: s}
	defer bar.end()
	job.command = s.command
	job.problem.Progress = func(at excite.Progress) {
		job.search = append(job.search, report.SearchPoint{Evaluations: at.Evaluations, Best: at.Best})
		bar.line(trajectory.Progress(at))
	}
	if opt.static > 0 {
		return staticDesign(ctx, s, p, opt, job)
	}
	var res *excite.Result
	if opt.judge != "" {
		opt.shape = "given"
		res, err = job.judged(ctx, opt.judge)
	} else {
		res, err = excite.DesignSequence(ctx, job.problem, opt.segments)
	}
	bar.end()
	if err != nil {
		return nil, explainLimits(p, job.Robot, err)
	}
	doc := job.document(opt, res)
	doc.Seed = p.Seed
	job.dither(doc, res.Trajectory)
	return doc, job.writeAll(ctx, s, opt, doc, res)
}

// writeAll writes every output, even after an interruption.
func (j *designJob) writeAll(ctx context.Context, s streams, opt *designOptions, doc *trajectory.Design, res *excite.Result) error {
	for _, path := range opt.out {
		if err := pipe.Output(context.WithoutCancel(ctx), s.data, path, func(path string) error { return j.write(path, opt, doc, res) }); err != nil {
			return err
		}
	}
	return nil
}

// finite returns x for JSON, nil if it is not finite.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// explainLimits returns an error that says how to give the missing limits.
func explainLimits(p *project.Settings, r *robot.Robot, err error) error {
	var missing *excite.MissingLimitsError
	if !errors.As(err, &missing) {
		var one *excite.LimitError
		if errors.As(err, &one) {
			return fmt.Errorf("%s: %w; give other limits in the robot file, in ident.yaml or with --position-limits, --velocity-limits, --acceleration-limits", p.Robot, err)
		}
		return err
	}
	var position, velocity []string
	for _, m := range missing.Missing {
		if m.Position {
			name := m.Joint
			if m.Placeholder != "" {
				name += " (" + m.Placeholder + ": a placeholder)"
			}
			position = append(position, name)
		}
		if m.Velocity {
			velocity = append(velocity, m.Joint)
		}
	}
	names := project.JointNames(r)
	var lacks, gives []string
	if len(position) > 0 {
		lacks = append(lacks, "  no position limits: "+strings.Join(position, ", "))
		gives = append(gives, "  --position-limits LOWER:UPPER,…  (rad or m)      or in ident.yaml  limits: {position: [[LOWER, UPPER], …]}")
	}
	if len(velocity) > 0 {
		lacks = append(lacks, "  no velocity limit: "+strings.Join(velocity, ", "))
		gives = append(gives, "  --velocity-limits SPEED,…        (rad/s or m/s)  or in ident.yaml  limits: {velocity: [SPEED, …]}")
	}
	return fmt.Errorf("%s does not say how far and how fast its joints may move, and %w:\n%s\ngive them in the robot file, or for all %d joints in the order %s:\n%s",
		p.Robot, errNoLimits, strings.Join(lacks, "\n"), len(names), strings.Join(names, ", "), strings.Join(gives, "\n"))
}

// errNoLimits marks a robot whose limits nobody has given.
var errNoLimits = errors.New("no default is safe on a real robot")

// checkOutput returns an error if a file cannot be written, before the work for it starts.
func checkOutput(c *cobra.Command, path string, also ...string) error {
	if path == "-" {
		if c.Flags().Changed("json") {
			return usagef("-o - and --json both want standard output")
		}
		return nil
	}
	_, known := datasets.Extensions()
	known = append(known, also...)
	low := strings.ToLower(path)
	if !slices.ContainsFunc(known, func(ext string) bool { return strings.HasSuffix(low, ext) }) {
		return usagef("-o %s: the extension says the format; it is one of %s", path, strings.Join(known, " "))
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return usagef("-o %s is a folder; name a file in it", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	} else if !info.IsDir() {
		return fmt.Errorf("cannot write %s: %s is not a folder", path, filepath.Dir(path))
	}
	return nil
}
