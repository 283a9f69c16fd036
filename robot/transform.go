package robot

import (
	"ident/internal/angles"
	"ident/internal/spatial"
)

// Transform places one frame in another: a point with coordinates p in the
// placed frame has coordinates R·p + P in the other. R is row-major and a
// rotation; P is in metres.
type Transform struct {
	R [3][3]float64
	P [3]float64
}

// Identity returns the identity transform.
func Identity() Transform { return Transform{R: spatial.Eye()} }

// Mul returns the composition t·u: u places frame c in b, t places b in a,
// and the result places c in a.
func (t Transform) Mul(u Transform) Transform {
	return Transform{R: spatial.Mul(t.R, u.R), P: spatial.Add(t.P, spatial.MulVec(t.R, u.P))}
}

// Inv returns the inverse transform.
func (t Transform) Inv() Transform {
	return Transform{R: spatial.Transpose(t.R), P: spatial.Scale(-1, spatial.MulTVec(t.R, t.P))}
}

// Apply returns the coordinates in the outer frame of point p of the placed frame.
func (t Transform) Apply(p [3]float64) [3]float64 {
	return spatial.Add(t.P, spatial.MulVec(t.R, p))
}

// MdhTransform returns the frame placement of Khalil and Kleinfinger (1986); angles in rad, lengths in m.
func MdhTransform(gamma, b, alpha, d, theta, r float64) Transform {
	sg, cg := angles.Sincos(gamma)
	sa, ca := angles.Sincos(alpha)
	st, ct := angles.Sincos(theta)
	return Transform{
		R: [3][3]float64{
			{cg*ct - sg*ca*st, -cg*st - sg*ca*ct, sg * sa},
			{sg*ct + cg*ca*st, -sg*st + cg*ca*ct, -cg * sa},
			{sa * st, sa * ct, ca},
		},
		P: [3]float64{d*cg + r*sg*sa, d*sg - r*cg*sa, r*ca + b},
	}
}
