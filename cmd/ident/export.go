package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/exports"
	"ident/cmd/ident/internal/help"
	"ident/identify"
	"ident/identify/folder"
	"ident/identify/project"
	"ident/internal/output"
	"ident/report"
	"ident/result"
	"ident/robot/format"
	"ident/robot/order"
)

func newExport(s streams) *cobra.Command {
	var to, out, payload, flange, friction, engine string
	var allow bool
	var many drawing
	c := &cobra.Command{
		Use:   "export RESULT [--to FORMAT] [-o FILE]",
		Short: "write the identified robot as a robot file or a table",
		Long: `Write what a fit found, from the folder of its result.

  --to urdf  the user's own URDF with the identified inertials in its own link
             frames, damping and friction of its joints, and every other byte
             kept; a robot that came from another format is written anew
  --to mjcf  the same for MuJoCo's XML, with armature, damping and frictionloss
             of the joints
  --to sdf   the same for SDFormat
  --to yaml  the robot with the identified inertials and drives
  --to par   the same in the format of SYMORO+
  --to isaac armature and friction of the joints as an actuator group of Isaac Lab
  --to csv   base and standard parameters as one table
  --to json  the same, with the covariance of the base parameters; --order
             pinocchio, mujoco or drake adds the parameters of each body as that
             program keeps them
  --to text  the summary that ident fit printed
  --to payload-ur, -franka, -franka-ee, -kuka, -abb, -yaskawa, -fanuc, -xarm, -kinova, -ros2
             the payload of a fit with --terms …,payload:LINK as controllers take
             it, in the frame of --flange, a body fixed to the link; of several
             payloads the one that --payload names. RESULT may be the document of
             ident tool, whose load is in the frame that it was mounted in

--draws N draws N feasible robots from the uncertainty of the fit. Combinations of
parameters that the data determine vary by their covariance, the others by the relative
deviation --prior-deviation about the exported robot. With --flat-prior all base parameters
have the fit's covariance, as far as bodies allow, and the prior decides only what these
leave open. With --to urdf, mjcf, sdf, yaml or par -o is a new folder for the files and
their draws.json; --to json writes that document alone, with all parameters of all draws.

Data determine combinations of parameters only. The bodies that are written are those of the
file that was fitted, moved as far as the data ask; without any in the file the lengths of
the links stand for them. Bodies behind fixed or locked joints keep their inertials, and are
made lighter only where no body would be left of the link that carries them. Robot files
have viscous and Coulomb friction, the same in both directions. Any other law is replaced by
the nearest of this kind, and a note gives the distance. --friction none keeps the friction
of the file. A result of version 0.3.0, or of an estimator without bodies, may have a body
that is physically impossible; it is named, and is written only with --allow-nonphysical.`,
		Example: `  ident export log.ident -o arm-identified.urdf
  ident export log.ident --to csv -o parameters.csv
  ident export log.ident --to json --order pinocchio -o parameters.json
  ident export log.ident --draws 20 --to mjcf -o robots`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if to == "" {
				to = formatOf(out)
			}
			if engine != "" && to != "json" {
				return usagef("--order goes with --to json")
			}
			if !slices.Contains(exports.Frictions(), friction) {
				return usagef("--friction %s: must be %s", friction, strings.Join(exports.Frictions(), " or "))
			}
			if many.count > 0 {
				return many.write(c, s, args[0], to, out, friction)
			} else if c.Flags().Changed("draws") || c.Flags().Changed("prior-deviation") || many.flat {
				return usagef("--draws N with 1 or more, and --prior-deviation and --flat-prior with --draws")
			}
			var text []byte
			var err error
			controller, isPayload := strings.CutPrefix(to, "payload-")
			if isPayload && !slices.Contains(exports.Controllers(), controller) {
				return unknownName("controller", to, payloadFormats())
			}
			switch to {
			case "urdf", "mjcf", "sdf", "yaml", "par":
				text, err = exportRobot(s, args[0], exports.RobotOptions{Format: to, AllowNonphysical: allow, Friction: friction})
			case "isaac":
				text, err = exportIsaac(s, args[0], friction)
			case "csv", "json":
				switch {
				case engine == "":
					var said exports.Remarks
					text, said, err = exports.Tables(args[0], to, s.inUse.seals)
					s.remarks(said)
				case !slices.Contains(engines(), engine):
					return usagef("--order %s: the orders are %s", engine, strings.Join(engines(), ", "))
				default:
					text, err = exportInOrder(s, args[0], engine, friction)
				}
			case "text":
				var res *result.Result
				if res, err = folder.ReadResult(args[0], s.inUse.seals); err != nil {
					return err
				}
				if out == "" || out == "-" {
					report.Summary(s.out, res, s.wide)
					return nil
				}
				var b bytes.Buffer
				report.Summary(&b, res, 0)
				text = b.Bytes()
			case "":
				return usagef("--to is missing: urdf, mjcf, sdf, yaml, par, isaac, csv, json, text or %s, or a name of -o that says it", strings.Join(payloadFormats(), ", "))
			default:
				if !isPayload {
					return usagef("--to %s: the formats are urdf, mjcf, sdf, yaml, par, isaac, csv, json, text, %s", to, strings.Join(payloadFormats(), ", "))
				}
				text, err = exportPayload(s, args[0], controller, payload, flange)
			}
			if err != nil {
				return err
			}
			return writeTo(s, out, strings.TrimPrefix(to, "payload-"), text)
		},
	}
	fl := c.Flags()
	fl.StringVar(&to, "to", "", "urdf, mjcf, sdf, yaml, par, isaac, csv, json, text or payload-ur, -franka, … (default: by the name of -o)")
	fl.StringVarP(&out, "output", "o", "", "file to write (default: standard output)")
	fl.BoolVar(&allow, "allow-nonphysical", false, "write bodies that no mass distribution can have")
	fl.StringVar(&payload, "payload", "", "which payload of several, by the name in its term: LINK or LINK=NUMBER (default: the only one)")
	fl.StringVar(&flange, "flange", "", "body fixed to the link with the payload, in whose frame controllers take it (default: the link)")
	fl.StringVar(&friction, "friction", exports.Symmetric, "friction that is written: symmetric or none")
	fl.StringVar(&engine, "order", "", "parameters of the bodies in an engine's order: "+strings.Join(engines(), ", "))
	many.flags(c)
	s.shell.Words(c, "order", engines()...)
	s.shell.Words(c, "friction", exports.Frictions()...)
	var names []string
	for _, row := range exportRows() {
		names = append(names, row.Name)
	}
	s.shell.Words(c, "to", names...)
	return c
}

// writtenRobots returns the formats in which a robot can be written.
func writtenRobots() []string {
	var out []string
	for _, k := range format.Kinds() {
		if k.Written {
			out = append(out, k.Name)
		}
	}
	return out
}

// exportRows returns the formats of ident export, each with a line about it.
func exportRows() []help.Row {
	var out []help.Row
	for _, k := range format.Kinds() {
		if k.Written {
			out = append(out, help.Row{Name: k.Name, Text: k.Title})
		}
	}
	out = append(out, help.Row{Name: "isaac", Text: "joints of Isaac Lab's actuators, as YAML"}, help.Row{Name: "csv", Text: "the parameters as a table"},
		help.Row{Name: "json", Text: "the parameters, or bodies in the order of an engine"}, help.Row{Name: "text", Text: "the summary that ident fit printed"})
	for _, name := range payloadFormats() {
		out = append(out, help.Row{Name: name, Text: "the payload for this controller"})
	}
	return out
}

// payloadFormats returns the formats of controllers.
func payloadFormats() []string {
	var out []string
	for _, c := range exports.Controllers() {
		out = append(out, "payload-"+c)
	}
	return out
}

// formatOf returns the format that the name of a file implies, "" if none.
func formatOf(path string) string {
	switch ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), ".")); ext {
	case "urdf", "mjcf", "sdf", "yaml", "par", "csv", "json":
		return ext
	case "yml":
		return "yaml"
	case "xml":
		return "urdf"
	}
	return ""
}

// writeTo writes a finished text of a format to a file, with ident's mark at its end, or to standard output where none
// is named.
func writeTo(s streams, path, format string, text []byte) error {
	if path == "" || path == "-" {
		if _, err := s.data.Write(text); err != nil {
			return fmt.Errorf("writing to standard output: %w", err)
		}
		return nil
	}
	return output.WriteMarked(path, format, func(w io.Writer) error {
		if !bytes.HasSuffix(text, []byte("\n")) {
			text = append(text, '\n')
		}
		_, err := w.Write(text)
		return err
	})
}

// exportPayload returns the payload of a result, or a tool that was weighed, as a controller takes it.
func exportPayload(s streams, dir, controller, payload, flange string) ([]byte, error) {
	l, err := loadOf(dir, payload, flange, s.inUse.seals)
	if err != nil {
		return nil, err
	}
	text, err := l.Text(controller)
	if err != nil {
		return nil, err
	}
	if l.Point {
		s.note("the inertia is not determined: if the format needs one, that of a point mass is written")
	}
	for _, doubt := range l.Doubts(controller) {
		s.warn("%s", doubt)
	}
	if !project.IsJSON(dir) {
		s.note("the load is in the frame of %q, kg·m² about its centre of mass: compare it with the flange of the controller", l.Frame)
	}
	return []byte(text), nil
}

// loadOf returns the load of a tool's document, or a payload of a result.
func loadOf(dir, payload, flange string, seals folder.Seals) (exports.Load, error) {
	if project.IsJSON(dir) {
		if payload != "" || flange != "" {
			return exports.Load{}, usagef("--payload and --flange go with a result: the document of ident tool holds one tool, in the frame that it was mounted in")
		}
		doc, err := identify.ReadTool(dir)
		if err != nil {
			return exports.Load{}, err
		}
		return exports.LoadOfTool(doc)
	}
	ft, err := project.OpenFitted(dir, seals)
	if err != nil {
		return exports.Load{}, err
	}
	l, err := exports.LoadOf(ft.Result, ft.Source, payload, flange)
	if choose := (*exports.PayloadError)(nil); errors.As(err, &choose) {
		return l, usagef("%w; choose one by --payload", err)
	}
	return l, err
}

// exportIsaac returns the identified joints for Isaac Lab.
func exportIsaac(s streams, dir, friction string) ([]byte, error) {
	ft, err := project.OpenFitted(dir, s.inUse.seals)
	if err != nil {
		return nil, err
	}
	text, said, err := exports.Isaac(ft, friction)
	s.remarks(said)
	return text, err
}

// engines returns the programs whose order --order takes.
func engines() []string {
	var out []string
	for _, e := range order.Engines() {
		out = append(out, string(e))
	}
	return out
}

// exportInOrder returns the JSON document with the vectors of an engine.
func exportInOrder(s streams, dir, engine, friction string) ([]byte, error) {
	ft, err := project.OpenFitted(dir, s.inUse.seals)
	if err != nil {
		return nil, err
	}
	text, said, err := exports.InOrder(ft, order.Engine(engine), friction)
	s.remarks(said)
	return text, err
}

// remarks prints those of an export.
func (s streams) remarks(said exports.Remarks) {
	for _, w := range said.Warnings {
		s.warn("%s", w)
	}
	for _, n := range said.Notes {
		s.note("%s", n)
	}
}

// exportRobot returns the identified robot as a robot file.
func exportRobot(s streams, dir string, opt exports.RobotOptions) ([]byte, error) {
	ft, err := project.OpenFitted(dir, s.inUse.seals)
	if err != nil {
		return nil, err
	}
	text, said, err := exports.Robot(ft, opt)
	s.remarks(said)
	var impossible *exports.ImpossibleError
	if set := ft.Result.GainSettings(); errors.As(err, &impossible) && set != "" {
		return nil, fmt.Errorf("%w\n%s", err, project.NameSettings("a fit of drive gains does not look for feasible bodies: fit the runs without a load with "+set+", and export that", optionOf))
	}
	if errors.As(err, &impossible) && ft.Result.Commanded != nil {
		return nil, fmt.Errorf("%w\n%s", err, project.NameSettings("a fit without torques does not look for feasible bodies: fit with {bodies} file, which keeps those of the robot file and identifies the drives", optionOf))
	}
	if errors.As(err, &impossible) {
		return nil, fmt.Errorf("%w\na simulator may diverge on them; ident fit --physically-consistent finds the nearest feasible bodies, or write these all the same with --allow-nonphysical (the torques are those of the fit)", err)
	}
	return text, err
}
