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
	Body   string          // name of the solid's body in the file
	Link   int             // link index, -1 for the base
	Place  robot.Transform // pose of the solid's own frame in frame Link
	Kind   string          // "box", "cylinder" along z, or "sphere"
	Size   [3]float64      // box: edges; cylinder: radius, 0, length; sphere: radius; m
	Visual bool            // whether the solid is from <visual>, because the body has no <collision>
}

// Mesh is a surface of a URDF's geometry that stands in a file of its own, placed in frame Link.
type Mesh struct {
	Body   string
	Link   int             // link index, -1 for the base
	Place  robot.Transform // pose of the mesh file's frame in frame Link
	File   string          // address as in the URDF: package://…, file://… or a path
	Scale  [3]float64
	Visual bool
}

// Meshes returns the meshes among the geometry that Solids looks at: collision geometry, or visual geometry where a body has no collision element.
func Meshes(r *robot.Robot) ([]Mesh, error) {
	_, meshes, err := geometry(r, "collision", "visual")
	return meshes, err
}

// VisualMeshes returns the meshes that a robot is drawn with: of visual geometry, or of collision geometry where a body has no visual element.
func VisualMeshes(r *robot.Robot) ([]Mesh, error) {
	_, meshes, err := geometry(r, "visual", "collision")
	return meshes, err
}

// Solids returns the boxes, cylinders and spheres that a robot's own URDF text
// gives as collision geometry, or as visual geometry where a body has no
// collision element, and the number of meshes, which are not read. A robot
// read from another format has none.
func Solids(r *robot.Robot) (solids []Solid, meshes int, err error) {
	solids, list, err := geometry(r, "collision", "visual")
	return solids, len(list), err
}

// geometry returns the primitives and the meshes of a URDF in elements of a kind, or in those of another where a body has none.
func geometry(r *robot.Robot, kind, other string) (solids []Solid, meshes []Mesh, err error) {
	if r.Source.Format != "urdf" {
		return nil, nil, nil
	}
	defer func() { err = assembly.OfXML(err) }()
	root, err := assembly.XMLRoot(r.Source.Text)
	if err != nil {
		return nil, nil, err
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
		from, visual := n.All(kind), kind == "visual"
		if len(from) == 0 {
			from, visual = n.All(other), !visual
		}
		for _, c := range from {
			g, _ := c.Last("geometry")
			if g == nil {
				continue
			}
			xyz, rpy, err := u.origin(c, owner)
			if err != nil {
				return nil, nil, err
			}
			s := Solid{Body: name, Link: h.link, Place: h.place.Mul(robot.Transform{R: angles.RPYRotation(rpy), P: xyz}), Visual: visual}
			if m, _ := g.Last("mesh"); m != nil {
				mesh := Mesh{Body: name, Link: s.Link, Place: s.Place, Scale: [3]float64{1, 1, 1}, Visual: visual}
				mesh.File, _ = m.Attr("filename")
				if _, scaled := m.Attr("scale"); scaled {
					if mesh.Scale, err = m.Vector(owner, "scale", mesh.Scale); err != nil {
						return nil, nil, err
					}
				}
				meshes = append(meshes, mesh)
				continue
			}
			if ok, err := s.measure(g, owner); err != nil {
				return nil, nil, err
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
