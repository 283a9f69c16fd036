package doctor

import (
	"math"

	"ident/datasets"
	"ident/robot"
)

// How far beyond the robot's own limits a value must lie to be no measurement at all. The factors leave
// room for wrong units and for motor-side signals, which have checks of their own and concern most of
// the rows, not a few.
const (
	positionFactor = 20
	velocityFactor = 50
	effortFactor   = 100
)

// bound is the magnitude beyond which a value of a channel cannot have been measured.
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

// Bounds gives, for every channel that the roles name, the magnitude beyond which its values count as
// absurd: many times the joint's limit where the robot file has one, and a figure that no robot reaches
// where it has none. Rows beyond a bound are spikes of severity Error if they are few, and a question
// of units if they are many.
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

// LowerBound lowers the bound of a torque that is [Saturated] to just below the extreme at which it stands: rows there show the limit of
// a drive or sensor, not the torque that the motion took.
func (f *Finding) LowerBound(bounds map[string]float64) {
	if f.ID == Saturated {
		bounds[f.Channel] = math.Abs(f.Value) * (1 - 1e-9) // printed values are exact to less
	}
}
