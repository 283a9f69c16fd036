package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ident/cmd/ident/internal/exports"
	"ident/internal/output"
	"ident/project"
	"ident/regressor"
	"ident/result"
	"ident/robot"
	"ident/robot/mjcf"
)

func newExport(s streams) *cobra.Command {
	var to, out, flange string
	var allow bool
	c := &cobra.Command{
		Use:   "export RESULT [--to FORMAT] [-o FILE]",
		Short: "the identified robot as a robot file, or its parameters as a table",
		Long: `Write what a fit found, from the folder of its result.

  --to urdf  the user's own URDF with the identified inertials in its own link
             frames and every other byte kept; a robot that came from another
             format is written anew
  --to mjcf  the same for MuJoCo's XML, with armature, damping and frictionloss
             of the joints
  --to yaml  the robot with the identified inertials and drives
  --to par   the same in the format of SYMORO+
  --to csv   base and standard parameters as one table
  --to json  the same, with the covariance of the base parameters
  --to payload-ur, payload-franka, payload-kuka, payload-abb
             the payload of a fit with --terms …,payload:LINK as controllers take
             it, in the frame of --flange, a body fixed to the link

Data determine combinations of parameters only. In a robot file the parameters
that are not determined keep the values of the file that was fitted, and the
others follow, so that the torques are those of the fit. Bodies behind fixed or
locked joints keep their inertials. A body that comes out physically impossible
is named, and is written only with --allow-nonphysical.`,
		Example: `  ident export log.ident -o arm-identified.urdf
  ident export log.ident --to csv -o parameters.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if to == "" {
				to = formatOf(out)
			}
			var text []byte
			var err error
			switch to {
			case "urdf", "mjcf", "yaml", "par":
				text, err = exportRobot(s, args[0], to, allow)
			case "payload-ur", "payload-franka", "payload-kuka", "payload-abb":
				text, err = exportPayload(s, args[0], strings.TrimPrefix(to, "payload-"), flange)
			case "csv", "json":
				text, err = exports.Tables(args[0], to)
			case "":
				return usagef("--to is missing: urdf, mjcf, yaml, par, csv, json or payload-ur, -franka, -kuka, -abb, or a name of -o that says it")
			default:
				return usagef("--to %s: the formats are urdf, mjcf, yaml, par, csv, json, payload-ur, payload-franka, payload-kuka and payload-abb", to)
			}
			if err != nil {
				return err
			}
			return writeTo(s, out, text)
		},
	}
	fl := c.Flags()
	fl.StringVar(&to, "to", "", "urdf, mjcf, yaml, par, csv, json or payload-ur, -franka, -kuka, -abb (default: by the name of -o)")
	fl.StringVarP(&out, "output", "o", "", "file to write (default: standard output)")
	fl.BoolVar(&allow, "allow-nonphysical", false, "write bodies that no mass distribution can have")
	fl.StringVar(&flange, "flange", "", "body fixed to the link with the payload, in whose frame controllers take it (default: the link)")
	s.shell.Words(c, "to", "urdf", "mjcf", "yaml", "par", "csv", "json", "payload-ur", "payload-franka", "payload-kuka", "payload-abb")
	return c
}

// formatOf is the format that the name of a file says, "" where it says none.
func formatOf(path string) string {
	switch ext := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), ".")); ext {
	case "urdf", "mjcf", "yaml", "par", "csv", "json":
		return ext
	case "yml":
		return "yaml"
	case "xml":
		return "urdf"
	}
	return ""
}

// writeTo writes a finished text to a file, or to standard output where none
// is named.
func writeTo(s streams, path string, text []byte) error {
	if path == "" || path == "-" {
		if _, err := s.data.Write(text); err != nil {
			return fmt.Errorf("writing to standard output: %w", err)
		}
		return nil
	}
	return output.Write(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// exportPayload is the payload of a result as a controller takes it.
func exportPayload(s streams, dir, controller, flange string) ([]byte, error) {
	ft, err := project.OpenFitted(dir)
	if err != nil {
		return nil, err
	}
	l, err := exports.LoadOf(ft.Result, ft.Source, flange)
	if err != nil {
		return nil, err
	}
	s.note("the load is in the frame of %s, kg·m² about its centre of mass: compare it with the flange of the controller", l.Frame)
	text, err := l.Text(controller)
	return []byte(text), err
}

// exportRobot is the identified robot as a robot file.
func exportRobot(s streams, dir, format string, allow bool) ([]byte, error) {
	ft, err := project.OpenFitted(dir)
	if err != nil {
		return nil, err
	}
	id := ft.Identified()
	if len(id.Impossible) > 0 {
		var lines []string
		for _, b := range id.Impossible {
			lines = append(lines, fmt.Sprintf("link %q: %s", b.Link, b.Why))
		}
		if !allow {
			return nil, fmt.Errorf("no body can have these identified inertials:\n  %s\na simulator may diverge on them; ident fit --physically-consistent finds the nearest bodies that can be, or write these all the same with --allow-nonphysical (the torques are those of the fit)", strings.Join(lines, "\n  "))
		}
		for _, l := range lines {
			s.warn("physically impossible: %s", l)
		}
	}
	for _, i := range id.Nominal {
		s.note("link %q has no mass in the robot file: what the fit does not determine of it is that of a ball of 1 kg and 0.01 kg·m²", id.Robot.Links[i].Name)
	}
	if len(id.Shared) > 0 {
		s.note("the drives that several joints share have no parameters in a robot file; left out: %s", values(id, id.Shared))
	}
	if len(id.Negative) > 0 && format != "urdf" {
		s.warn("drive parameters below zero, which no drive has: %s", values(id, id.Negative))
	}
	own := format == "urdf" && ft.Source.Source.Format == "urdf"
	missing := map[string][]regressor.Term{"urdf": {regressor.Ia, regressor.Fo}, "par": {regressor.Fo}, "mjcf": {regressor.Fo}}[format]
	if own {
		missing = regressor.DefaultTerms()[1:]
	}
	if out := unsaid(id, missing); len(out) > 0 {
		why := "the format has no place for them"
		if own {
			why = "the file's <dynamics> stay as they were"
		}
		s.note("identified, but not written (%s): %s", why, values(id, out))
	}
	if out := further(id); len(out) > 0 {
		s.note("identified, but not written (no robot file has a place for them): %s", values(id, out))
	}
	for _, n := range ft.Source.Notes {
		if own && strings.Contains(n.Text, "<origin> elements") {
			s.note("%s; the others, which some parsers refuse, are left out", n)
		}
	}
	if own || format == "mjcf" && ft.Source.Source.Format == "mjcf" {
		return exportOwn(ft, id)
	}
	write := map[string]func(io.Writer, *robot.Robot) error{"urdf": robot.WriteURDF, "mjcf": mjcf.Write, "yaml": robot.WriteYAML, "par": robot.WritePar}[format]
	var b bytes.Buffer
	if err := write(&b, id.Robot); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// exportOwn puts the identified parameters into the user's own text, and reads it back to see that nothing was lost.
func exportOwn(ft *project.Fitted, id *result.Identified) ([]byte, error) {
	byLink, byJoint := map[string]robot.Inertial{}, map[string]robot.Joint{}
	for _, i := range id.Bodies {
		l := &id.Robot.Links[i]
		byLink[l.Name] = id.Robot.UserInertial(i, l.Own)
	}
	for _, l := range id.Robot.Links {
		if !l.Joint.Virtual && l.Joint.Kind != robot.Fixed {
			byJoint[l.Joint.Name] = l.Joint
		}
	}
	src := ft.Source.Source
	var text []byte
	var err error
	if src.Format == "mjcf" {
		text, err = mjcf.Replace(src.Text, byLink, byJoint)
	} else {
		text, err = robot.ReplaceInertials(src.Text, byLink)
	}
	if err != nil {
		return nil, err
	}
	back, err := robot.Read(text, src.Format, "the exported robot", robot.ReadOptions{NoSnap: src.NoSnap, Loops: true})
	if err != nil {
		return nil, err
	}
	if back, err = project.Lock(back, ft.Settings.Lock); err != nil {
		return nil, err
	}
	if err := id.Check(back); err != nil {
		return nil, fmt.Errorf("the file cannot say the identified inertials accurately: %w", err)
	}
	return text, nil
}

// unsaid lists the identified drive parameters of the terms that a format has
// no place for; those regrouped onto others were not identified themselves.
func unsaid(id *result.Identified, terms []regressor.Term) []regressor.Column {
	var out []regressor.Column
	for _, c := range id.Drives {
		if slices.Contains(terms, c.Term) && id.Kept(c) {
			out = append(out, c)
		}
	}
	return out
}

// further lists the identified parameters of terms beyond rigid links, rotors and
// simple friction.
func further(id *result.Identified) []regressor.Column {
	var out []regressor.Column
	for _, c := range id.Drives {
		if !slices.Contains(regressor.DefaultTerms(), c.Term) && id.Kept(c) {
			out = append(out, c)
		}
	}
	return out
}

func values(id *result.Identified, cols []regressor.Column) string {
	var out []string
	for _, c := range cols {
		out = append(out, fmt.Sprintf("%s = %.4g", c.Name, id.Value(c)))
	}
	return strings.Join(out, ", ")
}
