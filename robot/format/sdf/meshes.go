package sdf

import (
	"fmt"

	"ident/internal/xmltree"
	"ident/robot"
	"ident/robot/format/internal/mujoco"
	"ident/robot/format/urdf"
)

// VisualMeshes returns the meshes that a robot of this format is drawn with: of visuals, or of collisions where a link has no
// visual.
func VisualMeshes(r *robot.Robot) ([]urdf.Mesh, error) {
	text, _, err := xmltree.ToUTF8(r.Source.Text)
	if err != nil {
		return nil, err
	}
	root, err := xmltree.Parse(text)
	if err != nil {
		return nil, err
	}
	m, err := readModel(text, root, robot.ReadOptions{NoSnap: r.Source.NoSnap})
	if err != nil {
		return nil, err
	}
	return mujoco.Meshes(r, m), nil
}

// meshes returns the meshes that a link is drawn with. A part of a mesh (submesh), and what has a fault, is passed over: it is
// drawn, not reckoned with.
func (r *reader) meshes(link *xmltree.Node, name string) (out []mujoco.Mesh) {
	from := link.All("visual")
	if len(from) == 0 {
		from = link.All("collision")
	}
	for _, n := range from {
		g, _ := n.Last("geometry")
		if g == nil {
			continue
		}
		mesh, _ := g.Last("mesh")
		if mesh == nil {
			continue
		}
		if part, _ := mesh.Last("submesh"); part != nil {
			continue
		}
		at, relative, err := r.pose(n, fmt.Sprintf("link %q", name))
		if err != nil {
			continue
		}
		if relative = resolved(r.frames[name].scope, relative); relative != "" && relative != name {
			if _, err := r.place(n, relative); err != nil {
				continue
			}
			at = product(r.relativePose(name, relative), at)
		}
		m := mujoco.Mesh{At: at, Scale: [3]float64{1, 1, 1}}
		m.File, _ = r.child(mesh, "uri")
		if s, _ := mesh.Last("scale"); s != nil {
			if m.Scale, err = r.vector(s, name); err != nil {
				continue
			}
		}
		out = append(out, m)
	}
	return out
}
