package assembly

import (
	"fmt"
	"math"

	"ident/internal/angles"
	"ident/internal/spatial"
)

// Symmetric builds the inertia matrix from xx, xy, xz, yy, yz, zz.
func Symmetric(j [6]float64) [3][3]float64 {
	return [3][3]float64{{j[0], j[1], j[2]}, {j[1], j[3], j[4]}, {j[2], j[4], j[5]}}
}

// SnapOrigin snaps the angles and offsets of a joint's origin, with a note for
// each change.
func SnapOrigin(xyz, rpy *[3]float64) []string {
	var said []string
	for i, name := range [3]string{"roll", "pitch", "yaw"} {
		v, text := angles.Snap(rpy[i])
		rpy[i] = v
		if text != "" {
			said = append(said, name+" "+text)
		}
	}
	for i, name := range [3]string{"x", "y", "z"} {
		if p := xyz[i]; p != 0 && math.Abs(p) < angles.SnapLength {
			said = append(said, fmt.Sprintf("%s %g m as 0", name, p))
			xyz[i] = 0
		}
	}
	return said
}

type axisError string

func (e axisError) Error() string { return string(e) }

// UnitAxis normalises a joint's axis and, where snap is set, turns one that is
// within the snap tolerance of a coordinate axis onto it.
func UnitAxis(axis [3]float64, snap bool) ([3]float64, string, error) {
	big := math.Max(math.Abs(axis[0]), math.Max(math.Abs(axis[1]), math.Abs(axis[2])))
	if big == 0 {
		return axis, "", axisError("the axis is zero; give a direction")
	}
	a := spatial.Scale(1/big, axis)
	if math.IsInf(1/big, 0) {
		return axis, "", axisError("the axis is too short to have a direction")
	}
	a = spatial.Scale(1/spatial.Norm(a), a)
	if !snap {
		return a, "", nil
	}
	for i := range 3 {
		if math.Abs(a[i]) < 1-1e-9 {
			continue
		}
		var s [3]float64
		s[i] = math.Copysign(1, a[i])
		if d := spatial.Norm(spatial.Sub(a, s)); d > 0 && d <= angles.SnapTolerance {
			return s, fmt.Sprintf("axis (%g %g %g) as (%g %g %g)", axis[0], axis[1], axis[2], s[0], s[1], s[2]), nil
		}
	}
	return a, "", nil
}
