package exports

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ident/identify/project"
	"ident/regressor"
	"ident/result"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/mjcf"
	"ident/robot/format/sdf"
	"ident/robot/format/urdf"
)

// The friction that a robot file gets: viscous and Coulomb friction nearest to the identified law, or that of the file.
const (
	Symmetric  = "symmetric"
	NoFriction = "none"
)

// Frictions returns the choices of RobotOptions.Friction.
func Frictions() []string { return []string{Symmetric, NoFriction} }

// RobotOptions say how a robot is written.
type RobotOptions struct {
	Format           string // urdf, mjcf, sdf, yaml or par
	AllowNonphysical bool
	Friction         string // one of Frictions
}

// Remarks are notes for the user about a file.
type Remarks struct{ Warnings, Notes []string }

func (r *Remarks) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

func (r *Remarks) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// notKnown names the links whose parameters the data leave open.
func (r *Remarks) notKnown(res *result.Result) {
	if names := res.NotKnown(); len(names) > 0 {
		r.warn("not known from the data: the bodies moved by %s; their inertials are in part those of the robot file", strings.Join(names, ", "))
	}
}

// inertiaMatrix says that the inertia matrix of the base parameters is not positive definite, or not proved to be; feasible says that what is
// written are feasible bodies.
func (r *Remarks) inertiaMatrix(res *result.Result, feasible bool) {
	m := res.InertiaMatrix
	if m == nil || m.Proved {
		return
	}
	text := "with the base parameters of the fit " + m.Text(res.Joints)
	switch {
	case feasible:
		r.note("%s; the bodies written are feasible, so the inertia matrix of the file is positive definite in every pose", text)
	case m.Indefinite():
		r.warn("%s", text)
	default:
		r.note("%s", text)
	}
}

// ImpossibleError names identified bodies that are infeasible.
type ImpossibleError struct{ Bodies []result.ImpossibleBody }

func (e *ImpossibleError) Error() string {
	return "no body can have these identified inertials:\n  " + strings.Join(impossible(e.Bodies), "\n  ")
}

func impossible(bodies []result.ImpossibleBody) []string {
	var lines []string
	for _, b := range bodies {
		lines = append(lines, fmt.Sprintf("link %q: %s", b.Link, b.Why))
	}
	return lines
}

// Robot returns the identified robot as a robot file: the user's own text if that has the format, otherwise a new one. Infeasible
// bodies are an *ImpossibleError unless opt allows them.
func Robot(ft *project.Fitted, opt RobotOptions) ([]byte, Remarks, error) {
	return robotOf(ft, ft.Identified(), opt)
}

// robotOf writes a robot with given parameters.
func robotOf(ft *project.Fitted, id *result.Identified, opt RobotOptions) ([]byte, Remarks, error) {
	var said Remarks
	if len(id.Impossible) > 0 {
		if !opt.AllowNonphysical {
			return nil, said, &ImpossibleError{id.Impossible}
		}
		for _, l := range impossible(id.Impossible) {
			said.warn("physically impossible: %s", l)
		}
	}
	said.notKnown(ft.Result)
	said.inertiaMatrix(ft.Result, len(id.Impossible)+len(id.Negative) == 0)
	for _, i := range id.Nominal {
		said.note("link %q has no mass in the robot file: parameters of it that the fit does not determine are taken from a ball of 1 kg and 0.01 kg·m²", id.Robot.Links[i].Name)
	}
	if len(id.Shared) > 0 {
		said.note("the drives that several joints share have no parameters in a robot file; left out: %s", values(id, id.Shared))
	}
	if len(id.Negative) > 0 {
		said.warn("drive parameters below zero, which no drive has: %s", values(id, id.Negative))
	}
	id = withRotors(ft, id, opt.Format, &said)
	if err := friction(ft, id, opt.Friction, &said); err != nil {
		return nil, said, err
	}
	if err := sizes(id); err != nil {
		return nil, said, err
	}
	for _, name := range slices.Sorted(maps.Keys(id.Lighter)) {
		said.note("the mass of %q, which is fixed to its link, is written as %.2g times its mass in the file: otherwise nothing would be left for the link itself (torques determine only the sum of both)", name, id.Lighter[name])
	}
	text, left, err := fileOf(ft, id, opt.Format)
	if err != nil {
		return nil, said, err
	}
	for _, n := range left {
		said.note("%s", n)
	}
	if text := WithoutRotors(id.Robot, opt.Format); text != "" {
		said.note("%s", text)
	}
	return text, said, nil
}

// fileOf returns the robot in a format, and what the file leaves out. If the user's robot file has that format, its text is kept.
func fileOf(ft *project.Fitted, id *result.Identified, to string) ([]byte, []robot.Note, error) {
	if ft.Source.Source.Format != to || !slices.Contains([]string{"urdf", "mjcf", "sdf"}, to) {
		var b bytes.Buffer
		left, err := format.Write(&b, id.Robot, to)
		return b.Bytes(), left, err
	}
	left := format.Left(id.Robot, to)
	for _, n := range ft.Source.Notes {
		if strings.Contains(n.Text, "<origin> elements") {
			left = append(left, robot.Note{Where: n.Where, Text: n.Text + "; the others, which some parsers refuse, are left out"})
		}
	}
	text, err := intoOwn(ft, id)
	return text, left, err
}

// intoOwn puts the identified parameters into the user's own text, and reads it back to see that nothing was lost.
func intoOwn(ft *project.Fitted, id *result.Identified) ([]byte, error) {
	byLink, byJoint := map[string]robot.Inertial{}, map[string]robot.Joint{}
	for _, i := range id.Bodies {
		l := &id.Robot.Links[i]
		byLink[l.Name] = id.Robot.UserInertial(i, l.Own)
	}
	for i := range id.Robot.Lumped {
		if m := &id.Robot.Lumped[i]; id.Lighter[m.Name] > 0 {
			byLink[m.Name] = m.Inertial.InFrame(m.InLink.Inv())
		}
	}
	for i, l := range id.Robot.Links {
		if was := ft.Source.Links[i].Joint; !l.Joint.Virtual && (l.Joint.Ia != was.Ia || l.Joint.Fv != was.Fv || l.Joint.Fs != was.Fs) {
			byJoint[l.Joint.Name] = l.Joint
		}
	}
	src := ft.Source.Source
	var text []byte
	var err error
	switch src.Format {
	case "mjcf":
		text, err = mjcf.Replace(src.Text, byLink, byJoint)
	case "sdf":
		text, err = sdf.Replace(src.Text, byLink, byJoint)
	default:
		if text, err = urdf.ReplaceInertials(src.Text, byLink); err == nil {
			text, err = urdf.ReplaceFriction(text, byJoint)
		}
	}
	if err != nil {
		return nil, err
	}
	back, err := format.Read(text, src.Format, "the exported robot", robot.ReadOptions{NoSnap: src.NoSnap, Loops: true})
	if err != nil {
		return nil, err
	}
	if back, err = project.Lock(back, ft.Settings.Lock); err != nil {
		return nil, err
	}
	if err := id.Check(back); err != nil {
		return nil, fmt.Errorf("the file cannot represent the identified inertials accurately: %w", err)
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

func values(id *result.Identified, cols []regressor.Column) string {
	var out []string
	for _, c := range cols {
		out = append(out, fmt.Sprintf("%s = %.4g", c.Name, id.Value(c)))
	}
	return strings.Join(out, ", ")
}
