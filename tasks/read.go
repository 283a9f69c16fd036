package tasks

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/internal/spatial"
	"ident/internal/textfile"
	"ident/robot"
)

// largestFile bounds the bytes of a task file.
const largestFile = 4 << 20

// mostSegments bounds the work that a small file can ask for.
const mostSegments = 10_000

// IsFile tells whether a file's name is that of a task: YAML.
func IsFile(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".yaml" || ext == ".yml"
}

// Open reads a task file.
func Open(path string) (Task, error) {
	text, err := textfile.Read(path, largestFile)
	if err != nil {
		return Task{}, fmt.Errorf("task: %w", err)
	}
	t, err := Read(text)
	if err != nil {
		return t, fmt.Errorf("task %s: %w", path, err)
	}
	return t, nil
}

// number is a number or a constant expression, Pi/2.
type number float64

// UnmarshalYAML reads either.
func (n *number) UnmarshalYAML(node *yaml.Node) error {
	v, err := robot.ParseNumber(node.Value)
	if err != nil || node.Kind != yaml.ScalarNode {
		return fmt.Errorf("line %d: %q is no number", node.Line, node.Value)
	}
	*n = number(v)
	return nil
}

// vector is three numbers.
type vector []number

func (v vector) take(name string, to *[3]float64) error {
	if v == nil {
		return nil
	}
	if len(v) != 3 {
		return fmt.Errorf("%s has %d numbers, not three", name, len(v))
	}
	for i, x := range v {
		to[i] = float64(x)
	}
	return nil
}

// duration is a number of seconds, or the word least.
type duration struct {
	least bool
	s     number
}

// UnmarshalYAML reads either.
func (d *duration) UnmarshalYAML(node *yaml.Node) error {
	if d.least = node.Value == "least"; d.least {
		return nil
	}
	return d.s.UnmarshalYAML(node)
}

// orientation is a word, or one of the ways with its numbers.
type orientation struct {
	line      int
	word      string
	Axes      string
	Angles    []number
	Direction yaml.Node
	Turn      *number
	Axis      vector
}

// UnmarshalYAML reads either.
func (o *orientation) UnmarshalYAML(node *yaml.Node) error {
	if o.line = node.Line; node.Kind == yaml.ScalarNode {
		o.word = node.Value
		return nil
	}
	for i := 0; i+1 < len(node.Content) && node.Kind == yaml.MappingNode; i += 2 {
		if key := node.Content[i]; !slices.Contains([]string{"axes", "angles", "direction", "turn", "axis"}, key.Value) {
			return fmt.Errorf("line %d: field %s not found in an orientation", key.Line, key.Value)
		}
	}
	type plain orientation
	return node.Decode((*plain)(o))
}

func (o *orientation) take() (out Orientation, err error) {
	if o == nil || o.word == "free" {
		return out, nil
	}
	wrong := func(format string, args ...any) (Orientation, error) {
		return out, fmt.Errorf("line %d: orientation: %s", o.line, fmt.Sprintf(format, args...))
	}
	if o.word != "" {
		if out.By = Fixed; o.word != "fixed" {
			return wrong("%q: write free, fixed, {axes: xyx, angles: [a, b, c]}, {direction: [x, y, z]}, {direction: fixed} or {turn: angle, axis: [x, y, z]}", o.word)
		}
		return out, nil
	}
	if err := o.Axis.take("axis", &out.Axis); err != nil {
		return wrong("%v", err)
	}
	directed := o.Direction.Kind != 0
	switch {
	case o.Turn != nil && !directed && o.Axes == "" && o.Angles == nil:
		out.By, out.Angle = Turn, float64(*o.Turn)
	case directed && o.Turn == nil && o.Axes == "" && o.Angles == nil:
		if out.By = SameDirection; o.Direction.Value == "fixed" {
			break
		}
		out.By = Direction
		var v vector
		if err := o.Direction.Decode(&v); err != nil {
			return wrong("direction: write [x, y, z] or fixed")
		}
		if err := v.take("direction", &out.Direction); err != nil {
			return wrong("%v", err)
		}
	case o.Angles != nil && o.Turn == nil && !directed && o.Axis == nil:
		if out.Sequence, err = ParseSequence(o.Axes); err != nil {
			return wrong("axes: %v", err)
		}
		if out.By = Angles; len(o.Angles) == 2 {
			out.By = PartialAngles
		} else if len(o.Angles) != 3 {
			return wrong("%d angles: give three, or two for the direction of the third axis", len(o.Angles))
		}
		for i, x := range o.Angles {
			out.Angles[i] = float64(x)
		}
	default:
		return wrong("give one of angles (with axes), direction and turn (both with an axis, or without one for z)")
	}
	return out, nil
}

// perJoint is numbers by the names of joints; one alone, for all, is under the empty name.
type perJoint map[string]number

// UnmarshalYAML reads either.
func (p *perJoint) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.MappingNode {
		return node.Decode((*map[string]number)(p))
	}
	var all number
	err := all.UnmarshalYAML(node)
	*p = perJoint{"": all}
	return err
}

// file is the text of a task.
type file struct {
	Tip struct {
		Link    string
		At, RPY vector
	}
	Start struct {
		Joints      map[string]number
		Point       vector
		Orientation *orientation
	}
	Limits        yaml.Node
	LeastSingular number `yaml:"least_singular"`
	defaults      `yaml:",inline"`
	Segments      []segment
}

// defaults are settings of segments that the task may give for all of them.
type defaults struct {
	Profile             string
	Speed, Acceleration number
	Orientation         *orientation
	Components          string
	Joints              map[string]number
}

type segment struct {
	line        int
	Line        vector
	Point       vector
	Arc         *arcText
	Wait        number
	Relative    bool
	Coordinates string
	defaults    `yaml:",inline"`
	Time        duration
	Through     bool
	Blend       number
	Force       vector
}

type arcText struct {
	Via, To, Center, Axis vector
	Angle                 number
}

// UnmarshalYAML keeps the line, and refuses keys that it does not know: a decoder's own check ends at a type that decodes itself.
func (s *segment) UnmarshalYAML(node *yaml.Node) error {
	s.line = node.Line
	known := []string{"line", "point", "arc", "wait", "relative", "coordinates", "profile", "speed", "acceleration", "orientation", "components", "joints", "time", "through", "blend", "force"}
	for i := 0; i+1 < len(node.Content) && node.Kind == yaml.MappingNode; i += 2 {
		key := node.Content[i]
		if !slices.Contains(known, key.Value) {
			return fmt.Errorf("line %d: field %s not found in a segment; the fields are %s", key.Line, key.Value, strings.Join(known, ", "))
		}
		if key.Value != "arc" {
			continue
		}
		arc := node.Content[i+1]
		for i := 0; i+1 < len(arc.Content) && arc.Kind == yaml.MappingNode; i += 2 {
			if key := arc.Content[i]; !slices.Contains([]string{"via", "to", "center", "axis", "angle"}, key.Value) {
				return fmt.Errorf("line %d: field %s not found in an arc; the fields are via, to, center, axis, angle", key.Line, key.Value)
			}
		}
	}
	type plain segment
	return node.Decode((*plain)(s))
}

// Read reads a task's YAML text.
func Read(text []byte) (Task, error) {
	var t Task
	var f file
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&f); err != nil {
		if errors.Is(err, io.EOF) {
			return t, fmt.Errorf("the file is empty")
		}
		return t, fmt.Errorf("%s", strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " "))
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return t, fmt.Errorf("the file holds more than one YAML document")
	}
	if len(f.Segments) > mostSegments {
		return t, fmt.Errorf("%d segments, more than %d", len(f.Segments), mostSegments)
	}
	t.Tip.Link, t.Tip.Frame = f.Tip.Link, robot.Identity()
	var rpy [3]float64
	for _, v := range []error{f.Tip.At.take("tip: at", &t.Tip.Frame.P), f.Tip.RPY.take("tip: rpy", &rpy)} {
		if v != nil {
			return t, v
		}
	}
	t.Tip.Frame.R = spatial.Mul(spatial.RotZ(rpy[2]), spatial.Mul(spatial.RotY(rpy[1]), spatial.RotX(rpy[0])))
	t.Start.Joints = plainMap(f.Start.Joints)
	if f.Start.Point != nil {
		t.Start.Point = new([3]float64)
		if err := f.Start.Point.take("start: point", t.Start.Point); err != nil {
			return t, err
		}
	}
	var err error
	if t.Start.Orientation, err = f.Start.Orientation.take(); err != nil {
		return t, fmt.Errorf("start: %w", err)
	}
	if err := f.limits(&t); err != nil {
		return t, fmt.Errorf("limits: %w", err)
	}
	if t.LeastSingular = float64(f.LeastSingular); t.LeastSingular < 0 {
		return t, fmt.Errorf("least_singular %g: give a positive number", t.LeastSingular)
	}
	for i := range f.Segments {
		s, err := f.Segments[i].take(&f.defaults)
		if err != nil {
			return t, fmt.Errorf("segment %d (line %d): %w", i+1, f.Segments[i].line, err)
		}
		t.Segments = append(t.Segments, s)
	}
	return t, nil
}

// limits reads those of the joints: none, or numbers for all joints or by name.
func (f *file) limits(t *Task) error {
	if f.Limits.Kind == 0 {
		return nil
	}
	if t.Unlimited = f.Limits.Value == "none"; t.Unlimited {
		return nil
	}
	var list struct{ Velocity, Acceleration, Torque perJoint }
	if f.Limits.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: write none, or velocity, acceleration and torque, each by joints", f.Limits.Line)
	}
	for i := 0; i+1 < len(f.Limits.Content); i += 2 {
		if key := f.Limits.Content[i]; !slices.Contains([]string{"velocity", "acceleration", "torque"}, key.Value) {
			return fmt.Errorf("line %d: %q: there are velocity, acceleration and torque", key.Line, key.Value)
		}
	}
	if err := f.Limits.Decode(&list); err != nil {
		return fmt.Errorf("%s", strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " "))
	}
	t.Velocity, t.Acceleration, t.Torque = plainMap(list.Velocity), plainMap(list.Acceleration), plainMap(list.Torque)
	return nil
}

func plainMap(m map[string]number) map[string]float64 {
	if m == nil {
		return nil
	}
	out := map[string]float64{}
	for k, v := range m {
		out[k] = float64(v)
	}
	return out
}

// take makes a segment with the settings of the task where it has none of its own.
func (s *segment) take(all *defaults) (out Segment, err error) {
	out.Row, out.Relative, out.Through, out.Blend = s.line, s.Relative, s.Through, float64(s.Blend)
	out.Least, out.Time = s.Time.least, float64(s.Time.s)
	given := 0
	kind := func(on bool, k Kind) {
		if on {
			given++
			out.Kind = k
		}
	}
	kind(s.Line != nil, Line)
	kind(s.Arc != nil, Arc)
	kind(s.Point != nil, Point)
	kind(s.Wait != 0, Wait)
	if given == 0 {
		kind(len(s.Joints) > 0, Joints)
	}
	if given != 1 {
		return out, fmt.Errorf("give one of line, arc, point, wait, or joints alone")
	}
	own := s.defaults
	if own.Profile == "" {
		own.Profile = all.Profile
	}
	if own.Profile != "" {
		if out.Profile, err = ParseProfile(own.Profile); err != nil {
			return out, err
		}
	}
	paced := s.Time.s == 0 && !s.Time.least && (out.Kind == Line || out.Kind == Arc)
	if own.Speed == 0 && paced {
		own.Speed, own.Acceleration = all.Speed, max(own.Acceleration, all.Acceleration)
		if out.Profile != Trapezoidal {
			own.Acceleration = s.defaults.Acceleration
		}
	}
	out.Speed, out.Acceleration = float64(own.Speed), float64(own.Acceleration)
	if own.Orientation == nil && out.Kind != Joints && out.Kind != Wait {
		own.Orientation = all.Orientation
	}
	if out.Orientation, err = own.Orientation.take(); err != nil {
		return out, err
	}
	if own.Joints == nil && out.Kind != Wait {
		own.Joints = all.Joints
	}
	out.Joints = plainMap(own.Joints)
	if own.Components == "" {
		own.Components = all.Components
	}
	for _, c := range own.Components {
		i := strings.IndexRune("xyz", c)
		if i < 0 || out.Components[i] {
			return out, fmt.Errorf("components %q: write those of x, y and z that are asked, xz for instance", own.Components)
		}
		out.Components[i] = true
	}
	switch s.Coordinates {
	case "", "cartesian":
	case "cylindrical":
		out.Coordinates = Cylindrical
	case "spherical":
		out.Coordinates = Spherical
	default:
		return out, fmt.Errorf("coordinates %q: there are cartesian, cylindrical and spherical", s.Coordinates)
	}
	if out.Coordinates != Cartesian && (s.Relative || out.Kind != Line && out.Kind != Point) {
		return out, fmt.Errorf("%s coordinates are those of the end of a line or of a point, and not relative", s.Coordinates)
	}
	return out, s.place(&out)
}

// place reads the points of a segment.
func (s *segment) place(out *Segment) error {
	var errs []error
	switch out.Kind {
	case Line:
		errs = append(errs, s.Line.take("line", &out.To))
	case Point:
		errs = append(errs, s.Point.take("point", &out.To))
	case Wait:
		if out.Time != 0 || out.Least {
			return fmt.Errorf("wait: 0.5 has its time already")
		}
		out.Time = float64(s.Wait)
	case Arc:
		a := s.Arc
		through := a.Via != nil && a.To != nil && a.Center == nil && a.Axis == nil && a.Angle == 0
		about := a.Via == nil && a.To == nil && a.Center != nil && a.Axis != nil && a.Angle != 0
		if !through && !about {
			return fmt.Errorf("arc: give via and to, or center, axis and angle")
		}
		if through {
			out.Via = new([3]float64)
			errs = append(errs, a.Via.take("via", out.Via))
		}
		out.Angle = float64(a.Angle)
		errs = append(errs, a.To.take("to", &out.To), a.Center.take("center", &out.Center), a.Axis.take("axis", &out.Axis))
	}
	return errors.Join(append(errs, s.Force.take("force", &out.Force))...)
}
