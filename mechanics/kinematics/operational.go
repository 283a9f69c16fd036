package kinematics

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ident/internal/angles"
	"ident/internal/spatial"
)

// Angles says by which numbers an orientation is described.
type Angles int

// The descriptions of an orientation. Their rates are Ω·ω, with the angular velocity ω along the axes in which the
// orientation is given.
const (
	EulerAngles  Angles = iota // φ, θ, ψ of rot(z,φ)·rot(x,θ)·rot(z,ψ), rad; singular where θ is 0 or π
	RPYAngles                  // φ, θ, ψ of rot(z,φ)·rot(y,θ)·rot(x,ψ), rad; singular where θ is ±π/2
	ByQuaternion               // q0 ≥ 0 (the cosine of half the angle), q1, q2, q3; never singular
)

var anglesNames = []string{"euler", "rpy", "quaternion"}

// String returns the name of a description.
func (a Angles) String() string { return anglesNames[a] }

// ParseAngles reads the name of a description: euler, rpy or quaternion.
func ParseAngles(name string) (Angles, error) {
	if i := slices.Index(anglesNames, name); i >= 0 {
		return Angles(i), nil
	}
	return 0, fmt.Errorf("%q is no description of an orientation; they are %s", name, strings.Join(anglesNames, ", "))
}

// Of returns the numbers that describe an orientation. At a singular one the last angle is zero.
func (a Angles) Of(r [3][3]float64) []float64 {
	switch a {
	case ByQuaternion:
		q := angles.Quaternion(r)
		return q[:]
	case RPYAngles:
		level := math.Hypot(r[0][0], r[1][0])
		theta := math.Atan2(-r[2][0], level)
		if level < rankTolerance {
			return []float64{math.Atan2(-r[0][1], r[1][1]), theta, 0}
		}
		return []float64{math.Atan2(r[1][0], r[0][0]), theta, math.Atan2(r[2][1], r[2][2])}
	}
	tilt := math.Hypot(r[0][2], r[1][2])
	theta := math.Atan2(tilt, r[2][2])
	if tilt < rankTolerance {
		return []float64{math.Atan2(r[1][0], r[0][0]), theta, 0}
	}
	return []float64{math.Atan2(r[0][2], -r[1][2]), theta, math.Atan2(r[2][0], r[2][1])}
}

// ErrSingularAngles is wrapped by the errors for orientations at which the rates of the angles are not determined.
var ErrSingularAngles = errors.New("the angles are singular there")

// Rates returns Ω, 3×3 or 4×3 of a quaternion, at an orientation: the rates of the description are Ω·ω.
func (a Angles) Rates(r [3][3]float64) (*mat.Dense, error) {
	switch a {
	case ByQuaternion:
		q := angles.Quaternion(r)
		return mat.NewDense(4, 3, []float64{
			-q[1] / 2, -q[2] / 2, -q[3] / 2,
			q[0] / 2, q[3] / 2, -q[2] / 2,
			-q[3] / 2, q[0] / 2, q[1] / 2,
			q[2] / 2, -q[1] / 2, q[0] / 2,
		}), nil
	case RPYAngles:
		c := math.Hypot(r[0][0], r[1][0])
		if c < rankTolerance {
			return nil, fmt.Errorf("kinematics: pitch is %.6g°: %w; take Euler angles or a quaternion", math.Copysign(90, -r[2][0]), ErrSingularAngles)
		}
		s, cf, sf := -r[2][0], r[0][0]/c, r[1][0]/c
		return mat.NewDense(3, 3, []float64{cf * s / c, sf * s / c, 1, -sf, cf, 0, cf / c, sf / c, 0}), nil
	}
	s := math.Hypot(r[0][2], r[1][2])
	if s < rankTolerance {
		return nil, fmt.Errorf("kinematics: the second Euler angle is %.6g°: %w; take roll, pitch and yaw or a quaternion", 90-math.Copysign(90, r[2][2]), ErrSingularAngles)
	}
	c, sf, cf := r[2][2], r[0][2]/s, -r[1][2]/s
	return mat.NewDense(3, 3, []float64{-sf * c / s, cf * c / s, 1, cf, sf, 0, sf / s, -cf / s, 0}), nil
}

// Operational returns the Jacobian of operational coordinates, the position and the description of an orientation r along the
// Jacobian's axes: 6 rows, or 7 of a quaternion, one column per coordinate.
func (j Jacobian) Operational(a Angles, r [3][3]float64) (*mat.Dense, error) {
	omega, err := a.Rates(r)
	if err != nil {
		return nil, err
	}
	rows, _ := omega.Dims()
	out := mat.NewDense(3+rows, len(j), nil)
	full := j.Dense()
	out.Slice(0, 3, 0, len(j)).(*mat.Dense).Copy(full.Slice(0, 3, 0, len(j)))
	out.Slice(3, 3+rows, 0, len(j)).(*mat.Dense).Mul(omega, full.Slice(3, 6, 0, len(j)))
	return out, nil
}

// SingularRatesError says that no rates of the joints give a twist, as J has lost rank.
type SingularRatesError struct{ Lost []Twist }

func (e *SingularRatesError) Error() string {
	var list []string
	for _, l := range e.Lost {
		list = append(list, fmt.Sprintf("(%.3g %.3g %.3g; %.3g %.3g %.3g)", l.Linear[0], l.Linear[1], l.Linear[2], l.Angular[0], l.Angular[1], l.Angular[2]))
	}
	return fmt.Sprintf("kinematics: the state is singular: no rates of the joints give the motion along %s (linear; angular)", strings.Join(list, ", "))
}

// Rates returns the rates of redundant joints with the twist v in the components of mask,
//
//	dq = J⁺·v + (I − J⁺·J)·z
//
// where z is the motion that a secondary criterion asks for, minus its gradient, or nil for the least rates. Lengths are in units of
// length, m. The error is a *SingularRatesError where J has lost rank.
func (j Jacobian) Rates(v Twist, mask Mask, length float64, z []float64) ([]float64, error) {
	if z != nil && len(z) != len(j) {
		panic(fmt.Sprintf("kinematics: a secondary motion of %d rates for %d joints", len(z), len(j)))
	}
	d := j.Dexterity(mask, length)
	if d.Rank < mask.Rows() {
		return nil, &SingularRatesError{d.Lost}
	}
	full := j.Dense()
	a, b := mat.NewDense(mask.Rows(), len(j), nil), mat.NewVecDense(mask.Rows(), nil)
	at := 0
	for i, on := range mask {
		if !on {
			continue
		}
		x := v.Angular
		unit := 1.0
		if i < 3 {
			x, unit = v.Linear, length
		}
		b.SetVec(at, x[i%3]/unit)
		for k := range j {
			a.Set(at, k, full.At(i, k)/unit)
		}
		at++
	}
	own := mat.NewVecDense(len(j), nil)
	if z != nil {
		copy(own.RawVector().Data, z)
		var moved mat.VecDense
		moved.MulVec(a, own)
		b.SubVec(b, &moved)
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		panic("kinematics: no singular values of a Jacobian that is not finite")
	}
	var least mat.VecDense
	svd.SolveVecTo(&least, b, d.Rank)
	own.AddVec(own, &least)
	return own.RawVector().Data, nil
}

// Rotation returns the orientation that numbers describe; it panics where their number is not that of the description.
func (a Angles) Rotation(x []float64) [3][3]float64 {
	if want := map[bool]int{true: 4, false: 3}[a == ByQuaternion]; len(x) != want {
		panic(fmt.Sprintf("kinematics: %d numbers for an orientation by %s", len(x), a))
	}
	switch a {
	case ByQuaternion:
		r, _ := angles.Rotation([4]float64(x))
		return r
	case RPYAngles:
		return spatial.Mul(spatial.RotZ(x[0]), spatial.Mul(spatial.RotY(x[1]), spatial.RotX(x[2])))
	}
	return spatial.Mul(spatial.RotZ(x[0]), spatial.Mul(spatial.RotX(x[1]), spatial.RotZ(x[2])))
}
