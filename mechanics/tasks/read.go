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

// maxSegments bounds the work that a small file can ask for.
const maxSegments = 10_000

// IsFile reports whether a file's name is that of a task: YAML.
func IsFile(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".yaml" || ext == ".yml"
}

// Open reads a task file.
func Open(path string) (Task, error) {
	text, err := textfile.ReadDocument(path, largestFile)
	if err != nil {
		return Task{}, fmt.Errorf("task: %w", err)
	}
	t, err := Read(text)
	if err != nil {
		return t, fmt.Errorf("task %s: %w", path, err)
	}
	return t, nil
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

// UnmarshalYAML stores the line of the segment and refuses unknown keys. The decoder's own check for unknown keys does not
// reach into types that have an UnmarshalYAML.
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
	if len(f.Segments) > maxSegments {
		return t, fmt.Errorf("%d segments, more than %d", len(f.Segments), maxSegments)
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

// limits reads the limits of the joints: none, or numbers for all joints or by name.
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
