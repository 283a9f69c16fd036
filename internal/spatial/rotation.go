package spatial

import "math"

// RotationVector returns the axis times the angle, 0 to π, of a rotation.
func RotationVector(m Mat) Vec {
	v := Vec{(m[2][1] - m[1][2]) / 2, (m[0][2] - m[2][0]) / 2, (m[1][0] - m[0][1]) / 2}
	s, c := Norm(v), (m[0][0]+m[1][1]+m[2][2]-1)/2
	angle := math.Atan2(s, c)
	switch {
	case s > 1e-7:
		return Scale(angle/s, v)
	case c > 0:
		return v
	}
	// A half-turn: m + 1 = 2·a·aᵀ, of which the longest column is the safest.
	k := 0
	for i := range 3 {
		if m[i][i] > m[k][k] {
			k = i
		}
	}
	axis := Vec{m[0][k], m[1][k], m[2][k]}
	axis[k]++
	return Scale(angle/Norm(axis), axis)
}

// RotationRate returns the rate of the rotation vector phi of a frame that
// turns at w, both in fixed axes.
func RotationRate(phi, w Vec) Vec {
	angle := Norm(phi)
	k := 1.0 / 12
	if angle > 1e-4 {
		k = (1 - angle/2/math.Tan(angle/2)) / (angle * angle)
	}
	turn := Cross(phi, w)
	return AddScaled(AddScaled(w, -0.5, turn), k, Cross(phi, turn))
}
