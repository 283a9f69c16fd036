package testrobot

import (
	"math"
	"math/rand/v2"

	"ident/robot"
)

// SevenElastic returns an arm of seven revolute joints with alternating axes, whose bodies, drives and springs shrink by
// a quarter from joint to joint. The joints given bend, numbered from 0, with the stiffness and damping of the first, in
// N·m/rad and N·m·s/rad, shrunk like the rest.
func SevenElastic(stiffness, damping float64, joints ...int) *robot.Robot {
	rng := rand.New(rand.NewPCG(7, 7))
	var frames []robot.MDHFrame
	for j := range 7 {
		f := robot.MDHFrame{Antecedent: j - 1}
		if j > 0 {
			f.Alpha = math.Pi / 2 * float64(1-2*(j%2))
		}
		if j%2 == 0 && j > 0 {
			f.R = 0.3
		}
		frames = append(frames, f)
	}
	r := robot.FromMDH("seven", frames)
	for j := range r.Links {
		l := &r.Links[j]
		size := math.Pow(0.75, float64(j))
		body := Body(rng)
		scale := 4 * size / body.Mass()
		for i := range body {
			body[i] *= scale
		}
		l.Inertial, l.Own, l.HasInertial = body, body, true
		l.Joint.Ia, l.Joint.Fv, l.Joint.Fs, l.Joint.Fo = 0.6*size, 2*size, 1.5*size, 0.2
	}
	for _, j := range joints {
		size := math.Pow(0.75, float64(j))
		r.Links[j].Joint.Elastic, r.Links[j].Joint.Elasticity = true, robot.Elasticity{Stiffness: stiffness * size, Damping: damping * size}
	}
	return r
}
