package sdf

import (
	"fmt"
	"math"
	"strings"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/internal/xmltree"
	"ident/robot/format/internal/mujoco"
)

type pose = mujoco.Pose

func identity() pose { return pose{R: spatial.Eye()} }

// product places b, given in a, where a is placed.
func product(a, b pose) pose {
	return pose{R: spatial.Mul(a.R, b.R), P: spatial.Add(a.P, spatial.MulVec(a.R, b.P))}
}

// within is b in a, where both are placed in the same frame.
func within(a, b pose) pose {
	return pose{R: spatial.Mul(spatial.Transpose(a.R), b.R), P: spatial.MulTVec(a.R, spatial.Sub(b.P, a.P))}
}

// frame is a link, joint or frame of the model.
type frame struct {
	node     *xmltree.Node
	kind     string // link, joint, frame or model
	scope    string // of the models that it is in, "a::b::"; "" in the outer one
	own      pose   // in the frame named by
	relative string // "" for the model's
	attached string // of a frame, a joint and a model: the frame that it moves with; "" for the model
	at       pose   // in the model's frame

	placement string // of a model: the part whose frame its pose places
	state     int    // of the search: 1 begun, 2 done
}

// maxParts bounds the links, joints and frames of a model: chains of them are followed one by one.
const maxParts = 5000

// modelFrame is the name of the model's own frame.
const modelFrame = "__model__"

// deepest bounds the models in each other, whose names add up in those of their parts.
const deepest = 20

// resolved returns the name of a frame in the whole model, of one that an element of a scope names: that of a part of
// the nested model a is "a::part", and __model__ is the frame of the model around the element.
func resolved(scope, name string) string {
	if name == "" || name == modelFrame {
		return strings.TrimSuffix(scope, "::")
	}
	return strings.TrimSuffix(scope+name, "::"+modelFrame)
}

// scope reads the frames of the model and places them.
func (r *reader) scope() error {
	m := r.model
	if err := r.members(m, ""); err != nil {
		return err
	}
	for _, name := range r.names {
		f := r.frames[name]
		if f.placement == "" {
			continue
		}
		at, err := r.within(f.node, name, f.placement)
		if err != nil {
			return err
		}
		f.own = product(f.own, within(at, identity()))
	}
	for _, name := range r.names {
		if _, err := r.place(r.frames[name].node, name); err != nil {
			return err
		}
	}
	var relative string
	var err error
	if r.atWorld, relative, err = r.pose(m, "model"); err != nil {
		return err
	}
	if relative != "" && relative != "world" {
		return fault(m, "", "the model's pose is relative to %q: frames of a world are not read", relative)
	}
	if name, _ := m.Attr("placement_frame"); name != "" && name != modelFrame {
		at, err := r.place(m, name)
		if err != nil {
			return err
		}
		r.atWorld = product(r.atWorld, within(at, identity()))
	}
	return nil
}

// members reads the frames of a model, whose names begin with those of the models around them.
func (r *reader) members(m *xmltree.Node, scope string) error {
	if n, _ := m.Last("include"); n != nil {
		return fault(n, "", "<include> needs a file system: read the model from its path, or flatten it with gz sdf -p")
	}
	if s, _ := r.child(m, "static"); s == "true" || s == "1" {
		return fault(m, "", "the model is static: nothing of it moves")
	}
	if strings.Count(scope, "::") > deepest {
		return fault(m, "", "more than %d models in each other", deepest)
	}
	for _, n := range m.Children {
		if n.Space != m.Space || n.Name != "link" && n.Name != "joint" && n.Name != "frame" && n.Name != "model" {
			continue
		}
		own, _ := n.Attr("name")
		name := scope + own
		where := fmt.Sprintf("%s %q", n.Name, name)
		switch {
		case own == "":
			return fault(n, "", "<%s> without a name", n.Name)
		case own == "world" || strings.HasPrefix(own, "__") && strings.HasSuffix(own, "__"):
			return fault(n, where, "the name is reserved; rename it")
		case r.frames[name] != nil:
			return fault(n, where, "the name is that of the %s in line %d; rename one", r.frames[name].kind, r.frames[name].node.Line)
		}
		f := &frame{node: n, kind: n.Name, scope: scope}
		at, relative, err := r.pose(n, where)
		if err != nil {
			return err
		}
		f.own = at
		switch n.Name {
		case "joint":
			f.attached, _ = r.child(n, "child")
		case "frame":
			f.attached, _ = n.Attr("attached_to")
		}
		if relative == "" {
			relative = f.attached
		}
		f.relative, f.attached = resolved(scope, relative), resolved(scope, f.attached)
		if relative == "world" {
			f.relative = relative
		}
		if r.frames[name], r.names = f, append(r.names, name); len(r.names) > maxParts {
			return fault(n, "", "more than %d links, joints and frames in one model", maxParts)
		}
		if n.Name != "model" {
			continue
		}
		f.attached = canonical(n, name+"::")
		if p, _ := n.Attr("placement_frame"); p != "" && p != modelFrame {
			f.placement = resolved(name+"::", p)
		}
		if err := r.members(n, name+"::"); err != nil {
			return err
		}
	}
	return nil
}

// canonical returns the part of a nested model that its frame moves with: the link that it names, or its first.
func canonical(m *xmltree.Node, scope string) string {
	if name, _ := m.Attr("canonical_link"); name != "" {
		return resolved(scope, name)
	}
	for _, kind := range []string{"link", "model"} {
		if all := m.All(kind); len(all) > 0 {
			name, _ := all[0].Attr("name")
			return scope + name
		}
	}
	return ""
}

// within returns the frame of a part in that of the model around it, before either is placed.
func (r *reader) within(from *xmltree.Node, model, part string) (pose, error) {
	at := identity()
	for range len(r.names) + 1 {
		f := r.frames[part]
		if f == nil || f.kind == "model" && f.placement != "" && part != model {
			return at, fault(from, "", "placement_frame %q is no frame of model %q by plain poses", part, model)
		}
		if part == model {
			return at, nil
		}
		at, part = product(f.own, at), f.relative
	}
	return at, fault(from, "", "the pose of placement_frame %q is relative to itself", part)
}

// place returns a frame in the model's.
func (r *reader) place(from *xmltree.Node, name string) (pose, error) {
	if name == "" || name == modelFrame {
		return identity(), nil
	}
	f := r.frames[name]
	switch {
	case f == nil && name == "world":
		return pose{}, fault(from, "", "a pose relative to the world in a model is not read")
	case f == nil:
		return pose{}, fault(from, "", "the model has no frame %q", name)
	case f.state == 1:
		return pose{}, fault(f.node, fmt.Sprintf("%s %q", f.kind, name), "its pose is relative to itself by a chain of relative_to")
	case f.state == 2:
		return f.at, nil
	}
	f.state = 1
	base, err := r.place(f.node, f.relative)
	if err != nil {
		return pose{}, err
	}
	f.at, f.state = product(base, f.own), 2
	return f.at, nil
}

// link returns the link that a frame moves with; "" is the model itself.
func (r *reader) link(from *xmltree.Node, name string) (string, error) {
	for range len(r.names) + 1 {
		if name == "" || name == modelFrame {
			return "", nil
		}
		f := r.frames[name]
		if f == nil {
			return "", fault(from, "", "the model has no link or frame %q", name)
		}
		if f.kind == "link" {
			return name, nil
		}
		name = f.attached
	}
	return "", fault(from, "", "frame %q is attached to itself by a chain of attached_to", name)
}

// relativePose is frame b in frame a: as the file says it where it does, so that no digit is lost.
func (r *reader) relativePose(a, b string) pose {
	if b == "" {
		return within(r.frames[a].at, identity())
	}
	f := r.frames[b]
	if f.relative == a {
		return f.own
	}
	if a == "" {
		return f.at
	}
	return within(r.frames[a].at, f.at)
}

// pose reads the <pose> of an element, and the frame that it is relative to.
func (r *reader) pose(n *xmltree.Node, where string) (pose, string, error) {
	out := identity()
	p, _ := n.Last("pose")
	if p == nil {
		return out, "", nil
	}
	if old, _ := p.Attr("frame"); old != "" {
		return out, "", fault(p, where, "<pose frame=%q> of versions 1.5 and 1.6, which programs interpret differently: use relative_to of version 1.7", old)
	}
	relative, _ := p.Attr("relative_to")
	v, err := r.numbers(p, where)
	if err != nil || len(v) == 0 {
		return out, relative, err
	}
	format, _ := p.Attr("rotation_format")
	degrees, _ := p.Attr("degrees")
	switch {
	case format == "quat_xyzw" && len(v) == 7:
		size := math.Sqrt(v[3]*v[3] + v[4]*v[4] + v[5]*v[5] + v[6]*v[6])
		if !(size > 1e-10) || math.IsInf(size, 0) {
			return out, "", fault(p, where, "its quaternion is zero")
		}
		out.R, _ = angles.Rotation([4]float64{v[6], v[3], v[4], v[5]})
	case (format == "" || format == "euler_rpy") && len(v) == 6:
		rpy := [3]float64(v[3:])
		for i := range rpy {
			if degrees == "true" || degrees == "1" {
				rpy[i] *= math.Pi / 180
			}
			if r.opt.NoSnap {
				continue
			}
			var said string
			if rpy[i], said = angles.Snap(rpy[i]); said != "" {
				r.note(where, "read %s %s", [3]string{"roll", "pitch", "yaw"}[i], said)
			}
		}
		out.R = angles.RPYRotation(rpy)
	default:
		return out, "", fault(p, where, "<pose> has six numbers, or seven with rotation_format=\"quat_xyzw\"; found %d", len(v))
	}
	out.P = [3]float64(v[:3])
	return out, relative, nil
}
