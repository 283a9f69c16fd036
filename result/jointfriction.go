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
	return regressor.TermsWith(func(t regressor.Traits) bool { return t.File })
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
				j.add(c, id.Value(c), velocity[j.Name])
			}
		}
		if found {
			out = append(out, j)
		}
	}
	return out, nil
}

// add puts a parameter into the law. A term that changes with time since the run began is in the law of warm gears alone.
func (j *JointFriction) add(c regressor.Column, v, stribeck float64) {
	if info, _ := regressor.Info(c.Term); info.Needs&regressor.NeedTime != 0 {
		j.Warm = true
	} else {
		j.Cold.add(c, v, stribeck)
	}
	j.Law.add(c, v, stribeck)
}

func (l *FrictionLaw) add(c regressor.Column, v, stribeck float64) {
	switch torque := c.Sliding(stribeck); {
	case torque == nil || v == 0:
	case c.Like() == regressor.Fv:
		l.Viscous += v
	case c.Like() == regressor.Fs:
		l.Dry += v
	default:
		l.Further = append(l.Further, FrictionPart{Name: c.Name, Value: v, Torque: torque})
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
