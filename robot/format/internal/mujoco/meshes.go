package mujoco

import (
	"path"
	"strings"

	"ident/internal/xmltree"
	"ident/robot"
	"ident/robot/format/urdf"
)

// assets keeps the meshes of an <asset>. One that is turned or moved against its file (refquat, refpos), or has no file, is
// passed over.
func (r *reader) assets(n *xmltree.Node) {
	for _, c := range n.All("mesh") {
		c, err := r.defaults.of(c, "")
		if err != nil {
			continue
		}
		file, _ := c.Attr("file")
		_, moved := c.Attr("refpos")
		_, turned := c.Attr("refquat")
		scale, err := c.Vector("mesh", "scale", [3]float64{1, 1, 1})
		if file == "" || moved || turned || err != nil {
			continue
		}
		name, _ := c.Attr("name")
		if name == "" {
			name = strings.TrimSuffix(path.Base(file), path.Ext(file))
		}
		if r.bare {
			file = path.Base(file)
		}
		if !path.IsAbs(file) {
			file = path.Join(r.folder, file)
		}
		r.surfaces[name] = Mesh{File: file, Scale: scale}
	}
}

// shown are the groups of geometries that MuJoCo's viewer shows at first.
const shown = 2

// meshes returns the meshes that a body is drawn with: of the groups that a viewer shows, those that touch nothing, as a
// model with meshes for both has them, or else all; and those of other groups where there are no such ones. A geometry with a fault is
// passed over: it is drawn, not reckoned with.
func (r *reader) meshes(n *xmltree.Node, class string) []Mesh {
	var touching, free, hidden []Mesh
	for _, g := range n.All("geom") {
		g, err := r.defaults.of(g, class)
		if err != nil {
			continue
		}
		name, _ := g.Attr("mesh")
		kind, _ := g.Attr("type")
		m, ok := r.surfaces[name]
		if !ok || kind != "mesh" {
			continue // a primitive with a mesh is fitted to it
		}
		if m.At, err = r.pose(g, "geom"); err != nil {
			continue
		}
		group, err := g.Number("geom", "group", 0)
		hits, _ := g.Attr("contype")
		hit, _ := g.Attr("conaffinity")
		switch {
		case err != nil || group > shown:
			hidden = append(hidden, m)
		case hits == "0" && hit == "0":
			free = append(free, m)
		default:
			touching = append(touching, m)
		}
	}
	for _, found := range [][]Mesh{free, touching, hidden} {
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// Meshes returns the meshes of a model in the frames of a robot that was filled from it.
func Meshes(r *robot.Robot, m *Model) []urdf.Mesh {
	type seat struct {
		link int
		at   robot.Transform
	}
	seats := map[string]seat{r.BaseName: {-1, robot.Identity()}}
	for _, l := range r.Lumped {
		seats[l.Name] = seat{l.Into, l.InLink}
	}
	for j := range r.Links {
		seats[r.Links[j].Name] = seat{j, r.Links[j].UserFrame}
	}
	var out []urdf.Mesh
	for i := range m.Bodies {
		b := &m.Bodies[i]
		s, ok := seats[b.Name]
		if !ok {
			continue
		}
		for _, x := range b.Meshes {
			out = append(out, urdf.Mesh{Body: b.Name, Link: s.link, Place: s.at.Mul(robot.Transform(x.At)), File: x.File, Scale: x.Scale, Visual: true})
		}
	}
	return out
}
