package description

import (
	"errors"
	"io"

	"ident/identify/project"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/shapes"
)

// Options say what a description of a robot fills in.
type Options struct {
	// InertiaFrom names where bodies without an inertial take one from: shapes or meshes; "" for nowhere. Density is in kg/m³,
	// by body, of all others by "". Mass is in kg, by body.
	InertiaFrom   string
	Density, Mass map[string]float64
}

// A Described is a robot that was read, with its document.
type Described struct {
	Document Robot
	Robot    *robot.Robot // its joints locked, with the inertials that were filled in

	locked bool
}

// Describe reads the robot of the settings and describes it.
func Describe(s *project.Settings, opt Options) (*Described, error) {
	switch opt.InertiaFrom {
	case "", "shapes", "meshes":
	default:
		return nil, project.NewOptionError("{inertia-from} %s: the source of inertials is shapes or meshes", opt.InertiaFrom)
	}
	if opt.InertiaFrom == "" && (opt.Density != nil || opt.Mass != nil) {
		return nil, project.NewOptionError("{density} and {mass} go with {inertia-from} shapes or meshes")
	}
	r, err := project.OpenRobot(s)
	if err != nil {
		return nil, err
	}
	if r, err = project.Lock(r, s.Lock); err != nil {
		return nil, err
	}
	d := &Described{locked: len(s.Lock) > 0}
	var filled *Inertias
	if opt.InertiaFrom != "" {
		fill := shapes.FillOptions{Density: opt.Density, Mass: opt.Mass}
		if opt.InertiaFrom == "meshes" {
			fill.Meshes = r.Source.Files
		}
		if r, filled, err = FromShapes(r, fill); errors.Is(err, shapes.ErrNoDensity) {
			return nil, project.NewHintError("density", "", "%w; give one with {density}, kg/m³, or its {mass}", err)
		} else if err != nil {
			return nil, err
		}
	}
	d.Robot, d.Document = r, Of(r)
	d.Document.Inertias = filled
	return d, nil
}

// Formats returns the formats that Write knows.
func Formats() []string { return []string{"urdf", "mjcf", "sdf", "par", "yaml"} }

// Write writes the robot in a format of Formats. left says what the format has no place for. A URDF whose inertials were filled
// in keeps every other byte.
func (d *Described) Write(w io.Writer, to string) (left []robot.Note, err error) {
	if to == "urdf" && d.Document.Inertias != nil && d.Robot.Source.Format == "urdf" && !d.locked {
		text, err := d.Document.Inertias.URDF(d.Robot)
		if err != nil {
			return nil, err
		}
		_, err = w.Write(text)
		return nil, err
	}
	return format.Write(w, d.Robot, to)
}
