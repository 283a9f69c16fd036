package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/interrupt"
	"ident/cmd/ident/internal/pipe"
	"ident/cmd/ident/internal/table"
	"ident/datasets"
	"ident/identify"
	"ident/identify/design"
	"ident/identify/folder"
	"ident/identify/project"
)

func newDesign(s streams) *cobra.Command {
	f := s.flags()
	words := new(designFlags)
	c := &cobra.Command{
		Use:   "design-trajectory [ROBOT] [-o FILE]",
		Short: "design an exciting trajectory within the robot's limits",
		Long: `Design a motion that makes the base parameters of a robot as visible in the joint
torques as the limits allow. It starts and ends at rest, and its derivatives are
exact. Limits come from the robot file, from ident.yaml or from the options below;
position and velocity limits are needed, an acceleration limit is assumed where none
is given, and said. All limits are hard, and checked between the samples too. Limits
of torque are kept for parameters off by --uncertainty.

The extension of each -o FILE says what it holds:

  .csv .parquet .arrow   one period at --rate: t, and q_JOINT, dq_JOINT, ddq_JOINT
  .json                  the coefficients
  .ros.yaml .ros.json    a ROS JointTrajectory
  .md                    the report
  .html                  a page with the moving robot, curves and limits, and the search
  .svg .film.svg         a preview; the robot at moments of the motion

The page is also written beside samples. Samples and coefficients go into ident
simulate; - is CSV on standard output. Ctrl-C ends the search with the best so far.
--to writes the program of a controller instead of samples: ros2, urscript, krl or rapid
(docs/recording.md). It begins with a slow joint move to the first point; try it in simulation
first.
Without ROBOT, the robot is the one of ident.yaml in the current folder.

The samples for a robot with elastic joints have a torque dither_JOINT for each drive, to be
added to its controller's: a multisine about the resonances, which shows the stiffness.

With --standing the base of a robot that stands on its --feet sways, and its legs follow:
docs/standing.md. Feet stick within a cone of friction, and each bears a part of the weight.
With --lift each foot is in the air in turn, so that no mass stays hidden.

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
			opt, err := words.options(c, p.Robot)
			if err != nil {
				return err
			}
			doc, err := s.design(c.Context(), p, opt)
			if err != nil {
				return err
			}
			s := s
			if slices.Contains(opt.Outputs, "-") {
				s.out = s.err // beside the samples
			}
			if f.json {
				err = folder.WriteJSON(s.data, doc)
			} else {
				if doc.Stopped {
					s.note("stopped early: this is the best motion so far")
				}
				for _, n := range doc.Notes {
					s.note("%s", n)
				}
				table.Design(s.out, doc)
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
	f.settingWith(c, "feet", "the feet on which the robot of --standing stands, "+project.FeetForm+"; the radius (m) of a round foot counts for those in front of it, sole is a flat one")
	f.jsonFlag(c)
	words.flags(c)
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

// design designs a motion and writes its files, even after an interruption.
func (s streams) design(ctx context.Context, p *project.Settings, opt design.Options) (*design.Document, error) {
	bar := &progress{s: s}
	defer bar.end()
	opt.Command, opt.Progress = s.command, bar.figures
	d, err := identify.Design(ctx, p, opt)
	bar.end()
	if err != nil {
		return nil, err
	}
	return d.Document, s.writeMotion(ctx, d)
}

// writeMotion writes the files of a design, CSV to standard output for -.
func (s streams) writeMotion(ctx context.Context, d *design.Design) error {
	return d.Write(func(path string, write func(path string) error) error {
		return pipe.Output(context.WithoutCancel(ctx), s.data, path, write)
	})
}

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
