package urdf

import (
	"fmt"

	"ident/internal/angles"
	"ident/internal/xmltree"
	"ident/robot"
	"ident/robot/internal/assembly"
)

// Solid is a primitive of a URDF's geometry, placed in frame Link.
type Solid struct {
	Body   string          // the file's name of the body that has it
	Link   int             // link index, -1 for the base
	Place  robot.Transform // of the solid's own frame in frame Link
	Kind   string          // "box", "cylinder" along z, or "sphere"
	Size   [3]float64      // box: edges; cylinder: radius, 0, length; sphere: radius; m
	Visual bool            // whether the solid is from <visual>, because the body has no <collision>
}

// Solids returns the boxes, cylinders and spheres that a robot's own URDF text
// gives as collision geometry, or as visual geometry where a body has no
// collision element, and the number of meshes, which are not read. A robot
// read from another format has none.
func Solids(r *robot.Robot) (solids []Solid, meshes int, err error) {
	if r.Source.Format != "urdf" {
		return nil, 0, nil
	}
	defer func() { err = assembly.OfXML(err) }()
	root, err := assembly.XMLRoot(r.Source.Text)
	if err != nil {
		return nil, 0, err
	}
	type bodyFrame struct {
		link  int
		place robot.Transform
	}
	frames := map[string]bodyFrame{r.BaseName: {-1, robot.Identity()}}
	for _, l := range r.Lumped {
		frames[l.Name] = bodyFrame{l.Into, l.InLink}
	}
	for j := range r.Links {
		frames[r.Links[j].Name] = bodyFrame{j, r.Links[j].UserFrame}
	}
	u := &reader{}
	for _, n := range root.All("link") {
		name, _ := n.Attr("name")
		h, ok := frames[name]
		if !ok {
			continue
		}
		owner := fmt.Sprintf("link %q", name)
		from, visual := n.All("collision"), false
		if len(from) == 0 {
			from, visual = n.All("visual"), true
		}
		for _, c := range from {
			g, _ := c.Last("geometry")
			if g == nil {
				continue
			}
			xyz, rpy, err := u.origin(c, owner)
			if err != nil {
				return nil, 0, err
			}
			s := Solid{Body: name, Link: h.link, Place: h.place.Mul(robot.Transform{R: angles.RPYRotation(rpy), P: xyz}), Visual: visual}
			if m, _ := g.Last("mesh"); m != nil {
				meshes++
				continue
			}
			if ok, err := s.measure(g, owner); err != nil {
				return nil, 0, err
			} else if ok {
				solids = append(solids, s)
			}
		}
	}
	return solids, meshes, nil
}

// measure reads the primitive of a <geometry> element, if it has one.
func (s *Solid) measure(g *xmltree.Node, owner string) (ok bool, err error) {
	if n, _ := g.Last("box"); n != nil {
		s.Kind = "box"
		s.Size, err = n.Vector(owner, "size", s.Size)
	} else if n, _ := g.Last("cylinder"); n != nil {
		s.Kind = "cylinder"
		if s.Size[0], err = n.Number(owner, "radius", 0); err == nil {
			s.Size[2], err = n.Number(owner, "length", 0)
		}
	} else if n, _ := g.Last("sphere"); n != nil {
		s.Kind = "sphere"
		s.Size[0], err = n.Number(owner, "radius", 0)
	} else {
		return false, nil
	}
	for _, x := range s.Size {
		if err == nil && x < 0 {
			err = robot.Fault(g.Line, owner, "a %s of negative size", s.Kind)
		}
	}
	return err == nil, err
}
