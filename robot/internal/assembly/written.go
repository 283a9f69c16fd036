package assembly

import (
	"fmt"
	"math"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/robot"
)

// TreeOnly returns an error for a robot with loops, which the writers do not support: the tree alone would be another mechanism.
func TreeOnly(r *robot.Robot) error {
	if !r.Closed() {
		return nil
	}
	return NotWritable("robot "+r.Name, "%s", r.ClosedBy())
}

// NotWritable returns an error that matches robot.ErrNotWritable, with the part that a format has no place for.
func NotWritable(where, format string, args ...any) error {
	return fmt.Errorf("%s: %s: %w", where, fmt.Sprintf(format, args...), robot.ErrNotWritable)
}

// FileFrame is how a file with axes of its own says where a link is: the
// placement of its frame on its parent's file frame, the joint's axis in it,
// and its own placement in frame j.
type FileFrame struct {
	Origin robot.Transform
	Axis   [3]float64
	InJ    robot.Transform
}

// FileFrames chooses for each link the frame that a URDF, or the like, gives
// it: the user's own where a reader would find frame j again from it, or else
// frame j itself.
func FileFrames(r *robot.Robot) []FileFrame {
	out := make([]FileFrame, len(r.Links))
	for i, l := range r.Links {
		f := FileFrame{Axis: [3]float64{0, 0, 1}, InJ: robot.Identity()}
		if axis := l.UserFrame.R[2]; l.UserFrame.P == [3]float64{} {
			if unit, _, err := UnitAxis(axis, false); err == nil && NearRotation(spatial.Transpose(angles.AlignZ(unit)), l.UserFrame.R) {
				f.Axis, f.InJ = axis, l.UserFrame
			}
		}
		parent := robot.Identity()
		if l.Antecedent >= 0 {
			parent = out[l.Antecedent].InJ
		}
		f.Origin = parent.Inv().Mul(l.Placement).Mul(f.InJ)
		out[i] = f
	}
	return out
}

// NearRotation reports whether two rotations differ by rounding only.
func NearRotation(a, b [3][3]float64) bool {
	for i := range 3 {
		for j := range 3 {
			if !(math.Abs(a[i][j]-b[i][j]) <= 1e-14) {
				return false
			}
		}
	}
	return true
}

// BaseName returns the base's name, or the given one, lengthened until no body
// has it.
func BaseName(r *robot.Robot, otherwise string) string {
	if r.BaseName != "" {
		return r.BaseName
	}
	taken := map[string]bool{}
	for _, l := range r.Links {
		taken[l.Name] = true
	}
	for _, l := range r.Lumped {
		taken[l.Name] = true
	}
	for taken[otherwise] {
		otherwise += "_"
	}
	return otherwise
}
