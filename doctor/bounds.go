package doctor

import (
	"math"

	"ident/datasets"
	"ident/robot"
)

// Multiples of the robot's own limits beyond which a value is not a measurement. They leave room for wrong units and
// motor-side signals, which have their own checks and affect most rows, not a few.
const (
	positionFactor = 20
	velocityFactor = 50
	effortFactor   = 100
)

// bound returns the magnitude beyond which a value of a channel cannot be a measurement.
func bound(j *robot.Joint, as role) float64 {
	pick := func(limit, factor, otherwise float64) float64 {
		if limit > 0 && !math.IsInf(limit, 0) {
			return factor * limit
		}
		return otherwise
	}
	switch as {
	case position:
		limit := math.Max(math.Abs(j.Lower), math.Abs(j.Upper)) // NaN where there are none
		if j.Kind == robot.Revolute {
			limit = math.Max(limit, math.Pi)
		}
		return pick(limit, positionFactor, 1e5)
	case velocity:
		return pick(j.Velocity, velocityFactor, 1e5)
	case torque:
		return pick(j.Effort, effortFactor, 1e6)
	case current:
		return 1e6
	}
	return 1e8
}

// Bounds returns, for every channel in roles, the magnitude beyond which its values are absurd: many times the joint's
// limit, or, if the robot file has none, a figure that no robot reaches. A few rows beyond it are spikes of severity
// Error; many mean a wrong unit.
func Bounds(r *robot.Robot, roles datasets.Roles) map[string]float64 {
	m := map[string]float64{}
	links := r.Moving()
	if len(roles.Q) != len(links) {
		links = r.Independent()
	}
	for i, link := range links {
		for as, names := range [][]string{position: roles.Q, velocity: roles.DQ, acceleration: roles.DDQ, torque: roles.Tau, current: roles.Current} {
			if i < len(names) && names[i] != "" {
				m[names[i]] = bound(&r.Links[link].Joint, role(as))
			}
		}
	}
	return m
}

// LowerBound lowers the bound of a [Saturated] torque to just below its extreme. Rows there show the limit of a drive or
// sensor, not the torque of the motion. Other findings change nothing.
func (f *Finding) LowerBound(bounds map[string]float64) {
	if f.ID == Saturated {
		bounds[f.Channel] = math.Abs(f.Value) * (1 - 1e-9) // printed values are exact to less
	}
}
