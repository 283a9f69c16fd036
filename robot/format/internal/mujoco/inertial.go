package mujoco

import (
	"math"

	"ident/internal/spatial"
	"ident/internal/xmltree"
)

// inertial reads a body's <inertial>, or adds up its geometries as the compiler's setting says.
func (r *reader) inertial(n *xmltree.Node, where, class string) (*Inertial, error) {
	c, _ := n.Last("inertial")
	if c != nil && r.fromGeom != "true" {
		return r.given(c, where)
	}
	if r.fromGeom == "false" {
		return nil, nil
	}
	var sum Inertial
	var second [3][3]float64 // about the body's origin
	found := false
	for _, g := range n.All("geom") {
		g, err := r.defaults.of(g, class)
		if err != nil {
			return nil, err
		}
		own, ok, err := r.geometry(g, where)
		if err != nil {
			return nil, err
		}
		if !ok || own.Mass == 0 {
			continue
		}
		found = true
		sum.Mass += own.Mass
		sum.Centre = spatial.AddScaled(sum.Centre, own.Mass, own.Centre)
		second = spatial.AddMat(second, spatial.AddMat(own.Central, spatial.ScaleMat(own.Mass, spatial.PointInertia(own.Centre))))
	}
	if !found {
		return nil, nil
	}
	sum.Centre = spatial.Scale(1/sum.Mass, sum.Centre)
	sum.Central = spatial.AddMat(second, spatial.ScaleMat(-sum.Mass, spatial.PointInertia(sum.Centre)))
	r.note(where, "its inertia is that of its geometries, %.4g kg", sum.Mass)
	return &sum, nil
}

func (r *reader) given(c *xmltree.Node, where string) (*Inertial, error) {
	at, err := r.pose(c, where)
	if err != nil {
		return nil, err
	}
	out := &Inertial{Centre: at.P}
	if out.Mass, err = c.Number(where, "mass", 0); err != nil {
		return nil, err
	}
	if out.Mass < 0 {
		return nil, fault(c, where, "its mass is %g kg", out.Mass)
	}
	full, err := c.Numbers(where, "fullinertia")
	if err != nil {
		return nil, err
	}
	diagonal, err := c.Numbers(where, "diaginertia")
	if err != nil {
		return nil, err
	}
	var m [3][3]float64
	switch {
	case full != nil && diagonal != nil:
		return nil, fault(c, where, "both fullinertia and diaginertia; keep one")
	case len(full) == 6:
		if at.R != spatial.Eye() {
			return nil, fault(c, where, "fullinertia beside an orientation of its own; MuJoCo takes one of the two")
		}
		m = [3][3]float64{{full[0], full[3], full[4]}, {full[3], full[1], full[5]}, {full[4], full[5], full[2]}}
	case full != nil:
		return nil, fault(c, where, "fullinertia has six numbers (xx yy zz xy xz yz), found %d", len(full))
	case len(diagonal) == 3:
		m = [3][3]float64{{diagonal[0]}, {0, diagonal[1]}, {0, 0, diagonal[2]}}
	case diagonal != nil:
		return nil, fault(c, where, "diaginertia has three numbers, found %d", len(diagonal))
	default:
		return nil, fault(c, where, "its <inertial> has neither diaginertia nor fullinertia")
	}
	out.Central = spatial.Mul(at.R, spatial.Mul(m, spatial.Transpose(at.R)))
	return out, nil
}

// geometry returns the inertia of a primitive; ok is false for those without a volume, and for meshes.
func (r *reader) geometry(g *xmltree.Node, where string) (out Inertial, ok bool, err error) {
	kind := "sphere"
	if t, has := g.Attr("type"); has {
		kind = t
	}
	if _, has := g.Attr("mesh"); has || kind == "mesh" {
		if m, _ := g.Attr("mass"); m != "0" {
			r.note(where, "the inertia of a mesh is not read; give the body an <inertial> (MuJoCo writes one when it saves the model)")
		}
		return out, false, nil
	}
	size, err := g.Numbers(where, "size")
	if err != nil {
		return out, false, err
	}
	at, err := r.pose(g, where)
	if err != nil {
		return out, false, err
	}
	ends, err := g.Numbers(where, "fromto")
	if err != nil {
		return out, false, err
	}
	if len(ends) == 6 {
		a, b := [3]float64(ends[:3]), [3]float64(ends[3:])
		along := spatial.Sub(a, b)
		length := spatial.Norm(along)
		if !(length > 0) || len(size) < 1 {
			return out, false, fault(g, where, "fromto of a geometry without length or size")
		}
		at.P = spatial.Scale(0.5, spatial.Add(a, b))
		at.R, _ = r.rotation("zaxis", along[:])
		if kind == "box" || kind == "ellipsoid" {
			size = []float64{size[0], size[0], length / 2}
		} else {
			size = []float64{size[0], length / 2}
		}
	}
	volume, unit, ok := primitive(kind, size)
	if !ok {
		return out, false, nil
	}
	density, err := g.Number(where, "density", 1000)
	if err != nil {
		return out, false, err
	}
	mass, err := g.Number(where, "mass", volume*density)
	if err != nil {
		return out, false, err
	}
	local := [3][3]float64{{mass * unit[0]}, {0, mass * unit[1]}, {0, 0, mass * unit[2]}}
	return Inertial{Mass: mass, Centre: at.P, Central: spatial.Mul(at.R, spatial.Mul(local, spatial.Transpose(at.R)))}, true, nil
}

// primitive gives a solid's volume, and its moments of inertia about the centre by its mass. Sizes are radii and half lengths.
func primitive(kind string, size []float64) (volume float64, unit [3]float64, ok bool) {
	need := map[string]int{"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}[kind]
	if need == 0 || len(size) < need {
		return 0, unit, false
	}
	switch kind {
	case "sphere":
		a := size[0]
		return 4 * math.Pi / 3 * a * a * a, [3]float64{0.4 * a * a, 0.4 * a * a, 0.4 * a * a}, true
	case "ellipsoid":
		a, b, c := size[0]*size[0], size[1]*size[1], size[2]*size[2]
		return 4 * math.Pi / 3 * size[0] * size[1] * size[2], [3]float64{(b + c) / 5, (a + c) / 5, (a + b) / 5}, true
	case "box":
		a, b, c := size[0]*size[0], size[1]*size[1], size[2]*size[2]
		return 8 * size[0] * size[1] * size[2], [3]float64{(b + c) / 3, (a + c) / 3, (a + b) / 3}, true
	case "cylinder":
		a, h := size[0], 2*size[1]
		across := a*a/4 + h*h/12
		return math.Pi * a * a * h, [3]float64{across, across, a * a / 2}, true
	}
	// A capsule: a cylinder and two halves of a ball, whose centres are 3/8 of the radius off its ends.
	a, h := size[0], 2*size[1]
	cylinder, ball := math.Pi*a*a*h, 4*math.Pi/3*a*a*a
	off := h/2 + 3*a/8
	across := cylinder*(a*a/4+h*h/12) + ball*(0.4*a*a-9*a*a/64+off*off)
	along := cylinder*a*a/2 + ball*0.4*a*a
	volume = cylinder + ball
	return volume, [3]float64{across / volume, across / volume, along / volume}, true
}
