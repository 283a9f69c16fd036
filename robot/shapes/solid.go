package shapes

import (
	"fmt"
	"math"
)

// Solid is a homogeneous body in a frame of its own.
type Solid interface {
	// Unit returns the solid at a density of 1 kg/m³.
	Unit() Unit
	// Check returns an error that says why no body has these sizes, nil if one has.
	Check() error
	// Kind is the solid's name in a robot file.
	Kind() string
}

// Unit is a solid of density one: its volume, m³, the height of its centroid along z, m, and its moments of
// inertia about the centroid along its axes, m⁵. Products are zero.
type Unit struct {
	Volume, Height float64
	Moments        [3]float64
}

// less takes a hollow with the same centroid out of a solid.
func (u Unit) less(hollow Unit) Unit {
	u.Volume -= hollow.Volume
	for i := range u.Moments {
		u.Moments[i] -= hollow.Moments[i]
	}
	return u
}

// Box has edges along its axes, m.
type Box struct{ X, Y, Z float64 }

// Kind is "box".
func (Box) Kind() string { return "box" }

// Check returns an error unless the three edges are positive.
func (b Box) Check() error { return positive("edges", b.X, b.Y, b.Z) }

// Unit returns the volume V = xyz and the moments V(y² + z²)/12, V(x² + z²)/12 and V(x² + y²)/12.
func (b Box) Unit() Unit {
	v, x, y, z := b.X*b.Y*b.Z, b.X*b.X, b.Y*b.Y, b.Z*b.Z
	return Unit{Volume: v, Moments: [3]float64{v * (y + z) / 12, v * (x + z) / 12, v * (x + y) / 12}}
}

// Cylinder is along z, m.
type Cylinder struct{ Radius, Length float64 }

// Kind is "cylinder".
func (Cylinder) Kind() string { return "cylinder" }

// Check returns an error unless radius and length are positive.
func (c Cylinder) Check() error { return positive("radius and length", c.Radius, c.Length) }

// Unit returns the volume V = πr²l and the moments V(3r² + l²)/12, the same, and Vr²/2 about z.
func (c Cylinder) Unit() Unit {
	v, r, l := math.Pi*c.Radius*c.Radius*c.Length, c.Radius*c.Radius, c.Length*c.Length
	return Unit{Volume: v, Moments: [3]float64{v * (3*r + l) / 12, v * (3*r + l) / 12, v * r / 2}}
}

// Tube is circular, along z; radii, m.
type Tube struct{ Outer, Inner, Length float64 }

// Kind is "tube".
func (Tube) Kind() string { return "tube" }

// Check returns an error unless 0 ≤ inner < outer and the length is positive.
func (t Tube) Check() error {
	if !(t.Inner >= 0) || !(t.Inner < t.Outer) {
		return fmt.Errorf("the inner radius, %g m, must be below the outer, %g m, and not negative", t.Inner, t.Outer)
	}
	return positive("radius and length", t.Outer, t.Length)
}

// Unit returns the difference of two cylinders.
func (t Tube) Unit() Unit {
	return Cylinder{t.Outer, t.Length}.Unit().less(Cylinder{t.Inner, t.Length}.Unit())
}

// RectangularTube is along z, with outer edges along x and y and a wall of constant thickness, m.
type RectangularTube struct{ X, Y, Wall, Length float64 }

// Kind is "rectangular_tube".
func (RectangularTube) Kind() string { return "rectangular_tube" }

// Check returns an error unless all sizes are positive and the wall is at most half the smaller edge.
func (t RectangularTube) Check() error {
	if err := positive("edges, wall and length", t.X, t.Y, t.Wall, t.Length); err != nil {
		return err
	}
	if 2*t.Wall > math.Min(t.X, t.Y) {
		return fmt.Errorf("two walls of %g m do not fit into the edges %g and %g m", t.Wall, t.X, t.Y)
	}
	return nil
}

// Unit returns the difference of two boxes.
func (t RectangularTube) Unit() Unit {
	return Box{t.X, t.Y, t.Length}.Unit().less(Box{t.X - 2*t.Wall, t.Y - 2*t.Wall, t.Length}.Unit())
}

// Sphere has its centre at the origin, m.
type Sphere struct{ Radius float64 }

// Kind is "sphere".
func (Sphere) Kind() string { return "sphere" }

// Check returns an error unless the radius is positive.
func (s Sphere) Check() error { return positive("radius", s.Radius) }

// Unit returns V = 4πr³/3 and 2Vr²/5.
func (s Sphere) Unit() Unit {
	v := 4 * math.Pi * s.Radius * s.Radius * s.Radius / 3
	i := 2 * v * s.Radius * s.Radius / 5
	return Unit{Volume: v, Moments: [3]float64{i, i, i}}
}

// Capsule is a cylinder along z with a half sphere on each end, m. Length is that of the cylinder.
type Capsule struct{ Radius, Length float64 }

// Kind is "capsule".
func (Capsule) Kind() string { return "capsule" }

// Check returns an error unless the radius is positive and the length is not negative.
func (c Capsule) Check() error {
	if !(c.Length >= 0) {
		return fmt.Errorf("the length, %g m, must not be negative", c.Length)
	}
	return positive("radius", c.Radius)
}

// Unit returns the volume and the moments for unit density: those of a cylinder and of two half spheres, whose
// centroids lie 3r/8 beyond its ends.
func (c Capsule) Unit() Unit {
	u, ends := Cylinder(c).Unit(), Sphere{c.Radius}.Unit()
	u.Volume += ends.Volume
	across := ends.Moments[0] + ends.Volume*(c.Length*c.Length/4+3*c.Length*c.Radius/8)
	for i, v := range [3]float64{across, across, ends.Moments[2]} {
		u.Moments[i] += v
	}
	return u
}

// Frustum is a cone along z cut by a plane, or a whole one with Top zero; the frame's origin is halfway
// between its faces; radii of the faces at −Length/2 and Length/2, m.
type Frustum struct{ Bottom, Top, Length float64 }

// Kind is "cone".
func (Frustum) Kind() string { return "cone" }

// Check returns an error unless no radius is negative, one is positive, and the length is positive.
func (f Frustum) Check() error {
	if !(f.Bottom >= 0) || !(f.Top >= 0) {
		return fmt.Errorf("the radii, %g and %g m, must not be negative", f.Bottom, f.Top)
	}
	return positive("larger radius and length", math.Max(f.Bottom, f.Top), f.Length)
}

// Unit integrates the discs of radius r(z): ∫πr², ∫πr²z, ∫πr⁴/4 + πr²z² and ∫πr⁴/2.
func (f Frustum) Unit() Unit {
	a, b, l := f.Bottom, f.Top, f.Length
	v := math.Pi * l * (a*a + a*b + b*b) / 3
	fourth := math.Pi * l * (a*a*a*a + a*a*a*b + a*a*b*b + a*b*b*b + b*b*b*b) / 5
	height := l * (a*a + 2*a*b + 3*b*b) / (4 * (a*a + a*b + b*b)) // of the centroid above the bottom
	across := fourth/4 + math.Pi*l*l*l*(a*a+3*a*b+6*b*b)/30 - v*height*height
	return Unit{Volume: v, Height: height - l/2, Moments: [3]float64{across, across, fourth / 2}}
}

// Point is a mass without extent; it needs a mass, as it has no volume.
type Point struct{}

// Kind is "point".
func (Point) Kind() string { return "point" }

// Check returns nil.
func (Point) Check() error { return nil }

// Unit has no volume.
func (Point) Unit() Unit { return Unit{} }

func positive(name string, sizes ...float64) error {
	for _, v := range sizes {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("%s must be positive, m; one is %g", name, v)
		}
	}
	return nil
}
