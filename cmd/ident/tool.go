package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/table"
	"ident/identify"
	"ident/identify/design"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/output"
)

func newTool(s streams) *cobra.Command {
	f := s.flags()
	opt := identify.ToolOptions{}
	var out, mount string
	var toolPoses identify.ToolPosesOptions
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
			case toolPoses.Poses == 0 && len(args) == 0:
				return usagef("name a log, or ask for poses with --design N")
			case toolPoses.Poses > 0 && len(args) > 0:
				return usagef("--design designs poses, and a log is weighed: give one of the two")
			case mount != "":
				var err error
				if opt.Mount, err = project.ParseNumbers(mount); err != nil || len(opt.Mount) != 6 {
					return usagef("--mount %q: want six numbers, x,y,z,roll,pitch,yaw", mount)
				}
			}
			if toolPoses.Poses > 0 {
				p, err := f.resolve(f.robot())
				if err != nil {
					return err
				}
				if p.Robot == "" {
					return usagef("no robot: name its file with --robot, or put \"robot: FILE\" into ident.yaml here")
				}
				toolPoses.Mount = opt.Mount
				if out != "" {
					toolPoses.Outputs = []string{out}
				}
				return s.designTool(c.Context(), c, p, toolPoses, f.json)
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
				if err := output.Write(out, func(w io.Writer) error { return folder.WriteJSON(w, doc) }); err != nil {
					return err
				}
			}
			if f.json {
				err = folder.WriteJSON(s.data, doc)
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
	for _, key := range []string{"preset", "map", "units", "scale", "zero", "topics", "columns", "rate", "env"} {
		f.setting(c, entry(key))
	}
	f.jsonFlag(c)
	fl := c.Flags()
	fl.StringVarP(&out, "output", "o", "", "file for the document; of --design for the motion, by its extension")
	fl.StringVar(&mount, "mount", "", "place of the sensor's frame in the body's or the logged one: x,y,z,roll,pitch,yaw, m and rad")
	fl.BoolVar(&opt.Moving, "moving", false, "use rows in motion, too, which can show the inertia")
	fl.BoolVar(&opt.Mounting, "mounting", false, "find the rotation of the sensor about its z axis")
	addNumber(fl, &opt.Cutoff, "motion-cutoff", "Hz", 0, 0, 1e4, "low-pass of the motion for --moving, Hz (default 20)")
	addNumber(fl, &toolPoses.Poses, "design", "", 0, 0, 24, "design this many poses, 2 to 24")
	addNumber(fl, &toolPoses.Hold, "hold", "s", 5, 0.5, 600, "seconds that --design holds each pose")
	return c
}

// designTool designs poses that weigh a tool, and prints them.
func (s streams) designTool(ctx context.Context, c *cobra.Command, p *project.Settings, opt identify.ToolPosesOptions, asJSON bool) error {
	files := design.Options{Outputs: opt.Outputs}
	if len(opt.Outputs) == 0 {
		files.Outputs = []string{strings.TrimSuffix(filepath.Base(p.Robot), filepath.Ext(p.Robot)) + ".traj.csv"}
	}
	if err := claimMotion(c, &files); err != nil {
		return err
	}
	opt.Outputs, opt.Command = files.Outputs, s.command
	d, left, err := identify.DesignToolPoses(ctx, p, opt)
	if err != nil {
		return err
	}
	if left > 0 {
		s.note("%d of %d poses are left out: no free way leads to them", left, opt.Poses)
	}
	if err := s.writeMotion(ctx, d); err != nil {
		return err
	}
	if asJSON {
		return folder.WriteJSON(s.data, d.Document)
	}
	return table.Poses(s.out, project.JointNames(d.Robot), d.Document)
}
