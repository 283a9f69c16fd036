package excite

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
	"ident/robot"
)

// Capsule is a body of a robot for collision checks: all points within Radius
// of the segment from A to B in frame Link.
type Capsule struct {
	Name   string
	Link   int // link index, -1 for the base
	A, B   [3]float64
	Radius float64
	From   string // what it was fitted to: "collision", "visual", "inertia" or "joints"
}

// Capsules fits capsules to a robot: around each box, cylinder and sphere of its
// file's collision geometry, or visual geometry where a body has no other. A link
// without any is taken for the ellipsoid of uniform density that has its inertia,
// which a capsule along its longest axis surrounds; a link without inertia for
// the segments from its joint to the next ones, with a tenth of their length as
// radius. Meshes are not read. Every capsule says what it comes from.
func Capsules(r *robot.Robot) ([]Capsule, error) {
	solids, _, err := r.Solids()
	if err != nil {
		return nil, fmt.Errorf("collision geometry: %w", err)
	}
	var out []Capsule
	have := map[int]bool{}
	for _, s := range solids {
		c := around(s)
		have[s.Link] = true
		out = append(out, c)
	}
	for j := range r.Links {
		if have[j] {
			continue
		}
		l := &r.Links[j]
		if c, ok := fromInertia(l.Inertial); ok && l.HasInertial {
			c.Name, c.Link = l.Name, j
			out = append(out, c)
			continue
		}
		for k := range r.Links {
			if r.Links[k].Antecedent == j {
				end := r.Links[k].Placement.P
				if d := spatial.Norm(end); d > 1e-6 {
					out = append(out, Capsule{Name: l.Name, Link: j, B: end, Radius: 0.1 * d, From: "joints"})
				}
			}
		}
	}
	return out, nil
}

// around is the capsule around a primitive: along its longest edge, from end to
// end, with the half diagonal of the cross section as radius.
func around(s robot.Solid) Capsule {
	c := Capsule{Name: s.Body, Link: s.Link, From: "collision"}
	if s.Visual {
		c.From = "visual"
	}
	var reach spatial.Vec
	switch s.Kind {
	case "sphere":
		c.Radius = s.Size[0]
	case "cylinder":
		c.Radius = s.Size[0]
		reach[2] = s.Size[2] / 2
	default:
		long := 0
		for k := range 3 {
			if s.Size[k] > s.Size[long] {
				long = k
			}
		}
		reach[long] = s.Size[long] / 2
		c.Radius = math.Hypot(s.Size[(long+1)%3], s.Size[(long+2)%3]) / 2
	}
	c.A, c.B = s.Place.Apply(spatial.Scale(-1, reach)), s.Place.Apply(reach)
	return c
}

// fromInertia is the capsule around the ellipsoid of uniform density with a
// body's inertia: with principal moments I₁ … I₃ about the centre of mass its
// semi-axes are aᵢ² = 5/(2m)·(Iⱼ + Iₖ - Iᵢ).
func fromInertia(in robot.Inertial) (Capsule, bool) {
	com, ok := in.CentreOfMass()
	central, ok2 := in.Central()
	if !ok || !ok2 || !(in.Mass() > 0) {
		return Capsule{}, false
	}
	var eig mat.EigenSym
	if !eig.Factorize(mat.NewSymDense(3, append(append(central[0][:], central[1][:]...), central[2][:]...)), true) {
		return Capsule{}, false
	}
	var axes mat.Dense
	eig.VectorsTo(&axes)
	moments := eig.Values(nil)
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
	radius := max(semi[(long+1)%3], semi[(long+2)%3])
	along := spatial.Scale(max(0, semi[long]-radius), spatial.Vec{axes.At(0, long), axes.At(1, long), axes.At(2, long)})
	return Capsule{A: spatial.Sub(com, along), B: spatial.Add(com, along), Radius: radius, From: "inertia"}, true
}
