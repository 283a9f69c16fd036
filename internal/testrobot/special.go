package testrobot

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ident/robot"
)

// RandomSpecial returns a tree of n links like Random, with the coincidences
// that real robots are full of: axes parallel, perpendicular, intersecting and
// in line with gravity. Angles are multiples of π/2 or, now and then, free;
// offsets are often zero.
func RandomSpecial(rng *rand.Rand, n int, fixed bool) *robot.Robot {
	quarter := func() float64 {
		if rng.Float64() < 0.1 {
			return rng.NormFloat64()
		}
		return float64(rng.IntN(4)-1) * math.Pi / 2
	}
	length := func() float64 {
		if rng.Float64() < 0.6 {
			return 0
		}
		return rng.NormFloat64() * 0.4
	}
	var frames []robot.MDHFrame
	for j := range n {
		f := robot.MDHFrame{Antecedent: j - 1, Kind: robot.Revolute, Alpha: quarter(), D: length(), Theta: quarter(), R: length()}
		switch p := rng.Float64(); {
		case p < 0.3:
			f.Kind = robot.Prismatic
		case p < 0.4 && fixed && j > 0:
			f.Kind = robot.Fixed
		}
		if rng.Float64() < 0.3 {
			f.Alpha = 0
		}
		if j > 1 && rng.Float64() < 0.3 {
			f.Antecedent = rng.IntN(j) - 1
		}
		if rng.Float64() < 0.3 {
			f.Gamma, f.B = quarter(), length()
		}
		frames = append(frames, f)
	}
	r := robot.FromMDH(fmt.Sprintf("special%d", n), frames)
	for j := range r.Links {
		r.Links[j].Inertial = Body(rng)
		r.Links[j].Own, r.Links[j].HasInertial = r.Links[j].Inertial, true
	}
	switch rng.IntN(6) {
	case 0:
		r.Gravity = [3]float64{}
	case 1:
		r.Gravity = [3]float64{9.81, 0, 0}
	case 2:
		r.Gravity = [3]float64{1, -2, -9}
	}
	return r
}
