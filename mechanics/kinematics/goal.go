package kinematics

import (
	"fmt"
	"math"

	"ident/internal/spatial"
	"ident/robot"
)

// Goal is a pose that a frame on a link must reach.
type Goal struct {
	Link int
	Tool robot.Transform // pose of the tool frame in the link's frame; the zero value is the link's own frame
	Pose robot.Transform // pose that the tool frame must reach, in the base frame
	Mask Mask            // components that must be reached, along the axes of Pose; none means all six
}

// tool returns the frame of the goal on its link.
func (g *Goal) tool() robot.Transform {
	if g.Tool == (robot.Transform{}) {
		return robot.Identity()
	}
	return g.Tool
}

func (g *Goal) mask() Mask {
	if g.Mask == (Mask{}) {
		return Full
	}
	return g.Mask
}

// orthonormal is the largest deviation of an orientation's products of rows from those of
// a rotation: a matrix typed in with six digits passes, one with three does not.
const orthonormal = 1e-5

// OrientationError reports a goal whose matrix is no rotation.
type OrientationError struct {
	Frame     string  // "pose" or "tool"
	Deviation float64 // largest entry of R·Rᵀ − 1; 2 for a reflection
}

func (e *OrientationError) Error() string {
	return fmt.Sprintf("kinematics: the orientation of the %s is not a rotation: its rows are off by %.2g; give nine direction cosines with six digits", e.Frame, e.Deviation)
}

// check returns the goal with its matrices made orthogonal, or an error if one is no rotation.
func (g Goal) check(t *Tree) (Goal, error) {
	t.checkPoint(Point{Link: g.Link})
	g.Tool, g.Mask = g.tool(), g.mask()
	for name, f := range map[string]*robot.Transform{"tool": &g.Tool, "pose": &g.Pose} {
		for _, v := range f.P {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return g, fmt.Errorf("kinematics: the position of the %s is not finite: %v", name, f.P)
			}
		}
		off := 0.0
		product := spatial.Mul(f.R, spatial.Transpose(f.R))
		for i := range 3 {
			for k := range 3 {
				off = math.Max(off, math.Abs(product[i][k]-spatial.Eye()[i][k]))
			}
		}
		if spatial.Dot(spatial.Cross(f.R[0], f.R[1]), f.R[2]) < 0 {
			off = 2
		}
		if !(off <= orthonormal) {
			return g, &OrientationError{name, off}
		}
		// Newton's iteration for the orthogonal factor (Higham 1986): twice squares 1e-5 to rounding.
		for range 2 {
			f.R = nearRotation(f.R)
		}
	}
	return g, nil
}

// nearRotation returns ½(R + R⁻ᵀ).
func nearRotation(r spatial.Mat) (out spatial.Mat) {
	// The rows of R⁻ᵀ are the cross products of the rows over the determinant.
	d := spatial.Dot(spatial.Cross(r[0], r[1]), r[2])
	for i := range 3 {
		c := spatial.Cross(r[(i+1)%3], r[(i+2)%3])
		out[i] = spatial.Scale(0.5, spatial.AddScaled(r[i], 1/d, c))
	}
	return out
}

// RollPitchYaw returns Rot(z,yaw)·Rot(y,pitch)·Rot(x,roll), rad: the angles of a URDF.
func RollPitchYaw(roll, pitch, yaw float64) [3][3]float64 {
	return spatial.Mul(spatial.RotZ(yaw), spatial.Mul(spatial.RotY(pitch), spatial.RotX(roll)))
}
