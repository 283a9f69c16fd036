package baseparams

import (
	"math"

	"ident/internal/spatial"
	"ident/regressor"
	"ident/robot"
)

// shape is the place of a link relative to the revolute joints of its path from the base, which the symbolic rules need.
type shape struct {
	kind   robot.Kind
	ant    int
	first  int  // r1, the first revolute joint of the path, itself included; -1 for none
	last   int  // the last revolute joint of the path, itself included; -1 for none
	before bool // every revolute joint of the path is parallel to r1: the link is before r2
	second bool // the joint is r2, the first one not parallel to r1
	square bool // the joint's axis is perpendicular to r1's
	along  bool // the joint's axis is parallel to r1's
	base   bool // only fixed joints come before this one
	level  bool // the joint's axis is perpendicular to gravity at q = 0
	// straight says that no joint of the path changes the direction of gravity or moves the link's origin off a line
	// along it: all axes are parallel to gravity, and the revolute ones lie on one line.
	straight bool

	r1    spatial.Vec // axis of r1 in this frame
	axis  spatial.Vec // axis of the path's first moving joint in this frame
	point spatial.Vec // this origin from a point of r1's axis
	g     spatial.Vec // direction of gravity at q = 0, zero without gravity
	moves bool        // some joint of the path moves
}

// coincident is the size below which a sine, a cosine or an offset (relative to the robot's largest) counts as zero for
// the rules. Readers snap rounded angles to 1e-16, and thirty placements add 30·4·ε = 3e-14; measured geometry is
// coarser than 1e-6.
const coincident = 1e-9

func shapes(r *robot.Robot) []shape {
	length := 0.0
	for j := range r.Links {
		length = max(length, spatial.Norm(r.Links[j].Placement.P))
	}
	off := func(v spatial.Vec) bool { return spatial.Norm(v) > coincident }
	z := spatial.Vec{0, 0, 1}
	out := make([]shape, len(r.Links))
	for j := range r.Links {
		l := &r.Links[j]
		from := shape{first: -1, last: -1, before: true, straight: true, g: unit(r.Gravity)}
		if l.Antecedent >= 0 {
			from = out[l.Antecedent]
		}
		turn := func(v spatial.Vec) spatial.Vec { return spatial.MulTVec(l.Placement.R, v) }
		s := shape{kind: l.Joint.Kind, ant: l.Antecedent, first: from.first, last: from.last, before: from.before, straight: from.straight,
			base: !from.moves, moves: from.moves, r1: turn(from.r1), axis: turn(from.axis), point: turn(spatial.Add(from.point, l.Placement.P)), g: turn(from.g)}
		if s.kind != robot.Fixed {
			s.level = math.Abs(spatial.Dot(s.g, z)) <= coincident
			if off(spatial.Cross(s.g, z)) || s.moves && off(spatial.Cross(s.axis, z)) {
				s.straight = false
			}
			if !s.moves {
				s.axis, s.moves = z, true
			}
		}
		if s.kind == robot.Revolute && s.first < 0 {
			s.first, s.r1, s.point = j, z, spatial.Vec{}
		}
		s.square = math.Abs(spatial.Dot(s.r1, z)) <= coincident
		s.along = !off(spatial.Cross(s.r1, z))
		if s.kind == robot.Revolute {
			s.last = j
			s.second = from.before && !s.along
			s.before = from.before && s.along
			if spatial.Norm(spatial.Cross(s.point, z)) > coincident*length {
				s.straight = false
			}
		}
		out[j] = s
	}
	return out
}

func unit(v spatial.Vec) spatial.Vec {
	n := spatial.Norm(v)
	if n == 0 {
		return v
	}
	return spatial.Scale(1/n, v)
}

// reason returns why a parameter of the links is not identifiable alone, "" if the rules give no reason.
func (s *shape) reason(col *regressor.Column) string {
	if col.Term == regressor.Ia {
		switch {
		case s.kind == robot.Revolute && (s.before || s.second && s.square):
			return "the rotor and the link turn about the joint's axis at the same rate"
		case s.kind == robot.Prismatic && s.base && s.level:
			return "the rotor and the link's mass resist the same motion, and gravity does not act along it"
		}
		return ""
	}
	if col.Term != regressor.Links {
		return ""
	}
	p := col.Param
	switch {
	case !s.moves:
		return "the link does not move"
	case s.kind == robot.Fixed:
		return "a fixed joint makes the link one body with the one that carries it"
	case s.first < 0 && p <= robot.ZZ:
		return "the link never turns"
	case s.first < 0 && p != robot.M:
		return "the link never turns, so its mass acts as if at the frame's origin"
	case s.kind == robot.Prismatic && p <= robot.ZZ:
		return "the link turns as the one that carries it does"
	case s.kind == robot.Prismatic && s.before && s.along && p != robot.M:
		return "the joint slides along the only direction that the link turns about"
	case s.kind == robot.Prismatic && s.before && p != robot.M:
		return "a first moment along the only direction that the link turns about has no effect"
	case s.kind == robot.Prismatic:
		return ""
	case s.before && p < robot.ZZ:
		return "the link turns about one direction only, and the inertia about it is ZZ"
	case s.before && s.straight && (p == robot.MX || p == robot.MY):
		return "the joint's axis neither moves sideways nor tilts against gravity, so an eccentric mass only adds to the inertia about it"
	case p == robot.YY:
		return "turning about the joint's axis, the link shows XX - YY only; the sum acts as an inertia of the link that carries it"
	case p == robot.MZ || p == robot.M:
		return "mass on the joint's axis moves as if it were part of the link that carries it"
	}
	return ""
}
