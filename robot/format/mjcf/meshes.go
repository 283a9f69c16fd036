package mjcf

import (
	"ident/robot"
	"ident/robot/format/internal/mujoco"
	"ident/robot/format/urdf"
	"ident/robot/internal/assembly"
)

// VisualMeshes returns the meshes that a robot of this format is drawn with, as MuJoCo's viewer shows them.
func VisualMeshes(r *robot.Robot) ([]urdf.Mesh, error) {
	root, err := assembly.XMLRoot(r.Source.Text)
	if err != nil {
		return nil, err
	}
	m, err := mujoco.Read(root)
	if err != nil {
		return nil, err
	}
	return mujoco.Meshes(r, m), nil
}
