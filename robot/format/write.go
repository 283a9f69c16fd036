package format

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"ident/robot"
	"ident/robot/format/mjcf"
	"ident/robot/format/par"
	"ident/robot/format/sdf"
	"ident/robot/format/urdf"
	"ident/robot/format/yaml"
	"ident/robot/internal/assembly"
)

// Write writes a robot in a format, which must be one of Kinds that is written. The notes say what the file leaves out:
// they are those of [Left].
func Write(w io.Writer, r *robot.Robot, format string) ([]robot.Note, error) {
	write := map[string]func(io.Writer, *robot.Robot) error{"urdf": urdf.Write, "mjcf": mjcf.Write, "sdf": sdf.Write, "yaml": yaml.Write, "par": par.Write}[format]
	if write == nil {
		return nil, fmt.Errorf("robots are not written as %q", format)
	}
	if slices.Contains([]string{"urdf", "mjcf", "sdf"}, format) {
		if err := namesOfXML(r); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	if err := write(&b, r); err != nil {
		return nil, err
	}
	_, err := b.WriteTo(w)
	return Left(r, format), err
}

// namesOfXML refuses a robot whose names XML does not keep apart: its readers drop space at the ends, and it has no place
// for control characters and wrong bytes, which are written as U+FFFD.
func namesOfXML(r *robot.Robot) error {
	links, joints := map[string]string{}, map[string]string{}
	take := func(taken map[string]string, what, name string) error {
		kept := strings.TrimSpace(strings.Map(func(c rune) rune {
			if c < ' ' && !strings.ContainsRune("\t\n\r", c) || c == '\ufffe' || c == '\uffff' {
				return '\ufffd'
			}
			return c
		}, name))
		if kept == "" {
			return assembly.NotWritable(fmt.Sprintf("%s %q", what, name), "XML has no names of white space alone; rename it")
		}
		if other, there := taken[kept]; there && other != name {
			return assembly.NotWritable(fmt.Sprintf("%s %q", what, name), "XML does not tell it from %q; rename one", other)
		}
		taken[kept] = name
		return nil
	}
	for i := range r.Links {
		l := &r.Links[i]
		if err := take(links, "link", l.Name); err != nil {
			return err
		}
		if err := take(joints, "joint", l.Joint.Name); err != nil {
			return err
		}
	}
	for i := range r.Lumped {
		if err := take(links, "link", r.Lumped[i].Name); err != nil {
			return err
		}
	}
	return nil
}

// property is something that a robot can have and a format can lack.
type property struct {
	name string // in the plural
	// of returns what a joint has, "" if it does not have the property.
	of func(j *robot.Joint, number int) string
	// whole returns what the robot has beside its joints, "" for nothing.
	whole func(r *robot.Robot) string
	hint  string // what the user can do
	// byName says that of returns the joint's name alone.
	byName bool
}

// unit returns a unit of a joint that turns, or of one that slides.
func unit(j *robot.Joint, turns, slides string) string {
	if j.Kind == robot.Prismatic {
		return slides
	}
	return turns
}

// parameter returns a property of joints that is a number with a name of the models.
func parameter(name, symbol, turns, slides, hint string, value func(j *robot.Joint) float64) property {
	return property{name: name, hint: hint, of: func(j *robot.Joint, number int) string {
		if v := value(j); v != 0 {
			return fmt.Sprintf("%s = %.6g %s (joint %q)", robot.ParameterName(symbol, number), v, unit(j, turns, slides), j.Name)
		}
		return ""
	}}
}

// named returns a property of joints that is told by their names.
func named(name string, has func(j *robot.Joint) bool) property {
	return property{name: name, byName: true, of: func(j *robot.Joint, _ int) string {
		if has(j) {
			return fmt.Sprintf("%q", j.Name)
		}
		return ""
	}}
}

func someNumber(values ...float64) bool {
	return slices.ContainsFunc(values, func(v float64) bool { return !math.IsNaN(v) && v != 0 })
}

func rotors() property {
	return parameter("rotor inertias", "Ia", "kg·m²", "kg", "set them as armatures where the file is used", func(j *robot.Joint) float64 { return j.Ia })
}

func offsets() property {
	return parameter("torque offsets", "Fo", "N·m", "N", "", func(j *robot.Joint) float64 { return j.Fo })
}

func gravity() property {
	return property{name: "gravity", hint: "set it where the file is used", whole: func(r *robot.Robot) string {
		if r.Gravity == robot.StandardGravity {
			return ""
		}
		return fmt.Sprintf("(%.6g, %.6g, %.6g) m/s²", r.Gravity[0], r.Gravity[1], r.Gravity[2])
	}}
}

func drives() property {
	return property{name: "drives that several joints share", whole: func(r *robot.Robot) string {
		var of []string
		for _, d := range r.Drives {
			of = append(of, fmt.Sprintf("that of %q", r.Links[d.Number].Joint.Name))
		}
		return strings.Join(of, ", ")
	}}
}

func passive() property {
	return named("joints without a drive", func(j *robot.Joint) bool { return j.Passive })
}

func gains() property {
	return named("drive gains, gear ratios and motors", func(j *robot.Joint) bool {
		return someNumber(j.Gain, j.GearRatio) || j.Motor != "" || j.Actuator != ""
	})
}

func elastic() property { return named("elasticities", func(j *robot.Joint) bool { return j.Elastic }) }

func accelerations() property {
	return named("limits of acceleration and jerk", func(j *robot.Joint) bool { return someNumber(j.Accel, j.Jerk) })
}

func velocities() property {
	return named("limits of velocity", func(j *robot.Joint) bool { return someNumber(j.Velocity) })
}

func limits() property {
	return named("limits", func(j *robot.Joint) bool {
		return someNumber(j.Lower, j.Upper, j.Velocity, j.Effort, j.Accel, j.Jerk)
	})
}

func wrenches() property {
	return property{name: "wrenches on the surroundings", whole: func(r *robot.Robot) string {
		var of []string
		for i := range r.Links {
			if r.Links[i].HasExternal {
				of = append(of, fmt.Sprintf("%q", r.Links[i].Name))
			}
		}
		return strings.Join(of, ", ")
	}}
}

func baseMotion() property {
	return property{name: "the motion of the base", whole: func(r *robot.Robot) string {
		if r.BaseMoves {
			return "W0 … VP0"
		}
		return ""
	}}
}

func symbols() property {
	return property{name: "symbols", hint: "their values are written", whole: func(r *robot.Robot) string {
		var of []string
		for name := range r.Symbols {
			of = append(of, name)
		}
		slices.Sort(of)
		return strings.Join(of, ", ")
	}}
}

func names() property {
	return property{name: "names of links and joints", hint: "links are numbered", whole: func(r *robot.Robot) string {
		if len(r.Links) == 1 {
			return "1 link"
		}
		return fmt.Sprintf("%d links", len(r.Links))
	}}
}

func mimics() property {
	return property{name: "joints that follow another", whole: func(r *robot.Robot) string {
		var of []string
		for _, m := range r.Mimics {
			of = append(of, fmt.Sprintf("%q", r.Links[m.Joint].Joint.Name))
		}
		return strings.Join(of, ", ")
	}}
}

// lacks returns what a format has no place for, and the format's name in a sentence.
func lacks(format string) (string, []property) {
	switch format {
	case "urdf":
		return "a URDF", []property{rotors(), offsets(), gravity(), drives(), passive(), gains(), elastic(), wrenches(), baseMotion(), symbols()}
	case "sdf":
		return "SDFormat", []property{rotors(), offsets(), drives(), passive(), gains(), elastic(), accelerations(), wrenches(), baseMotion(), symbols()}
	case "mjcf":
		return "MJCF", []property{offsets(), drives(), gains(), elastic(), accelerations(), velocities(), wrenches(), baseMotion(), symbols()}
	case "par":
		return "a SYMORO+ file", []property{names(), offsets(), drives(), gains(), elastic(), limits(), mimics()}
	}
	return "", nil
}

// Left returns what a file of a format leaves out of a robot: one note for each property that the robot has and the
// format has no place for. Nothing is left out of "yaml".
func Left(r *robot.Robot, format string) []robot.Note {
	title, lacking := lacks(format)
	var notes []robot.Note
	for _, p := range lacking {
		var of []string
		driven := 0
		if p.whole != nil {
			if text := p.whole(r); text != "" {
				of = append(of, text)
			}
		}
		for i := range r.Links {
			if j := &r.Links[i].Joint; p.of != nil && j.Kind != robot.Fixed && !j.Virtual {
				driven++
				if text := p.of(j, i); text != "" {
					of = append(of, text)
				}
			}
		}
		if len(of) == 0 {
			continue
		}
		if p.byName && len(of) > 1 && len(of) == driven {
			of = []string{fmt.Sprintf("those of all %d joints", driven)}
		}
		text := "not written, as " + title + " has no place for them: " + strings.Join(of, ", ")
		if p.hint != "" {
			text += "; " + p.hint
		}
		notes = append(notes, robot.Note{Where: p.name, Text: text})
	}
	return notes
}
