// Package angles does arithmetic with angles near multiples of π/12, which robot
// files print rounded, and with rotations of a robot's frames, so that axes meant
// to be parallel are exactly so.
package angles

import (
	"fmt"
	"math"

	"ident/internal/spatial"
)

// SnapTolerance is the distance in rad below which an angle is taken for a
// multiple of π/12: files print 1.5708.
const SnapTolerance = 1e-5

// SnapLength is the length in metres below which an offset is the rounding of
// a zero, as in 1.93e-17.
const SnapLength = 1e-12

// sinTwelfth holds sin(k·π/12) for k = 0 … 6.
var sinTwelfth = [7]float64{
	0, 0.25881904510252074, 0.5, math.Sqrt2 / 2, 0.8660254037844386, 0.9659258262890683, 1,
}

// Twelfth returns the k for which k·π/12 is nearest to an angle.
func Twelfth(angle float64) float64 { return math.Round(angle * 12 / math.Pi) }

// Sincos is math.Sincos, but exact at the multiples of π/12 that a float64 can
// tell: the cosine of π/2 is 0 and not 6e-17. Only then are two axes of a
// robot ever exactly parallel.
func Sincos(angle float64) (sin, cos float64) {
	k := Twelfth(angle)
	if math.Abs(k) > 1<<20 || math.Abs(angle-k*math.Pi/12) > 4e-16*math.Max(1, math.Abs(angle)) {
		return math.Sincos(angle)
	}
	i := (int(k)%24 + 24) % 24
	quarter := func(i int) float64 {
		switch i %= 24; {
		case i <= 6:
			return sinTwelfth[i]
		case i <= 12:
			return sinTwelfth[12-i]
		case i <= 18:
			return -sinTwelfth[i-12]
		default:
			return -sinTwelfth[24-i]
		}
	}
	// Adding 0 turns -0 into 0.
	return quarter(i) + 0, quarter(i+6) + 0
}

// Snap returns the multiple of π/12 that an angle was meant to be, with a text for
// a note, or the angle itself.
func Snap(angle float64) (float64, string) {
	k := Twelfth(angle)
	exact := k * math.Pi / 12
	diff := math.Abs(angle - exact)
	if diff > SnapTolerance || math.Abs(k) > 1<<20 {
		return angle, ""
	}
	if diff <= 4e-16*math.Max(1, math.Abs(angle)) {
		return angle, ""
	}
	return exact, fmt.Sprintf("%g as %s", angle, TwelfthText(int(k)))
}

// TwelfthText writes k·π/12 as a fraction in lowest terms.
func TwelfthText(k int) string {
	if k == 0 {
		return "0"
	}
	d := 12
	for _, p := range []int{2, 2, 3} {
		if k%p == 0 && d%p == 0 {
			k, d = k/p, d/p
		}
	}
	s := "π"
	switch k {
	case 1:
	case -1:
		s = "-π"
	default:
		s = fmt.Sprintf("%dπ", k)
	}
	if d > 1 {
		s += fmt.Sprintf("/%d", d)
	}
	return s
}

// RPYRotation returns the rotation of URDF's fixed-axis roll, pitch and yaw,
// Rot(z,yaw)·Rot(y,pitch)·Rot(x,roll).
func RPYRotation(rpy [3]float64) [3][3]float64 {
	sr, cr := Sincos(rpy[0])
	sp, cp := Sincos(rpy[1])
	sy, cy := Sincos(rpy[2])
	return [3][3]float64{
		{cy * cp, cy*sp*sr - sy*cr, cy*sp*cr + sy*sr},
		{sy * cp, sy*sp*sr + cy*cr, sy*sp*cr - cy*sr},
		{-sp, cp * sr, cp * cr},
	}
}

// RotationRPY returns the inverse of RPYRotation. Roll is that of the rotation left
// after undoing the yaw, so that the three together stay accurate to rounding at a
// pitch of ±π/2, where neither is determined alone.
func RotationRPY(r [3][3]float64) [3]float64 {
	cp := math.Hypot(r[0][0], r[1][0])
	pitch := math.Atan2(-r[2][0], cp)
	yaw := 0.0
	if cp > 1e-15 {
		yaw = math.Atan2(r[1][0], r[0][0])
	}
	sy, cy := Sincos(yaw)
	roll := math.Atan2(sy*r[0][2]-cy*r[1][2], cy*r[1][1]-sy*r[0][1])
	return [3]float64{roll + 0, pitch + 0, yaw + 0}
}

// AlignZ returns a rotation whose third column is the unit vector a: the axes
// of a link frame whose z is the joint's axis, in the axes of the file's own
// frame. Along a coordinate axis it is a permutation, so that its entries stay
// exactly 0 and ±1; elsewhere it is the smallest rotation that does it.
func AlignZ(a [3]float64) [3][3]float64 {
	switch a {
	case [3]float64{0, 0, 1}:
		return spatial.Eye()
	case [3]float64{1, 0, 0}:
		return [3][3]float64{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}
	case [3]float64{0, 1, 0}:
		return [3][3]float64{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}
	case [3]float64{0, 0, -1}, [3]float64{-1, 0, 0}, [3]float64{0, -1, 0}:
		r := AlignZ([3]float64{0 - a[0], 0 - a[1], 0 - a[2]})
		for i := range 3 { // a half-turn about x
			r[i][1], r[i][2] = 0-r[i][1], 0-r[i][2]
		}
		return r
	}
	// With h the distance from the z axis, 1/(1+c) = (1-c)/h² does not cancel
	// below the horizon; u and v are divided by h first so as not to underflow,
	// and grown by a power of two before, since numbers below 2^-1022 lose digits.
	x, y, c := a[0], a[1], a[2]
	u, v, k := x, y, 1/(1+c)
	if c < 0 {
		const grow = 0x1p200
		h := math.Hypot(grow*x, grow*y)
		u, v, k = grow*x/h, grow*y/h, 1-c
	}
	return [3][3]float64{
		{1 - k*u*u, 0 - k*u*v, x},
		{0 - k*u*v, 1 - k*v*v, y},
		{0 - x, 0 - y, c},
	}
}
