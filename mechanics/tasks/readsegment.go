package tasks

import (
	"errors"
	"fmt"
	"strings"
)

// take reads a segment; settings that it lacks come from the task.
func (s *segment) take(all *defaults) (out Segment, err error) {
	out.Row, out.Relative, out.Through, out.Blend = s.line, s.Relative, s.Through, float64(s.Blend)
	out.Least, out.Time = s.Time.least, float64(s.Time.s)
	given := 0
	kind := func(on bool, k Kind) {
		if on {
			given++
			out.Kind = k
		}
	}
	kind(s.Line != nil, Line)
	kind(s.Arc != nil, Arc)
	kind(s.Point != nil, Point)
	kind(s.Wait != 0, Wait)
	if given == 0 {
		kind(len(s.Joints) > 0, Joints)
	}
	if given != 1 {
		return out, fmt.Errorf("give one of line, arc, point, wait, or joints alone")
	}
	own := s.defaults
	if own.Profile == "" {
		own.Profile = all.Profile
	}
	if own.Profile != "" {
		if out.Profile, err = ParseProfile(own.Profile); err != nil {
			return out, err
		}
	}
	paced := s.Time.s == 0 && !s.Time.least && (out.Kind == Line || out.Kind == Arc)
	if own.Speed == 0 && paced {
		own.Speed, own.Acceleration = all.Speed, max(own.Acceleration, all.Acceleration)
		if out.Profile != Trapezoidal {
			own.Acceleration = s.defaults.Acceleration
		}
	}
	out.Speed, out.Acceleration = float64(own.Speed), float64(own.Acceleration)
	if own.Orientation == nil && out.Kind != Joints && out.Kind != Wait {
		own.Orientation = all.Orientation
	}
	if out.Orientation, err = own.Orientation.take(); err != nil {
		return out, err
	}
	if own.Joints == nil && out.Kind != Wait {
		own.Joints = all.Joints
	}
	out.Joints = plainMap(own.Joints)
	if own.Components == "" {
		own.Components = all.Components
	}
	for _, c := range own.Components {
		i := strings.IndexRune("xyz", c)
		if i < 0 || out.Components[i] {
			return out, fmt.Errorf("components %q: must be a combination of x, y and z, for example xz", own.Components)
		}
		out.Components[i] = true
	}
	switch s.Coordinates {
	case "", "cartesian":
	case "cylindrical":
		out.Coordinates = Cylindrical
	case "spherical":
		out.Coordinates = Spherical
	default:
		return out, fmt.Errorf("coordinates %q: there are cartesian, cylindrical and spherical", s.Coordinates)
	}
	if out.Coordinates != Cartesian && (s.Relative || out.Kind != Line && out.Kind != Point) {
		return out, fmt.Errorf("%s coordinates can only be given for the end of a line or a point motion, and not relative to the start", s.Coordinates)
	}
	return out, s.place(&out)
}

// place reads the points of a segment.
func (s *segment) place(out *Segment) error {
	var errs []error
	switch out.Kind {
	case Line:
		errs = append(errs, s.Line.take("line", &out.To))
	case Point:
		errs = append(errs, s.Point.take("point", &out.To))
	case Wait:
		if out.Time != 0 || out.Least {
			return fmt.Errorf("wait: 0.5 is already a time: leave time out")
		}
		out.Time = float64(s.Wait)
	case Arc:
		a := s.Arc
		through := a.Via != nil && a.To != nil && a.Center == nil && a.Axis == nil && a.Angle == 0
		about := a.Via == nil && a.To == nil && a.Center != nil && a.Axis != nil && a.Angle != 0
		if !through && !about {
			return fmt.Errorf("arc: give via and to, or center, axis and angle")
		}
		if through {
			out.Via = new([3]float64)
			errs = append(errs, a.Via.take("via", out.Via))
		}
		out.Angle = float64(a.Angle)
		errs = append(errs, a.To.take("to", &out.To), a.Center.take("center", &out.Center), a.Axis.take("axis", &out.Axis))
	}
	return errors.Join(append(errs, s.Force.take("force", &out.Force))...)
}
