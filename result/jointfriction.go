package result

import (
	"math"
	"slices"

	"ident/regressor"
	"ident/robot"
)

// JointFriction is the friction law that a fit found for a joint.
type JointFriction struct {
	Name string
	Link int // index into the identified robot's links
	Law  FrictionLaw
	// Warm says that the law holds for warm gears; Cold is then the law at the start.
	Warm bool
	Cold FrictionLaw
}

// FrictionLawTerms returns the friction terms that the laws consist of.
func FrictionLawTerms() []regressor.Term {
	return []regressor.Term{regressor.Fv, regressor.Fs, regressor.Asymmetric, regressor.Stribeck, regressor.StribeckV, regressor.Quadratic, regressor.Warming}
}

// FrictionLaws returns the friction laws that the fit identified, in the order of the links. fitted is the robot of
// the fit, with the terms of its model.
func FrictionLaws(id *Identified, fitted *robot.Robot, terms []regressor.Term) ([]JointFriction, error) {
	velocity := map[string]float64{}
	for _, t := range terms {
		if t.Name() != regressor.Stribeck {
			continue
		}
		v, err := regressor.StribeckVelocities(fitted, t)
		if err != nil {
			return nil, err
		}
		for k, link := range fitted.Independent() {
			velocity[fitted.Links[link].Joint.Name] = v[k]
		}
	}
	var out []JointFriction
	for i := range id.Robot.Links {
		j := JointFriction{Name: id.Robot.Links[i].Joint.Name, Link: i}
		found := false
		for _, c := range id.Drives {
			if c.Owner == j.Name && slices.Contains(FrictionLawTerms(), c.Term) {
				found = true
				j.add(c, id.Value(c))
			}
		}
		if found {
			j.Law.StribeckVelocity, j.Cold.StribeckVelocity = velocity[j.Name], velocity[j.Name]
			if j.Law.Stribeck == 0 {
				j.Law.StribeckVelocity, j.Cold.StribeckVelocity = 0, 0
			}
			out = append(out, j)
		}
	}
	return out, nil
}

// add puts a parameter into the law.
func (j *JointFriction) add(c regressor.Column, v float64) {
	both := func(of func(l *FrictionLaw) *float64) {
		*of(&j.Law) += v
		*of(&j.Cold) += v
	}
	switch c.Term {
	case regressor.Fv:
		both(func(l *FrictionLaw) *float64 { return &l.Viscous })
	case regressor.Fs:
		both(func(l *FrictionLaw) *float64 { return &l.Dry })
	case regressor.Asymmetric:
		both(func(l *FrictionLaw) *float64 {
			return [4]*float64{&l.ViscousUp, &l.ViscousDown, &l.DryUp, &l.DryDown}[c.Param]
		})
	case regressor.Stribeck:
		both(func(l *FrictionLaw) *float64 { return &l.Stribeck })
	case regressor.Quadratic:
		both(func(l *FrictionLaw) *float64 { return &l.Quadratic })
	case regressor.Warming:
		switch j.Warm = true; c.Param {
		case 0:
			j.Law.Viscous += v
		case 1:
			j.Law.Dry += v
		}
	}
}

// DefaultFrictionSpeed is the speed of a comparison where the robot file gives the joint no velocity limit, rad/s or m/s.
const DefaultFrictionSpeed = 1

// FrictionSpeed returns the velocity limit of a joint, or DefaultFrictionSpeed.
func FrictionSpeed(j *robot.Joint) float64 {
	if j.Velocity > 0 && !math.IsInf(j.Velocity, 0) {
		return j.Velocity
	}
	return DefaultFrictionSpeed
}
