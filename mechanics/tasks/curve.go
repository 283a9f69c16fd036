package tasks

import (
	"math"

	"ident/internal/spatial"
)

// curve is a path of the tip, as a function of a distance x from 0 to its length, m: position
// and the first two derivatives by x.
type curve interface {
	length() float64
	at(x float64) (p, d1, d2 spatial.Vec)
}

// line is a straight one; of length 0 it is a point.
type line struct {
	from, along spatial.Vec // along has unit length, or is zero
	far         float64
}

func newLine(from, to spatial.Vec) line {
	d := spatial.Sub(to, from)
	far := spatial.Norm(d)
	if far == 0 {
		return line{from: from}
	}
	return line{from, spatial.Scale(1/far, d), far}
}

func (l line) length() float64 { return l.far }

func (l line) at(x float64) (p, d1, d2 spatial.Vec) {
	return spatial.AddScaled(l.from, x, l.along), l.along, spatial.Vec{}
}

// arc is a part of a circle: center + radius·(u·cos(x/radius) + v·sin(x/radius)).
type arc struct {
	center, u, v  spatial.Vec // u and v have unit length and are perpendicular
	radius, angle float64     // m, rad
}

func (a arc) length() float64 { return a.radius * a.angle }

func (a arc) at(x float64) (p, d1, d2 spatial.Vec) {
	s, c := math.Sincos(x / a.radius)
	out := spatial.Add(spatial.Scale(c, a.u), spatial.Scale(s, a.v))
	d1 = spatial.Sub(spatial.Scale(c, a.v), spatial.Scale(s, a.u))
	return spatial.AddScaled(a.center, a.radius, out), d1, spatial.Scale(-1/a.radius, out)
}

// arcThrough returns the circle through three points, from the first over the second to the third. It is none where
// they are on a line: the height of the triangle is below 1e-9 of its side, where the radius has lost all digits that a
// task file gives.
func arcThrough(from, via, to spatial.Vec) (arc, bool) {
	a, b := spatial.Sub(via, from), spatial.Sub(to, from)
	n := spatial.Cross(a, b)
	area := spatial.Dot(n, n)
	la, lb := spatial.Dot(a, a), spatial.Dot(b, b)
	if !(area > 1e-18*la*lb) || lb == 0 {
		return arc{}, false
	}
	// The centre of the circumscribed circle: from + (|a|²·b − |b|²·a)×(a×b)/(2·|a×b|²).
	center := spatial.AddScaled(from, 1/(2*area), spatial.Cross(spatial.Sub(spatial.Scale(la, b), spatial.Scale(lb, a)), n))
	u := spatial.Sub(from, center)
	radius := spatial.Norm(u)
	u = spatial.Scale(1/radius, u)
	v := spatial.Cross(spatial.Scale(1/math.Sqrt(area), n), u)
	end := spatial.Sub(to, center)
	angle := math.Atan2(spatial.Dot(end, v), spatial.Dot(end, u))
	if angle <= 0 {
		angle += 2 * math.Pi
	}
	return arc{center, u, v, radius, angle}, true
}

// arcAbout returns the circle about an axis from a point, by an angle; a negative one goes the other way. It is none
// where the point is on the axis.
func arcAbout(from, center, axis spatial.Vec, angle float64) (arc, bool) {
	size := spatial.Norm(axis)
	if size == 0 || angle == 0 {
		return arc{}, false
	}
	axis = spatial.Scale(math.Copysign(1/size, angle), axis)
	d := spatial.Sub(from, center)
	d = spatial.AddScaled(d, -spatial.Dot(d, axis), axis)
	radius := spatial.Norm(d)
	if !(radius > 1e-9*spatial.Norm(spatial.Sub(from, center))) {
		return arc{}, false
	}
	u := spatial.Scale(1/radius, d)
	return arc{spatial.AddScaled(from, -radius, u), u, spatial.Cross(axis, u), radius, math.Abs(angle)}, true
}

// blended puts an arc into the corner of two lines that begins so far before it, m, as far as the arc ends after
// it. The lines must be longer than that.
func blended(a, b line, before float64) (line, arc, line) {
	from, to := spatial.AddScaled(a.from, a.far-before, a.along), spatial.AddScaled(b.from, before, b.along)
	turn := math.Acos(math.Max(-1, math.Min(1, spatial.Dot(a.along, b.along))))
	n := spatial.Cross(a.along, b.along)
	n = spatial.Scale(1/spatial.Norm(n), n)
	radius := before / math.Tan(turn/2)
	inwards := spatial.Cross(n, a.along)
	c := arc{spatial.AddScaled(from, radius, inwards), spatial.Scale(-1, inwards), a.along, radius, turn}
	return line{a.from, a.along, a.far - before}, c, line{to, b.along, b.far - before}
}

// Coordinates are those in which the end of a line is given, and that change in proportion along it.
type Coordinates int

// The coordinates of a point (Vukobratović and Potkonjak 1985, 3.4.2 to 3.4.7), rad and m.
const (
	Cartesian   Coordinates = iota // x, y, z
	Cylindrical                    // ρ, θ, z: x = ρ·cos θ, y = ρ·sin θ
	Spherical                      // r, θ, φ: x = r·cos φ·cos θ, y = r·cos φ·sin θ, z = r·sin φ
)

// of returns the point of coordinates and its derivatives where they change at rates r, by Leibniz's rule on the factors.
func (c Coordinates) of(x, r spatial.Vec) (p, d1, d2 spatial.Vec) {
	if c == Cartesian {
		return x, r, spatial.Vec{}
	}
	wave := func(angle, rate float64) (cos, sin [3]float64) {
		s, c := math.Sincos(angle)
		return [3]float64{c, -s * rate, -c * rate * rate}, [3]float64{s, c * rate, -s * rate * rate}
	}
	product := func(a, b [3]float64) [3]float64 {
		return [3]float64{a[0] * b[0], a[1]*b[0] + a[0]*b[1], a[2]*b[0] + 2*a[1]*b[1] + a[0]*b[2]}
	}
	size := [3]float64{x[0], r[0]}
	ct, st := wave(x[1], r[1])
	height := [3]float64{x[2], r[2]}
	if c == Spherical {
		cp, sp := wave(x[2], r[2])
		size, height = product(size, cp), product(size, sp)
	}
	for i, axis := range [3][3]float64{product(size, ct), product(size, st), height} {
		p[i], d1[i], d2[i] = axis[0], axis[1], axis[2]
	}
	return p, d1, d2
}

// from returns the coordinates of a point; θ is that of no turn on the axis.
func (c Coordinates) from(p spatial.Vec) spatial.Vec {
	switch c {
	case Cylindrical:
		return spatial.Vec{math.Hypot(p[0], p[1]), math.Atan2(p[1], p[0]), p[2]}
	case Spherical:
		flat := math.Hypot(p[0], p[1])
		return spatial.Vec{math.Hypot(flat, p[2]), math.Atan2(p[1], p[0]), math.Atan2(p[2], flat)}
	}
	return p
}

// curvilinear is a path along which coordinates change in proportion. Its x is that part of the length.
type curvilinear struct {
	in         Coordinates
	start, way spatial.Vec
	far        float64 // m
}

func newCurvilinear(in Coordinates, from, to spatial.Vec) curvilinear {
	c := curvilinear{in: in, start: in.from(from)}
	c.way = spatial.Sub(to, c.start)
	// Simpson's rule: the speed is smooth, and its fourth derivative over 256 steps leaves 1e-10 of a turn's length.
	// The length only scales the times.
	const steps = 256
	for i := range steps + 1 {
		_, d, _ := in.of(spatial.AddScaled(c.start, float64(i)/steps, c.way), c.way)
		weight := 4.0
		if i%2 == 0 {
			weight = 2
		}
		if i == 0 || i == steps {
			weight = 1
		}
		c.far += weight * spatial.Norm(d) / (3 * steps)
	}
	return c
}

func (c curvilinear) length() float64 { return c.far }

func (c curvilinear) at(x float64) (p, d1, d2 spatial.Vec) {
	if c.far == 0 {
		p, _, _ = c.in.of(c.start, spatial.Vec{})
		return p, spatial.Vec{}, spatial.Vec{}
	}
	return c.in.of(spatial.AddScaled(c.start, x/c.far, c.way), spatial.Scale(1/c.far, c.way))
}

// chain is several curves one after the other.
type chain []curve

func (c chain) length() (far float64) {
	for _, part := range c {
		far += part.length()
	}
	return far
}

func (c chain) at(x float64) (p, d1, d2 spatial.Vec) {
	for _, part := range c[:len(c)-1] {
		if x < part.length() {
			return part.at(x)
		}
		x -= part.length()
	}
	return c[len(c)-1].at(x)
}
