package mujoco

import (
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/internal/spatial"
	"ident/internal/xmltree"
)

func attribute(name, value string) xml.Attr {
	return xml.Attr{Name: xml.Name{Local: name}, Value: value}
}

func fault(n *xmltree.Node, where, format string, args ...any) error {
	return &xmltree.Error{Line: n.Line, Where: where, Text: fmt.Sprintf(format, args...)}
}

// reader holds the settings of a file.
type reader struct {
	model     *Model
	degree    bool
	autoLimit bool
	fromGeom  string // true, false or auto
	euler     string
	defaults  classes
	bodies    map[string]int
	joints    map[string]*Joint // filled once the bodies are complete
	frames    []Pose            // of the bodies in the world, at the reference
	sites     map[string]site
	surfaces  map[string]Mesh // of the assets, by name
	folder    string          // of their files
	bare      bool            // folders in the names of files do not count
}

// site is a frame on a body.
type site struct {
	body int
	at   Pose
}

// Read reads the element <mujoco>.
func Read(root *xmltree.Node) (*Model, error) {
	r := &reader{model: &Model{Gravity: [3]float64{0, 0, -9.81}}, degree: true, autoLimit: true, fromGeom: "auto", euler: "xyz", defaults: classes{}, bodies: map[string]int{}, joints: map[string]*Joint{}, sites: map[string]site{}, surfaces: map[string]Mesh{}}
	r.model.Name, _ = root.Attr("model")
	for _, n := range root.Children {
		switch n.Name {
		case "include":
			file, _ := n.Attr("file")
			return nil, fault(n, "", "<include file=%q>: give one file with everything in it, as MuJoCo saves it (mj_saveLastXML, or \"Save xml\" of the viewer)", file)
		case "compiler":
			if err := r.compiler(n); err != nil {
				return nil, err
			}
		case "option":
			g, err := n.Vector("option", "gravity", r.model.Gravity)
			if err != nil {
				return nil, err
			}
			r.model.Gravity = g
		case "default":
			if err := r.defaults.read(n, ""); err != nil {
				return nil, err
			}
		}
	}
	for _, n := range root.All("asset") {
		r.assets(n)
	}
	for _, n := range root.All("worldbody") {
		if err := r.children(n, -1, identity(), ""); err != nil {
			return nil, err
		}
	}
	for i := range r.model.Bodies {
		for k := range r.model.Bodies[i].Joints {
			j := &r.model.Bodies[i].Joints[k]
			r.joints[j.Name] = j
		}
	}
	for _, n := range root.All("actuator") {
		if err := r.actuators(n); err != nil {
			return nil, err
		}
	}
	for _, n := range root.All("equality") {
		if err := r.equalities(n); err != nil {
			return nil, err
		}
	}
	if len(root.All("tendon")) > 0 {
		r.note("tendon", "springs and drives of tendons are not read")
	}
	r.model.ByGeometry = r.fromGeom == "true"
	return r.model, nil
}

func (r *reader) note(where, format string, args ...any) {
	r.model.Notes = append(r.model.Notes, Note{where, fmt.Sprintf(format, args...)})
}

func (r *reader) compiler(n *xmltree.Node) error {
	for _, a := range n.Attrs {
		v := strings.TrimSpace(a.Value)
		switch a.Name.Local {
		case "angle":
			r.degree = v != "radian"
		case "autolimits":
			r.autoLimit = v != "false"
		case "inertiafromgeom":
			r.fromGeom = v
		case "eulerseq":
			if len(v) != 3 || strings.Trim(v, "xyzXYZ") != "" {
				return fault(n, "", "eulerseq %q: three of x, y, z, small for turned axes", v)
			}
			r.euler = v
		case "meshdir":
			r.folder = v
		case "assetdir":
			if _, ok := n.Attr("meshdir"); !ok {
				r.folder = v
			}
		case "strippath":
			r.bare = v == "true"
		case "coordinate":
			if v == "global" {
				return fault(n, "", "coordinates are global, which MuJoCo itself no longer reads; save the model with a version up to 2.3.3")
			}
		case "settotalmass":
			if v != "-1" {
				r.note("compiler", "settotalmass %s is not applied: masses are those of the bodies", v)
			}
		}
	}
	return nil
}

// children reads the bodies in an element; at places its frame in that of body parent.
func (r *reader) children(n *xmltree.Node, parent int, at Pose, class string) error {
	for _, c := range n.Children {
		switch c.Name {
		case "body":
			if err := r.body(c, parent, at, class); err != nil {
				return err
			}
		case "site":
			p, err := r.pose(c, "site")
			if err != nil {
				return err
			}
			if name, _ := c.Attr("name"); name != "" {
				r.sites[name] = site{parent, product(at, p)}
			}
		case "frame":
			own, err := r.pose(c, "frame")
			if err != nil {
				return err
			}
			inner := class
			if v, ok := c.Attr("childclass"); ok {
				inner = v
			}
			for _, j := range c.Children {
				if j.Name != "body" && j.Name != "frame" && j.Name != "geom" && j.Name != "site" && j.Name != "camera" && j.Name != "light" {
					return fault(j, "", "<%s> in a <frame>: put it into a <body>", j.Name)
				}
			}
			if err := r.children(c, parent, product(at, own), inner); err != nil {
				return err
			}
		case "include", "replicate", "attach", "composite", "flexcomp":
			return fault(c, "", "<%s> is not read; save the model as one file with plain bodies (mj_saveLastXML)", c.Name)
		}
	}
	return nil
}

func (r *reader) body(n *xmltree.Node, parent int, at Pose, class string) error {
	name, _ := n.Attr("name")
	if name == "" {
		name = fmt.Sprintf("body%d", len(r.model.Bodies)+1)
	}
	where := fmt.Sprintf("body %q", name)
	if _, dup := r.bodies[name]; dup {
		return fault(n, where, "is defined twice; rename one")
	}
	if v, ok := n.Attr("childclass"); ok {
		class = v
	}
	own, err := r.pose(n, where)
	if err != nil {
		return err
	}
	if v, _ := n.Attr("gravcomp"); v != "" && v != "0" {
		r.note(where, "gravcomp %s is not read: its weight counts", v)
	}
	i := len(r.model.Bodies)
	b := Body{Name: name, Line: n.Line, Node: n, Parent: parent, At: product(at, own)}
	for _, c := range n.Children {
		if c.Name != "joint" && c.Name != "freejoint" {
			continue
		}
		j, err := r.joint(c, class, i, len(b.Joints))
		if err != nil {
			return err
		}
		b.Joints = append(b.Joints, j)
	}
	if b.Inertial, err = r.inertial(n, where, class); err != nil {
		return err
	}
	b.Meshes = r.meshes(n, class)
	world := b.At
	if parent >= 0 {
		world = product(r.frames[parent], b.At)
	}
	r.bodies[name], r.frames = i, append(r.frames, world)
	r.model.Bodies = append(r.model.Bodies, b)
	return r.children(n, i, identity(), class)
}

func (r *reader) joint(n *xmltree.Node, class string, body, nth int) (Joint, error) {
	nan := math.NaN()
	j := Joint{Line: n.Line, Node: n, Type: "hinge", Axis: [3]float64{0, 0, 1}, Lower: nan, Upper: nan, Velocity: nan, Effort: nan}
	if j.Name, _ = n.Attr("name"); j.Name == "" {
		j.Name = fmt.Sprintf("joint%d", body+1)
		if nth > 0 {
			j.Name += fmt.Sprintf("_%d", nth+1)
		}
	}
	where := fmt.Sprintf("joint %q", j.Name)
	if n.Name == "freejoint" {
		j.Type = "free"
		return j, nil
	}
	n, err := r.defaults.of(n, class)
	if err != nil {
		return j, err
	}
	if t, ok := n.Attr("type"); ok {
		j.Type = t
	}
	if !slices.Contains([]string{"hinge", "slide", "ball", "free"}, j.Type) {
		return j, fault(n, where, "type %q is not one of hinge, slide, ball, free", j.Type)
	}
	if j.At, err = n.Vector(where, "pos", j.At); err != nil {
		return j, err
	}
	if j.Axis, err = n.Vector(where, "axis", j.Axis); err != nil {
		return j, err
	}
	size := spatial.Norm(j.Axis)
	if !(size > 1e-10) && (j.Type == "hinge" || j.Type == "slide") {
		return j, fault(n, where, "the axis is zero; give a direction")
	}
	if size > 0 {
		j.Axis = spatial.Scale(1/size, j.Axis)
	}
	unit := 1.0
	if r.degree && j.Type == "hinge" {
		unit = math.Pi / 180
	}
	for _, f := range []struct {
		name  string
		scale float64
		to    *float64
	}{{"ref", unit, &j.Reference}, {"springref", unit, &j.Spring}, {"damping", 1, &j.Damping}, {"frictionloss", 1, &j.FrictionLoss}, {"armature", 1, &j.Armature}, {"stiffness", 1, &j.Stiffness}} {
		v, err := n.Numbers(where, f.name)
		if err != nil {
			return j, err
		}
		if len(v) > 0 {
			*f.to = v[0] * f.scale
		}
		if len(v) > 1 && slices.ContainsFunc(v[1:], func(x float64) bool { return x != 0 }) {
			r.note(where, "%s has terms beyond the linear one, which are not read", f.name)
		}
	}
	limits, err := n.Numbers(where, "range")
	if err != nil {
		return j, err
	}
	limited, _ := n.Attr("limited")
	if len(limits) == 2 && (limited == "true" || limited != "false" && r.autoLimit) && (j.Type == "hinge" || j.Type == "slide") {
		if limits[0] >= limits[1] {
			return j, fault(n, where, "range %g to %g: the lower limit is not below the upper one", limits[0], limits[1])
		}
		j.Lower, j.Upper = limits[0]*unit, limits[1]*unit
	}
	force, err := n.Numbers(where, "actuatorfrcrange")
	if err != nil {
		return j, err
	}
	if len(force) == 2 {
		j.Effort = math.Max(math.Abs(force[0]), math.Abs(force[1]))
	}
	return j, nil
}
