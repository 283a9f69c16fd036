package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/exports"
	"ident/cmd/ident/internal/table"
	"ident/identify"
	"ident/identify/description"
	"ident/identify/elastic"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/robot"
	"ident/robot/lint"
)

func newRobot(s streams) *cobra.Command {
	f := s.flags()
	o := new(robotFlags)
	c := &cobra.Command{
		Use:   "robot ROBOT|RESULT",
		Short: "read, check and describe a robot file, or convert it",
		Long: `Read a robot file (URDF, MuJoCo's XML, SDFormat, SYMORO+ .par, YAML), judge the
inertial of every body, and say what was found: joints with limits and drives, links, what was
lumped or coupled. The exit code is 3 when a body cannot exist or loops do not close. The folder of
a result stands for the identified robot.

--html FILE writes a page that opens offline: the robot in three dimensions with its
frames and bodies, and tables of its frames, joints and bodies.

With --to the robot is written in another format instead, to standard output or
to the file of -o; findings then go to standard error and do not count.

--inertia-from shapes computes inertials for bodies without one, with zeros, or with a
placeholder that three links share. In a YAML file the shapes have a density or a mass. In a
URDF they are the collision primitives: give --density, or --mass of a body. With meshes its
STL, OBJ and COLLADA files count: closed surfaces, whose units are those of the file times its
scale. --to urdf keeps every other byte of a URDF.

With --solve the positions of the joints are found that bring a link to a pose: "x,y,z" (m),
"x,y,z,roll,pitch,yaw" (rad) or the twelve entries of a 3×4 matrix, of the link's frame in the
file's base. Arms of six joints are solved completely; closed robots through their loops, other
robots, and positions alone, by a search that may miss states. A redundant arm becomes one of six
joints with --hold. The exit code is 3 where no state reaches the pose.`,
		Example: `  ident robot arm.urdf
  ident robot arm.urdf --html arm.html
  ident robot arm.urdf --to yaml -o arm.yaml
  ident robot scara.par --set D2=0.4 --to urdf
  ident robot arm.urdf --inertia-from shapes --density 2700
  ident robot arm.urdf --inertia-from meshes --density 2700
  ident robot arm.urdf --solve 0.3,0,0.1
  ident robot arm.urdf --solve 0.3,0,0.1 --hold elbow --near elbow=0.8`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(f.json); err != nil {
				return err
			}
			opt, err := o.options()
			if err != nil {
				return err
			}
			p, err := f.robotSettings(args[0])
			if err != nil {
				return err
			}
			d, err := identify.Describe(p, opt)
			switch {
			case err != nil:
				return err
			case o.query.Pose != "":
				return s.solve(c.Context(), d.Robot, o.query, f.json)
			case o.to != "":
				return s.convertRobot(d, o.to, o.out)
			}
			return s.describe(d, o.html, f.json)
		},
	}
	f.robotFlags(c)
	f.jsonFlag(c)
	c.Flags().StringVar(&o.to, "to", "", "write the robot as urdf, mjcf, sdf, par or yaml")
	c.Flags().StringVarP(&o.out, "output", "o", "", "file to write (default: standard output)")
	c.Flags().StringVar(&o.inertia, "inertia-from", "", "shapes or meshes: give bodies without an inertial one from their geometry")
	c.Flags().StringSliceVar(&o.density, "density", nil, "kg/m³ of shapes without density or mass; BODY=VALUE for one body")
	c.Flags().StringSliceVar(&o.mass, "mass", nil, "BODY=KG of a body whose shapes have neither density nor mass")
	c.Flags().StringVar(&o.query.Pose, "solve", "", "find the joint positions of a pose: x,y,z[,roll,pitch,yaw] or a 3×4 matrix")
	c.Flags().StringVar(&o.query.Link, "link", "", "link to bring to the pose (default: the farthest)")
	c.Flags().StringSliceVar(&o.query.Near, "near", nil, "JOINT=POSITION to search from, and of a joint held; rad or m")
	c.Flags().StringSliceVar(&o.query.Hold, "hold", nil, "joints that stay, at zero or as in --near")
	c.Flags().StringVar(&o.html, "html", "", "page to write: the robot in three dimensions, frames, joints, bodies")
	s.shell.Words(c, "to", writtenRobots()...)
	s.shell.Words(c, "inertia-from", "shapes", "meshes")
	return c
}

// robotFlags are the options of ident robot.
type robotFlags struct {
	to, out, html, inertia string
	density, mass          []string
	query                  description.PoseQuery
}

// check refuses options that contradict each other.
func (o *robotFlags) check(asJSON bool) error {
	switch {
	case o.to != "" && !slices.Contains(description.Formats(), o.to):
		return usagef("--to %s: the formats are urdf, mjcf, sdf, par and yaml", o.to)
	case o.to == "" && o.out != "":
		return usagef("-o goes with --to urdf, mjcf, sdf, par or yaml")
	case o.to != "" && asJSON:
		return usagef("--json describes a robot and --to converts one: give one of the two")
	case o.to != "" && o.query.Pose != "":
		return usagef("--solve and --to are two questions: give one of the two")
	case o.query.Pose == "" && (o.query.Link != "" || o.query.Near != nil || o.query.Hold != nil):
		return usagef("--link, --near and --hold go with --solve POSE")
	}
	return nil
}

// options returns the options of the description, as the texts say them.
func (o *robotFlags) options() (opt identify.DescribeOptions, err error) {
	opt.InertiaFrom = o.inertia
	if o.mass != nil {
		if opt.Mass, err = description.Masses(o.mass); err != nil {
			return opt, usagef("--%w", err)
		}
	}
	if o.density != nil {
		if opt.Density, err = description.Densities(o.density); err != nil {
			return opt, usagef("--%w", err)
		}
	}
	return opt, nil
}

// convertRobot writes a robot in another format. Findings go to standard error and do not count.
func (s streams) convertRobot(d *description.Described, to, out string) error {
	for _, fd := range d.Document.Findings {
		if fd.Severity != string(lint.SeverityNote) {
			s.warn("%s", fd.Line())
		}
	}
	var b bytes.Buffer
	left, err := d.Write(&b, to)
	if err != nil {
		return err
	}
	for _, n := range left {
		s.note("%s", n)
	}
	if text := exports.WithoutRotors(d.Robot, to); text != "" {
		s.note("%s", text)
	}
	return writeTo(s, out, to, b.Bytes())
}

// describe prints a robot, and writes its page.
func (s streams) describe(d *description.Described, html string, asJSON bool) error {
	if html != "" {
		if err := description.WritePage(html, d.Robot, s.command); err != nil {
			return err
		}
	}
	err := error(nil)
	if asJSON {
		err = folder.WriteJSON(s.data, d.Document)
	} else {
		err = table.Robot(s.out, d.Document)
		if html != "" && err == nil {
			_, err = fmt.Fprintf(s.out, "\npage  %s\n", html)
		}
	}
	if err == nil && !d.Document.OK {
		return errVerdict
	}
	return err
}

// solve prints the states that bring a link to a pose.
func (s streams) solve(ctx context.Context, r *robot.Robot, query description.PoseQuery, asJSON bool) error {
	doc, err := description.SolvePose(ctx, r, query)
	var bad *description.PoseQueryError
	if errors.As(err, &bad) {
		return usagef("--%w", bad)
	}
	if err != nil {
		return err
	}
	if asJSON {
		err = folder.WriteJSON(s.data, doc)
	} else {
		err = table.Solutions(s.out, doc)
	}
	if err == nil && doc.Nearest != nil {
		return errVerdict
	}
	return err
}

// robotSettings returns the settings of a command whose argument is a robot and which has no logs. An ident.yaml that merely
// lies beside the robot counts only if it is about this robot.
func (f *flags) robotSettings(path string) (*project.Settings, error) {
	beside := path
	if f.config == "" {
		if file := filepath.Join(filepath.Dir(path), project.File); fileExists(file) {
			p, err := project.Read(file)
			if err != nil {
				return nil, err
			}
			if p.Robot != "" && !sameFile(p.Robot, path) {
				beside = ""
			}
		}
	}
	f.robotOf(path)
	return f.resolve(beside)
}

// oneRobot reads the robot of such a command, before joints are locked.
func (f *flags) oneRobot(path string) (*robot.Robot, *project.Settings, error) {
	p, err := f.robotSettings(path)
	if err != nil {
		return nil, nil, err
	}
	r, err := project.OpenRobot(p)
	if err != nil {
		return nil, nil, err
	}
	return r, p, err
}

// robotOf sets an argument as the robot: a file, or the folder of a result, which means the identified robot. The copy
// of the robot file in such a folder is the robot as it was read; a note says so.
func (f *flags) robotOf(path string) {
	if elastic.IsResult(path) {
		path = filepath.Join(path, elastic.RobotFile)
	} else if dir := project.ResultOfRobot(path); dir != "" {
		f.note("%s is the robot as it was read; %s is the identified one", path, dir)
	}
	f.setRobot(path)
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
