package shapes

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/format/urdf"
)

// Parse reads the text of an entry "shapes": a list of solids with their sizes, m, density or mass, and place.
func Parse(text string) ([]Part, error) {
	var list []entry
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&list); err != nil {
		return nil, fmt.Errorf("shapes: %w", Plain(err))
	}
	var parts []Part
	for i, e := range list {
		p, err := e.part()
		if err == nil && (p.Density != 0 || p.Mass != 0) {
			_, err = p.Inertial()
		}
		if err != nil {
			return nil, fmt.Errorf("shape %d: %w", i+1, err)
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// Plain rewords an error of the YAML reader about a text of one line.
func Plain(err error) error {
	var typed *yaml.TypeError
	text := err.Error()
	if errors.As(err, &typed) {
		text = strings.Join(typed.Errors, "; ")
	}
	text = strings.ReplaceAll(strings.TrimPrefix(text, "yaml: "), "line 1: ", "")
	if field, _, ok := strings.Cut(strings.TrimPrefix(text, "field "), " not found in type "); ok {
		text = fmt.Sprintf("%q is not known", field)
	}
	if found, _, ok := strings.Cut(text, " into "); ok {
		return fmt.Errorf("%s; another kind of value belongs here", found)
	}
	return errors.New(text)
}

// Number is a number of a robot file, or a constant expression.
type Number float64

// UnmarshalYAML reads the number.
func (n *Number) UnmarshalYAML(node *yaml.Node) error {
	v, err := robot.ParseNumber(node.Value)
	*n = Number(v)
	return err
}

type entry struct {
	Box      *[3]Number
	Cylinder *struct{ Radius, Length Number }
	Tube     *struct{ Outer, Inner, Length Number }
	Profile  *struct{ X, Y, Wall, Length Number } `yaml:"rectangular_tube"`
	Sphere   *Number
	Capsule  *struct{ Radius, Length Number }
	Cone     *struct{ Radius, Top, Length Number }
	Point    *[3]Number
	Density  Number
	Mass     Number
	Origin   struct{ XYZ, RPY [3]Number }
	Axis     *[3]Number // of the solid's z
}

func (e *entry) part() (Part, error) {
	p := Part{Density: float64(e.Density), Mass: float64(e.Mass)}
	n := 0
	add := func(s Solid) { p.Solid, n = s, n+1 }
	if b := e.Box; b != nil {
		add(Box{float64(b[0]), float64(b[1]), float64(b[2])})
	}
	if c := e.Cylinder; c != nil {
		add(Cylinder{float64(c.Radius), float64(c.Length)})
	}
	if t := e.Tube; t != nil {
		add(Tube{float64(t.Outer), float64(t.Inner), float64(t.Length)})
	}
	if t := e.Profile; t != nil {
		add(RectangularTube{float64(t.X), float64(t.Y), float64(t.Wall), float64(t.Length)})
	}
	if e.Sphere != nil {
		add(Sphere{float64(*e.Sphere)})
	}
	if c := e.Capsule; c != nil {
		add(Capsule{float64(c.Radius), float64(c.Length)})
	}
	if c := e.Cone; c != nil {
		add(Frustum{float64(c.Radius), float64(c.Top), float64(c.Length)})
	}
	if e.Point != nil {
		add(Point{})
	}
	if n != 1 {
		return p, fmt.Errorf("give one of box, cylinder, tube, rectangular_tube, sphere, capsule, cone and point; there are %d", n)
	}
	if err := p.Solid.Check(); err != nil {
		return p, fmt.Errorf("%s: %w", p.Solid.Kind(), err)
	}
	turn := angles.RPYRotation(vector(e.Origin.RPY))
	if e.Axis != nil {
		axis := vector(*e.Axis)
		size := spatial.Norm(axis)
		if !(size > 0) || e.Origin.RPY != [3]Number{} {
			return p, fmt.Errorf("%s: axis must be a direction other than zero, and cannot be given together with rpy of the origin", p.Solid.Kind())
		}
		turn = angles.AlignZ(spatial.Scale(1/size, axis))
	}
	p.At = robot.Transform{R: turn, P: vector(e.Origin.XYZ)}
	if e.Point != nil {
		p.At.P = spatial.Add(p.At.P, vector(*e.Point))
	}
	return p, nil
}

func vector(v [3]Number) [3]float64 { return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])} }

// Body is the parts of one body of a robot, in the frame of the link that carries it.
type Body struct {
	Name   string
	Link   int // index, -1 for the base
	Lumped int // index into robot.Lumped, -1 for the link's own body
	Parts  []Part
	From   string // "shapes", "collision" or "visual"
}

// of returns the bodies of a robot whose file gives them shapes, links first. open reads the meshes of a URDF; if it is nil, they are left
// out. If a shape cannot be read, the error names the body.
func of(r *robot.Robot, open func(file string) ([]byte, error)) ([]Body, error) {
	if r.Source.Format == "urdf" {
		return drawn(r, open)
	}
	var out []Body
	add := func(name, text string, at robot.Transform, link, lumped int) error {
		if text == "" {
			return nil
		}
		parts, err := Parse(text)
		if err != nil {
			return fmt.Errorf("link %q: %w", name, err)
		}
		for i := range parts {
			parts[i].At = at.Mul(parts[i].At)
		}
		out = append(out, Body{name, link, lumped, parts, "shapes"})
		return nil
	}
	for j := range r.Links {
		l := &r.Links[j]
		if err := add(l.Name, l.Shapes, l.UserFrame, j, -1); err != nil {
			return nil, err
		}
	}
	for k := range r.Lumped {
		l := &r.Lumped[k]
		if err := add(l.Name, l.Shapes, l.InLink, l.Into, k); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// drawn returns the bodies of a URDF with primitives, and with meshes if open reads their files.
func drawn(r *robot.Robot, open func(file string) ([]byte, error)) ([]Body, error) {
	solids, _, err := urdf.Solids(r)
	if err != nil {
		return nil, fmt.Errorf("geometry: %w", err)
	}
	var out []Body
	at := map[string]int{}
	add := func(body string, link int, visual bool, p Part) {
		k, known := at[body]
		if !known {
			k = len(out)
			at[body] = k
			b := Body{Name: body, Link: link, Lumped: -1, From: "collision"}
			for i := range r.Lumped {
				if r.Lumped[i].Name == body {
					b.Lumped = i
				}
			}
			if visual {
				b.From = "visual"
			}
			out = append(out, b)
		}
		out[k].Parts = append(out[k].Parts, p)
	}
	for _, s := range solids {
		var solid Solid
		switch s.Kind {
		case "box":
			solid = Box{s.Size[0], s.Size[1], s.Size[2]}
		case "cylinder":
			solid = Cylinder{s.Size[0], s.Size[2]}
		default:
			solid = Sphere{s.Size[0]}
		}
		if err := solid.Check(); err != nil {
			return nil, fmt.Errorf("link %q: %s: %w", s.Body, s.Kind, err)
		}
		add(s.Body, s.Link, s.Visual, Part{Solid: solid, At: s.Place})
	}
	if open == nil {
		return out, nil
	}
	meshes, err := urdf.Meshes(r)
	if err != nil {
		return nil, fmt.Errorf("geometry: %w", err)
	}
	for _, m := range meshes {
		if m.Link < 0 {
			continue // a body of the base has no effect
		}
		text, err := open(m.File)
		if err != nil {
			return nil, fmt.Errorf("link %q: %w", m.Body, err)
		}
		solid, place, err := ReadMesh(m.File, text, m.Scale)
		if err != nil {
			return nil, fmt.Errorf("link %q: %w", m.Body, err)
		}
		add(m.Body, m.Link, m.Visual, Part{Solid: solid, At: m.Place.Mul(place)})
	}
	return out, nil
}
