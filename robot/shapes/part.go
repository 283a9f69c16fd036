package shapes

import (
	"errors"
	"fmt"
	"math"

	"ident/internal/spatial"
	"ident/robot"
)

// Part is a solid on a body, with one of density and mass; both are zero where neither is known.
type Part struct {
	Solid   Solid
	At      robot.Transform // pose of the solid's frame in the body's frame
	Density float64         // kg/m³
	Mass    float64         // kg
}

// ErrNoDensity is matched by errors about a part without density and mass.
var ErrNoDensity = errors.New("neither density nor mass is known")

// Inertial returns the part's parameters in the frame of the body.
func (p Part) Inertial() (robot.Inertial, error) {
	if err := p.Solid.Check(); err != nil {
		return robot.Inertial{}, fmt.Errorf("%s: %w", p.Solid.Kind(), err)
	}
	u, density := p.Solid.Unit(), p.Density
	_, point := p.Solid.(Point)
	switch {
	case p.Mass != 0 && p.Density != 0:
		return robot.Inertial{}, fmt.Errorf("%s: give density or mass, not both", p.Solid.Kind())
	case !(p.Mass >= 0) || !(p.Density >= 0) || math.IsInf(p.Mass+p.Density, 0):
		return robot.Inertial{}, fmt.Errorf("%s: density %g kg/m³, mass %g kg; give a positive one", p.Solid.Kind(), p.Density, p.Mass)
	case point && p.Mass == 0:
		return robot.Inertial{}, fmt.Errorf("%s: a point has no volume; give its mass", p.Solid.Kind())
	case p.Mass == 0 && p.Density == 0:
		return robot.Inertial{}, fmt.Errorf("%s: %w", p.Solid.Kind(), ErrNoDensity)
	case p.Mass > 0 && !point:
		density = p.Mass / u.Volume
	}
	var central spatial.Mat
	for i := range central {
		central[i][i] = density * u.Moments[i]
	}
	mass := density * u.Volume
	if p.Mass > 0 {
		mass = p.Mass
	}
	return robot.InertialFromCentral(mass, [3]float64{0, 0, u.Height}, central).InFrame(p.At), nil
}

// Inertial returns the sum of parts.
func Inertial(parts []Part) (sum robot.Inertial, err error) {
	for i, p := range parts {
		own, err := p.Inertial()
		if err != nil {
			return sum, fmt.Errorf("shape %d: %w", i+1, err)
		}
		sum = sum.Add(own)
	}
	return sum, nil
}
