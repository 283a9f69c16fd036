package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/table"
	"ident/cmd/ident/internal/trajectory"
	"ident/excite"
	"ident/excite/poses"
	"ident/identify"
	"ident/identify/project"
	"ident/internal/output"
)

func newTool(s streams) *cobra.Command {
	f := s.flags()
	opt := identify.ToolOptions{}
	var out, mount string
	var design int
	hold := 5.0
	c := &cobra.Command{
		Use:   "tool LOG | tool --design N --robot ROBOT",
		Short: "weigh a tool by a wrist sensor: mass, centre, inertia, biases",
		Long: `Weigh the tool on a wrist sensor with six axes, from a log of several poses that are held for
some seconds each. Channels: fx, fy, fz (N), tx, ty, tz (N·m) in the sensor's frame, and its
orientation: joint positions with --robot, or poses px, py, pz with qx, qy, qz, qw, or with a
rotation vector rx, ry, rz. --wrench BODY=FX,FY,FZ,TX,TY,TZ names the body in whose frame the
sensor is mounted (default: the last of the robot file), and other channels. A channel tare
begins a new bias with each change. Values have standard deviations and 95 % intervals; what
the poses do not determine is named. The exit code is 3 where a finding is an error.

--moving uses rows in motion as well: fast turns about all axes show the inertia.

--design N needs no log: it prints N poses that determine the tool best, and writes the motion that
holds each for --hold seconds to the file of -o, by its extension as ident design-trajectory does.

ident export TOOL.json --to payload-ur writes the document of -o as a controller takes it.`,
		Example: `  ident tool wrist.csv --robot arm.urdf -o tool.json
  ident tool poses.csv --mount 0,0,0.04,0,0,0 -o tool.json
  ident tool --design 8 --robot arm.urdf -o poses.ros.yaml
  ident export tool.json --to payload-ur`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case design == 0 && len(args) == 0:
				return usagef("name a log, or ask for poses with --design N")
			case design > 0 && len(args) > 0:
				return usagef("--design designs poses, and a log is weighed: give one of the two")
			case mount != "":
				var err error
				if opt.Mount, err = project.ParseNumbers(mount); err != nil || len(opt.Mount) != 6 {
					return usagef("--mount %q: want six numbers, x,y,z,roll,pitch,yaw", mount)
				}
			}
			if design > 0 {
				p, err := f.resolve(f.robot())
				if err != nil {
					return err
				}
				if p.Robot == "" {
					return usagef("no robot: name its file with --robot, or put \"robot: FILE\" into ident.yaml here")
				}
				return s.designTool(c.Context(), c, p, design, hold, opt.Mount, out, f.json)
			}
			p, err := f.resolve(append(args, f.robot())...)
			if err != nil {
				return err
			}
			var doc *identify.ToolDocument
			if err := s.during("weighing the tool", func() error {
				doc, err = identify.New(p, f.robot() != "", args...).Tool(c.Context(), opt)
				return err
			}); err != nil {
				return err
			}
			if out != "" {
				if err := output.Write(out, func(w io.Writer) error { return project.WriteJSON(w, doc) }); err != nil {
					return err
				}
			}
			if f.json {
				err = project.WriteJSON(s.data, doc)
			} else {
				err = table.Tool(s.out, doc)
			}
			if err == nil && doc.Wrong() {
				return errVerdict
			}
			return err
		},
	}
	f.settings(c, project.RobotFile)
	f.robotFlags(c)
	f.settings(c, project.Random)
	f.settingWith(c, "wrench", "body in whose frame the sensor is mounted, and its channels: BODY or BODY=FX,FY,FZ,TX,TY,TZ (default the last body, fx … tz)")
	for _, key := range []string{"preset", "map", "units", "scale", "zero", "topics", "columns", "rate"} {
		f.setting(c, entry(key))
	}
	f.jsonFlag(c)
	fl := c.Flags()
	fl.StringVarP(&out, "output", "o", "", "file for the document; of --design for the motion, by its extension")
	fl.StringVar(&mount, "mount", "", "place of the sensor's frame in the body's or the logged one: x,y,z,roll,pitch,yaw, m and rad")
	fl.BoolVar(&opt.Moving, "moving", false, "use rows in motion, too, which can show the inertia")
	fl.BoolVar(&opt.Mounting, "mounting", false, "find the rotation of the sensor about its z axis")
	addNumber(fl, &opt.Cutoff, "motion-cutoff", "Hz", 0, 0, 1e4, "low-pass of the motion for --moving, Hz (default 20)")
	addNumber(fl, &design, "design", "", 0, 0, 24, "design this many poses, 2 to 24")
	addNumber(fl, &hold, "hold", "s", 5, 0.5, 600, "seconds that --design holds each pose")
	return c
}

// toolPool is the number of free poses that a design chooses from.
const toolPool = 300

// designTool designs poses that weigh a tool.
func (s streams) designTool(ctx context.Context, c *cobra.Command, p *project.Settings, n int, hold float64, mount []float64, out string, asJSON bool) error {
	opt := &designOptions{shape: "points", harmonics: excite.DefaultHarmonics, period: excite.DefaultPeriod, margin: excite.DefaultMargin, criterion: "condition", starts: 1, segments: 1,
		repeat: 1, rate: 200, uncertainty: 10, clearance: 0.02}
	if out != "" {
		opt.out = []string{out}
	}
	if err := opt.check(c, p); err != nil {
		return err
	}
	job, err := opt.job(ctx, p)
	if err != nil {
		return err
	}
	job.command, job.problem.Shape = s.command, ""
	space, err := excite.NewSpace(job.problem)
	if err != nil {
		return explainLimits(p, job.Robot, err)
	}
	free, err := poses.Free(space, toolPool, p.Seed)
	if err != nil {
		return err
	}
	best, err := identify.ToolPoses(job.Robot, p, mount, free, n)
	if err != nil {
		return err
	}
	chosen := make([][]float64, n)
	for k, i := range best {
		chosen[k] = free[i]
	}
	motion, held, err := poses.Hold(ctx, space, chosen, free, hold)
	if err != nil {
		return err
	}
	if len(held) < n {
		s.note("%d of %d poses are left out: no free way leads to them", n-len(held), n)
	}
	res := space.Check(motion)
	if res.Violations > 0 {
		return fmt.Errorf("--design %d: the motion exceeds %s, and is not written; give the limits that the robot has", n, exceeded(res.Margins))
	}
	opt.shape, res.Criterion, res.Value, res.ConditionScaled, res.ConditionRaw = "static", excite.ConditionNumber, math.NaN(), math.NaN(), math.NaN()
	job.problem.Period = motion.Duration()
	doc := job.document(opt, res)
	doc.Poses = nil
	for _, i := range held {
		doc.Poses = append(doc.Poses, chosen[i])
	}
	if err := job.writeAll(ctx, s, opt, doc, res); err != nil {
		return err
	}
	if asJSON {
		return project.WriteJSON(s.data, doc)
	}
	return printPoses(s.out, project.JointNames(job.Robot), doc)
}

// printPoses prints the table of poses.
func printPoses(w io.Writer, joints []string, doc *trajectory.Design) error {
	text := fmt.Sprintf("%d poses in %.0f s\n\npose  %s\n", len(doc.Poses), doc.Period, strings.Join(joints, "  "))
	for k, q := range doc.Poses {
		text += fmt.Sprintf("%4d", k+1)
		for j, v := range q {
			text += fmt.Sprintf("  %*.3f", len(joints[j]), v)
		}
		text += "\n"
	}
	for _, path := range doc.Outputs {
		text += "\nwrote " + path
	}
	_, err := fmt.Fprintln(w, text)
	return err
}
