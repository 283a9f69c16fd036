package tasks

import "fmt"

// Profile is a law by which a path is passed from rest to rest.
type Profile int

// The profiles, with u the part of the time and s that of the path.
const (
	Quintic     Profile = iota // s = 10u³ − 15u⁴ + 6u⁵: velocity and acceleration are continuous
	Triangular                 // constant acceleration for half of the time, then constant deceleration
	Trapezoidal                // constant acceleration, constant velocity, constant deceleration
	Parabolic                  // s' = 6u·(1 − u)
)

var profileNames = []string{"quintic", "triangular", "trapezoidal", "parabolic"}

// String returns the profile's name.
func (p Profile) String() string { return profileNames[p] }

// ParseProfile reads a profile's name.
func ParseProfile(name string) (Profile, error) {
	for i, n := range profileNames {
		if n == name {
			return Profile(i), nil
		}
	}
	return 0, fmt.Errorf("tasks: %q is no profile; they are quintic, triangular, trapezoidal and parabolic", name)
}

// law is a profile with its shape.
type law struct {
	kind Profile
	ramp float64 // of Trapezoidal: part of the time in which it speeds up, above 0 and at most ½
}

// at returns the part of the path at a part of the time and its first two derivatives by that; where
// the second jumps, its value just after.
func (l law) at(u float64) (s, ds, dds float64) {
	r := l.ramp
	switch l.kind {
	case Triangular:
		r = 0.5
	case Parabolic:
		return u * u * (3 - 2*u), 6 * u * (1 - u), 6 - 12*u
	case Quintic:
		v := 1 - u
		return u * u * u * (10 - u*(15-6*u)), 30 * u * u * v * v, 60 * u * v * (1 - 2*u)
	}
	a := 1 / (r * (1 - r))
	switch {
	case u < r:
		return a * u * u / 2, a * u, a
	case u < 1-r:
		return (u - r/2) / (1 - r), 1 / (1 - r), 0
	}
	v := 1 - u
	return 1 - a*v*v/2, a * v, -a
}

// peak returns the largest velocity over the mean one.
func (l law) peak() float64 {
	switch l.kind {
	case Triangular:
		return 2
	case Parabolic:
		return 1.5
	case Quintic:
		return 15. / 8
	}
	return 1 / (1 - l.ramp)
}

// steepest returns the largest acceleration of a path of length 1 in a time of 1.
func (l law) steepest() float64 {
	switch l.kind {
	case Triangular:
		return 4
	case Parabolic:
		return 6
	case Quintic:
		return 10 / 1.7320508075688772 // at u = ½ ± 1/√12
	}
	return 1 / (l.ramp * (1 - l.ramp))
}

// breaks returns the parts of the time between which the profile is smooth.
func (l law) breaks() []float64 {
	switch {
	case l.kind == Triangular, l.kind == Trapezoidal && l.ramp == 0.5:
		return []float64{0, 0.5, 1}
	case l.kind == Trapezoidal:
		return []float64{0, l.ramp, 1 - l.ramp, 1}
	}
	return []float64{0, 1}
}
