package tasks

import (
	"fmt"
	"math"

	"ident/internal/spatial"
)

// attitude is an orientation along a path, as a function of the part s of it: the rotation, the angular rate by s and
// that rate's derivative, along the axes of the base.
type attitude interface {
	at(s float64) (r spatial.Mat, w, a spatial.Vec)
}

// turning is a turn at a steady rate about an axis of the base; an angle of 0 keeps the orientation.
type turning struct {
	from  spatial.Mat
	axis  spatial.Vec // of unit length
	angle float64     // of the whole path, rad
}

func (t turning) at(s float64) (r spatial.Mat, w, a spatial.Vec) {
	return spatial.Mul(rotation(t.axis, s*t.angle), t.from), spatial.Scale(t.angle, t.axis), spatial.Vec{}
}

// rotation is that about an axis of unit length (Rodrigues 1840).
func rotation(axis spatial.Vec, angle float64) spatial.Mat {
	s, c := math.Sincos(angle)
	return spatial.AddMat(spatial.AddMat(spatial.ScaleMat(c, spatial.Eye()), spatial.ScaleMat(s, spatial.Skew(axis))), spatial.ScaleMat(1-c, spatial.Outer(axis, axis)))
}

// Sequence is three axes about which a body is turned one after the other, each an axis that the turns before have moved:
// "xyx" is Rot(x,·)·Rot(y,·)·Rot(x,·), the Euler angles of the source (Vukobratović and Potkonjak 1985, 3.4.9). A minus
// turns the sense of the axis behind it: of "z-yx" (3.4.23) the first two are the longitude and latitude of the body's x axis.
type Sequence struct {
	axes  [3]int
	signs [3]float64
	text  string
}

// ParseSequence reads a sequence. Neighbouring axes must differ.
func ParseSequence(text string) (Sequence, error) {
	s := Sequence{text: text, signs: [3]float64{1, 1, 1}}
	n := 0
	for _, c := range text {
		switch {
		case n == 3:
			n = 4 // too many
		case c == '-':
			s.signs[n] = -s.signs[n]
		case c >= 'x' && c <= 'z':
			s.axes[n], n = int(c-'x'), n+1
		default:
			n = 4
		}
		if n == 4 {
			break
		}
	}
	if n != 3 || s.axes[0] == s.axes[1] || s.axes[1] == s.axes[2] {
		return s, fmt.Errorf("tasks: %q is no sequence of axes; give three of x, y and z, no two neighbours alike, with - before one that turns the other way: xyx, zyx, z-yx", text)
	}
	return s, nil
}

// String returns the text of the sequence.
func (s Sequence) String() string { return s.text }

func (s Sequence) axis(i int) (v spatial.Vec) {
	v[s.axes[i]] = s.signs[i]
	return v
}

// Rotation returns the orientation of three angles, rad.
func (s Sequence) Rotation(angles [3]float64) [3][3]float64 {
	r := spatial.Eye()
	for i, x := range angles {
		r = spatial.Mul(r, rotation(s.axis(i), x))
	}
	return r
}

// Angles returns the angles of an orientation: the first two from the direction of the third axis, the last from the turn
// that is left. The middle one is from 0 to π where the outer axes are alike, else within ±π/2. Where it lines them up, only
// the sum of the outer angles is determined, and the last is 0.
func (s Sequence) Angles(r [3][3]float64) [3]float64 {
	first, second, third := s.axis(0), s.axis(1), s.axis(2)
	d := spatial.MulVec(r, third)
	// Rot(second, b)·third = third·cos b + across·sin b, and Rot(first, a) turns the part that is across the first axis.
	across, ref, b := spatial.Cross(second, third), third, 0.0
	if s.axes[0] == s.axes[2] {
		ref = across
		cos := spatial.Dot(d, first) * spatial.Dot(third, first)
		b = math.Atan2(spatial.Norm(spatial.Cross(d, first)), cos)
	} else {
		sin := spatial.Dot(d, first) * spatial.Dot(across, first)
		b = math.Atan2(sin, spatial.Norm(spatial.Cross(d, first)))
	}
	a := 0.0
	if spatial.Norm(spatial.Cross(d, first)) > 1e-12 {
		a = math.Atan2(spatial.Dot(first, spatial.Cross(ref, d)), spatial.Dot(ref, d))
	} else {
		a = spatial.Dot(spatial.RotationVector(spatial.Mul(r, spatial.Transpose(rotation(second, b)))), first)
	}
	before := spatial.Mul(rotation(first, a), rotation(second, b))
	return [3]float64{a, b, spatial.Dot(spatial.RotationVector(spatial.Mul(spatial.Transpose(before), r)), third)}
}

// sequenced is angles that change in proportion.
type sequenced struct {
	of        Sequence
	from, way [3]float64
}

func (q sequenced) at(s float64) (r spatial.Mat, w, a spatial.Vec) {
	r = spatial.Eye()
	for i := range 3 {
		e := spatial.MulVec(r, q.of.axis(i))
		rate := q.way[i]
		a = spatial.AddScaled(a, rate, spatial.Cross(w, e)) // the axis moves with the turns before it
		w = spatial.AddScaled(w, rate, e)
		r = spatial.Mul(r, rotation(q.of.axis(i), q.from[i]+s*rate))
	}
	return r, w, a
}

// arcBetween returns the shortest turn that takes one direction to another, both of unit length; any of the
// half-turns where they are opposite.
func arcBetween(from, to spatial.Vec) (axis spatial.Vec, angle float64) {
	axis = spatial.Cross(from, to)
	size := spatial.Norm(axis)
	angle = math.Atan2(size, spatial.Dot(from, to))
	if size > 1e-12 {
		return spatial.Scale(1/size, axis), angle
	}
	b, _ := beside(from)
	return b, angle
}

// beside returns two directions across a third, all of unit length and perpendicular.
func beside(d spatial.Vec) (b, c spatial.Vec) {
	least := 0
	for i := range 3 {
		if math.Abs(d[i]) < math.Abs(d[least]) {
			least = i
		}
	}
	var e spatial.Vec
	e[least] = 1
	b = spatial.Cross(d, e)
	b = spatial.Scale(1/spatial.Norm(b), b)
	return b, spatial.Cross(d, b)
}
