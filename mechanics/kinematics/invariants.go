package kinematics

import (
	"math"

	"ident/internal/spatial"
	"ident/robot"
)

// numInvariants are the quantities of a line (p, l) that transform linearly under a rigid motion: p,
// l, p·p, p·l, p×l and (p·p)·l − 2·(p·l)·p (Raghavan and Roth 1993).
const numInvariants = 14

type invariants [numInvariants]float64

func invariantsOf(p, l spatial.Vec) (out invariants) {
	pp, pl := spatial.Dot(p, p), spatial.Dot(p, l)
	moment, inverse := spatial.Cross(p, l), spatial.AddScaled(spatial.Scale(pp, l), -2*pl, p)
	copy(out[0:], p[:])
	copy(out[3:], l[:])
	out[6], out[7] = pp, pl
	copy(out[8:], moment[:])
	copy(out[11:], inverse[:])
	return out
}

// A joint enters a quantity that transforms linearly by three functions: 1, cos, sin of an angle; 1, x,
// x² of a slide. They are interpolated at three values.
var (
	angleNodes = [3]float64{0, 2 * math.Pi / 3, -2 * math.Pi / 3}
	slideNodes = [3]float64{0, 1, -1}
)

func nodes(slides bool) [3]float64 {
	if slides {
		return slideNodes
	}
	return angleNodes
}

// interpolate returns the coefficients of the joint's three functions from the values at its nodes.
func interpolate(slides bool, v [3]float64) [3]float64 {
	if slides {
		return [3]float64{v[0], (v[1] - v[2]) / 2, (v[1]+v[2])/2 - v[0]}
	}
	return [3]float64{(v[0] + v[1] + v[2]) / 3, (2*v[0] - v[1] - v[2]) / 3, (v[1] - v[2]) / math.Sqrt(3)}
}

// quadratic returns the coefficients of 1, x, x² from those of a joint's three functions: x is the
// tangent of half an angle, and the quantity times 1+x²; or the slide itself.
func quadratic(slides bool, c [3]float64) [3]float64 {
	if slides {
		return c
	}
	return [3]float64{c[0] + c[1], 2 * c[2], c[0] - c[1]}
}

// joint returns a joint's position from the root X/W of a quadratic in the above.
func joint(slides bool, x, w float64) float64 {
	if slides {
		return x / w
	}
	return 2 * math.Atan2(x, w)
}

// apply returns the line p, l moved by a placement.
func apply(f robot.Transform, p, l spatial.Vec) (spatial.Vec, spatial.Vec) {
	return f.Apply(p), spatial.MulVec(f.R, l)
}
