package excite

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/internal/eigen"
	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/format/urdf"
)

// Capsule is a body of a robot for collision checks: all points within Radius (m) of the segment from A to B in frame
// Link.
type Capsule struct {
	Name   string
	Link   int // link index, -1 for the base
	A, B   [3]float64
	Radius float64
	From   string // its source: "collision", "visual", "inertia" or "joints"
}

// Capsules fits capsules to a robot: around each box, cylinder and sphere of its file's collision geometry (visual
// geometry for a body without), otherwise around a link's inertia ellipsoid of uniform density. A link without a
// feasible inertia of its size, and a base without geometry, get segments from joint to joint with a tenth of their
// length as radius. It does not read meshes. It returns boxes of the base as keep-outs.
func Capsules(r *robot.Robot) ([]Capsule, []KeepOut, error) {
	solids, _, err := urdf.Solids(r)
	if err != nil {
		return nil, nil, fmt.Errorf("collision geometry: %w", err)
	}
	var out []Capsule
	var boxes []KeepOut
	have := map[int]bool{}
	for _, s := range solids {
		have[s.Link] = true
		if s.Kind == "box" && s.Link < 0 {
			place := s.Place
			boxes = append(boxes, KeepOut{Name: s.Body, Min: spatial.Scale(-0.5, s.Size), Max: spatial.Scale(0.5, s.Size), Place: &place, own: true})
			continue
		}
		out = append(out, around(s)...)
	}
	for j := -1; j < len(r.Links); j++ {
		if have[j] {
			continue
		}
		name, reach := r.BaseName, 0.0
		var next []spatial.Vec
		for k := range r.Links {
			if r.Links[k].Antecedent == j {
				next = append(next, r.Links[k].Placement.P)
				reach = max(reach, spatial.Norm(r.Links[k].Placement.P))
			}
		}
		if j >= 0 {
			l := &r.Links[j]
			name, reach = l.Name, max(reach, spatial.Norm(l.Placement.P))
			if c, ok := fromInertia(l.Inertial, reach); ok && l.HasInertial {
				c.Name, c.Link = name, j
				out = append(out, c)
				continue
			}
		}
		for _, end := range next {
			if d := spatial.Norm(end); d > 1e-6 {
				out = append(out, Capsule{Name: name, Link: j, B: end, Radius: 0.1 * d, From: "joints"})
			}
		}
	}
	return out, boxes, nil
}

// around returns capsules that contain a primitive: one along a cylinder; for a box up to four along its longest edge,
// side by side along the second, because a single capsule around a plate would be far too thick.
func around(s urdf.Solid) []Capsule {
	c := Capsule{Name: s.Body, Link: s.Link, From: "collision", Radius: s.Size[0]}
	if s.Visual {
		c.From = "visual"
	}
	ends := func(at, reach spatial.Vec) Capsule {
		c.A, c.B = s.Place.Apply(spatial.Sub(at, reach)), s.Place.Apply(spatial.Add(at, reach))
		return c
	}
	switch s.Kind {
	case "sphere":
		return []Capsule{ends(spatial.Vec{}, spatial.Vec{})}
	case "cylinder":
		return []Capsule{ends(spatial.Vec{}, spatial.Vec{2: s.Size[2] / 2})}
	}
	order := []int{0, 1, 2}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Size[b], s.Size[a]) })
	long, side, thin := order[0], order[1], order[2]
	n := 1
	if s.Size[thin] > 0 {
		n = int(min(4, math.Ceil(s.Size[side]/s.Size[thin])))
	}
	strip := s.Size[side] / float64(n)
	c.Radius = math.Hypot(strip, s.Size[thin]) / 2
	var out []Capsule
	for k := range n {
		var at, reach spatial.Vec
		at[side] = -s.Size[side]/2 + strip*(float64(k)+0.5)
		reach[long] = s.Size[long] / 2
		out = append(out, ends(at, reach))
	}
	return out
}

// fromInertia returns the capsule around the ellipsoid of uniform density with a body's inertia: with principal moments
// I₁ … I₃ about the centre of mass its semi-axes are aᵢ² = 5/(2m)·(Iⱼ + Iₖ - Iᵢ). A rod from joint to joint has the
// semi-axis √(5/12) = 0.65 of its length. If a semi-axis exceeds 0.8 of reach, the largest distance to a neighbouring
// joint, it returns false.
func fromInertia(in robot.Inertial, reach float64) (Capsule, bool) {
	com, ok := in.CentreOfMass()
	central, ok2 := in.Central()
	if !ok || !ok2 || !(in.Mass() > 0) {
		return Capsule{}, false
	}
	moments, axes, ok := eigen.Scaled(mat.NewSymDense(3, append(append(central[0][:], central[1][:]...), central[2][:]...)), true)
	if !ok {
		return Capsule{}, false
	}
	var semi spatial.Vec
	for k := range 3 {
		semi[k] = 2.5 / in.Mass() * (moments[(k+1)%3] + moments[(k+2)%3] - moments[k])
		if !(semi[k] > 0) {
			return Capsule{}, false
		}
		semi[k] = math.Sqrt(semi[k])
	}
	long := 0
	for k := range 3 {
		if semi[k] > semi[long] {
			long = k
		}
	}
	if semi[long] > 0.8*reach {
		return Capsule{}, false
	}
	radius := max(semi[(long+1)%3], semi[(long+2)%3])
	along := spatial.Scale(max(0, semi[long]-radius), spatial.Vec{axes.At(0, long), axes.At(1, long), axes.At(2, long)})
	return Capsule{A: spatial.Sub(com, along), B: spatial.Add(com, along), Radius: radius, From: "inertia"}, true
}
