package format

import (
	"ident/robot"
	"ident/robot/format/mjcf"
	"ident/robot/format/sdf"
	"ident/robot/format/urdf"
)

// VisualMeshes returns the meshes that a robot is drawn with, of a URDF, of MuJoCo's XML or of SDFormat; other formats have
// none.
func VisualMeshes(r *robot.Robot) ([]urdf.Mesh, error) {
	switch r.Source.Format {
	case "mjcf":
		return mjcf.VisualMeshes(r)
	case "sdf":
		return sdf.VisualMeshes(r)
	}
	return urdf.VisualMeshes(r)
}
