package shapes

import (
	"math"

	"ident/internal/spatial"
	"ident/robot"
)

// Sizes of the body that Envelope returns.
const (
	envelopeDensity = 1200  // kg/m³: aluminium housings, motors, gears and air
	leastRadius     = 0.040 // m
	tipLength       = 0.080 // m, of a link that no joint follows
	slenderness     = 5     // length over radius
)

// Envelope returns a body for a link of which nothing is known but its joints, in frame j: a cylinder from the link's
// own joint to the farthest joint that follows, or along the joint's axis if none follows. Its radius is a fifth of its
// length or 40 mm, and it is longer than that distance by its diameter. A joint is taken halfway along the offset of
// its frame on its own axis, since files put the frame at either end. The mass is right to a factor of two or so for
// arms; give the total mass where it is known.
func Envelope(r *robot.Robot, link int) robot.Inertial {
	from := spatial.Vec{0, 0, -offset(r.Links[link].Placement) / 2}
	to := spatial.Vec{0, 0, tipLength}
	farthest := -1.0
	for j := range r.Links {
		l := &r.Links[j]
		if l.Antecedent != link {
			continue
		}
		at, half := l.Placement.P, offset(l.Placement)/2
		for i := range at {
			at[i] -= half * l.Placement.R[i][2]
		}
		if d := norm(less(at, from)); d > farthest {
			to, farthest = at, d
		}
	}
	middle := spatial.Vec{(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2}
	to = less(to, from)
	length := norm(to)
	radius := max(leastRadius, length/slenderness)
	whole := length + 2*radius
	mass := envelopeDensity * math.Pi * radius * radius * whole
	along := [3]float64{0, 0, 1}
	if length > 0 {
		for i := range along {
			along[i] = to[i] / length
		}
	}
	across, axial := radius*radius/4, whole*whole/12 // second moments over the mass
	var central spatial.Mat
	for a := range 3 {
		for b := range 3 {
			central[a][b] = -mass * (axial - across) * along[a] * along[b]
		}
		central[a][a] += mass * (across + axial) // trace less the moment
	}
	return robot.InertialFromCentral(mass, middle, central)
}

func norm(v spatial.Vec) float64 { return math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2]) }

func less(a, b spatial.Vec) spatial.Vec { return spatial.Vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// offset of a frame's origin along its own z axis.
func offset(t robot.Transform) float64 {
	return t.P[0]*t.R[0][2] + t.P[1]*t.R[1][2] + t.P[2]*t.R[2][2]
}
