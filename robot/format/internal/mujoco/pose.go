package mujoco

import (
	"math"
	"unicode"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/internal/xmltree"
)

func identity() Pose { return Pose{R: spatial.Eye()} }

// product places b, given in a, where a is placed.
func product(a, b Pose) Pose {
	return Pose{R: spatial.Mul(a.R, b.R), P: spatial.Add(a.P, spatial.MulVec(a.R, b.P))}
}

// pose reads pos and whichever of the five orientations is there.
func (r *reader) pose(n *xmltree.Node, where string) (Pose, error) {
	p := identity()
	var err error
	if p.P, err = n.Vector(where, "pos", p.P); err != nil {
		return p, err
	}
	found := ""
	for _, name := range []string{"quat", "euler", "axisangle", "xyaxes", "zaxis"} {
		v, err := n.Numbers(where, name)
		if err != nil {
			return p, err
		}
		if v == nil {
			continue
		}
		if found != "" {
			return p, fault(n, where, "both %s and %s say how it is turned; keep one", found, name)
		}
		found = name
		var ok bool
		if p.R, ok = r.rotation(name, v); !ok {
			return p, fault(n, where, "%s=%v does not give a rotation", name, v)
		}
	}
	return p, nil
}

func (r *reader) angle(v float64) float64 {
	if r.degree {
		return v * math.Pi / 180
	}
	return v
}

func (r *reader) rotation(name string, v []float64) (m [3][3]float64, ok bool) {
	need := map[string]int{"quat": 4, "euler": 3, "axisangle": 4, "xyaxes": 6, "zaxis": 3}[name]
	if len(v) != need {
		return m, false
	}
	switch name {
	case "quat":
		return angles.Rotation([4]float64(v))
	case "axisangle":
		n := spatial.Norm([3]float64(v[:3]))
		if !(n > 1e-10) {
			return m, false
		}
		s, c := math.Sincos(r.angle(v[3]) / 2)
		return angles.Rotation([4]float64{c, s * v[0] / n, s * v[1] / n, s * v[2] / n})
	case "euler":
		m = spatial.Eye()
		for i, axis := range r.euler {
			turn := map[rune]func(float64) [3][3]float64{'x': spatial.RotX, 'y': spatial.RotY, 'z': spatial.RotZ}[unicode.ToLower(axis)](r.angle(v[i]))
			if unicode.IsLower(axis) { // about turned axes
				m = spatial.Mul(m, turn)
			} else {
				m = spatial.Mul(turn, m)
			}
		}
		return m, true
	case "xyaxes":
		x, y := [3]float64(v[:3]), [3]float64(v[3:])
		n := spatial.Norm(x)
		if !(n > 1e-10) {
			return m, false
		}
		x = spatial.Scale(1/n, x)
		y = spatial.AddScaled(y, -spatial.Dot(x, y), x)
		if n = spatial.Norm(y); !(n > 1e-10) {
			return m, false
		}
		y = spatial.Scale(1/n, y)
		z := spatial.Cross(x, y)
		return [3][3]float64{{x[0], y[0], z[0]}, {x[1], y[1], z[1]}, {x[2], y[2], z[2]}}, true
	}
	z := [3]float64(v)
	n := spatial.Norm(z)
	if !(n > 1e-10) {
		return m, false
	}
	return Along(spatial.Scale(1/n, z)), true
}

// Along returns the smallest rotation that turns z to a unit vector.
func Along(z [3]float64) [3][3]float64 {
	axis := spatial.Cross([3]float64{0, 0, 1}, z)
	sin := spatial.Norm(axis)
	if sin < 1e-10 {
		if z[2] > 0 {
			return spatial.Eye()
		}
		return spatial.RotX(math.Pi)
	}
	s, c := math.Sincos(math.Atan2(sin, z[2]) / 2)
	m, _ := angles.Rotation([4]float64{c, s * axis[0] / sin, s * axis[1] / sin, s * axis[2] / sin})
	return m
}
