package shapes

import (
	"fmt"
	"slices"

	"ident/robot"
)

// FillOptions say how inertials are made.
type FillOptions struct {
	Density map[string]float64 // density by body, kg/m³, for parts without density and mass; key "" holds it for all other bodies
	Mass    map[string]float64 // mass by body, kg, distributed over its parts; it replaces a density
	// Meshes, if set, reads the files of a URDF's meshes, which then count as solids.
	Meshes func(file string) ([]byte, error)
	Every  bool // replace the inertials of all bodies that have parts, even sound ones
}

// Filled is an inertial that came from solids.
type Filled struct {
	Body
	Was      robot.Inertial // inertial in the file, in the link's frame
	Inertial robot.Inertial
	Why      string // state of the file's inertial: "none", "zero", "point mass", "placeholder" or "replaced"
}

// Left is a body whose inertial stays absent, zero or a placeholder.
type Left struct{ Name, Why string }

// Fill returns a copy of a robot in which the solids of its bodies give the inertials that the file does not, and the
// bodies that could not be filled.
func Fill(r *robot.Robot, opt FillOptions) (*robot.Robot, []Filled, []Left, error) {
	bodies, err := of(r, opt.Meshes)
	if err != nil {
		return nil, nil, nil, err
	}
	for name := range opt.Mass {
		if !slices.ContainsFunc(bodies, func(b Body) bool { return b.Name == name }) {
			return nil, nil, nil, fmt.Errorf("a mass for %q, which is no body with shapes of robot %q", name, r.Name)
		}
	}
	for name := range opt.Density {
		if name != "" && !slices.ContainsFunc(bodies, func(b Body) bool { return b.Name == name }) {
			return nil, nil, nil, fmt.Errorf("a density for %q, which is no body with shapes of robot %q", name, r.Name)
		}
	}
	c := r.Clone()
	same := placeholders(r)
	var filled []Filled
	var left []Left
	has := map[string]bool{}
	for _, b := range bodies {
		has[b.Name] = true
		if b.Link < 0 {
			continue // a body of the base has no effect
		}
		was, known := bodyOf(r, b)
		why := stateOf(was, known, same)
		if why == "" {
			if !opt.Every {
				continue
			}
			why = "replaced"
		}
		own, err := b.inertial(opt, was, why)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("link %q: %w", b.Name, err)
		}
		put(c, b, own)
		filled = append(filled, Filled{b, was, own, why})
	}
	for j := range r.Links {
		l := &r.Links[j]
		if l.Massless || l.Joint.Kind == robot.Fixed || has[l.Name] {
			continue
		}
		if why := stateOf(l.Own, l.HasInertial, same); why != "" {
			left = append(left, Left{l.Name, "inertial: " + why + "; the file has no shapes of it that are read"})
		}
	}
	return c, filled, left, nil
}

// inertial returns the inertial of a body's parts. A mass that is given, or that of a point mass, is kept.
func (b Body) inertial(opt FillOptions, was robot.Inertial, why string) (robot.Inertial, error) {
	parts := slices.Clone(b.Parts)
	mass, spread := opt.Mass[b.Name]
	if !spread {
		mass, spread = was.Mass(), why == "point mass"
	}
	density := opt.Density
	for i := range parts {
		p := &parts[i]
		if _, point := p.Solid.(Point); point || p.Mass != 0 || p.Density != 0 {
			continue
		}
		d, given := density[b.Name]
		if !given {
			d = density[""]
		}
		if p.Density = d; d == 0 && spread {
			p.Density = 1
		}
	}
	own, err := Inertial(parts)
	if err != nil {
		return own, err
	}
	if spread {
		scale := mass / own.Mass()
		for i := range own {
			own[i] *= scale
		}
	}
	return own, nil
}

// bodyOf returns the inertial of a body by itself, in the frame of its link.
func bodyOf(r *robot.Robot, b Body) (robot.Inertial, bool) {
	if b.Lumped >= 0 {
		return r.Lumped[b.Lumped].Inertial, r.Lumped[b.Lumped].HasInertial
	}
	l := &r.Links[b.Link]
	return l.Own, l.HasInertial
}

// put replaces the inertial of a body.
func put(r *robot.Robot, b Body, own robot.Inertial) {
	l := &r.Links[b.Link]
	if b.Lumped >= 0 {
		m := &r.Lumped[b.Lumped]
		l.Inertial = l.Inertial.Add(own.Sub(m.Inertial))
		m.Inertial, m.HasInertial = own, true
	} else {
		l.Inertial = l.Inertial.Add(own.Sub(l.Own))
		l.Own, l.Zero = own, [robot.NumInertial]bool{}
	}
	l.HasInertial = true
}

// stateOf tells why an inertial is not one of a body, "" where it may be.
func stateOf(p robot.Inertial, known bool, same map[robot.Inertial]bool) string {
	switch {
	case !known:
		return "none"
	case p.Mass() == 0:
		return "zero"
	case same[p]:
		return "placeholder"
	}
	central, _ := p.Central()
	most, moved := 0.0, 0.0
	for i := range 3 {
		most, moved = max(most, abs(central[i][i])), max(moved, abs(p.Origin()[i][i]))
	}
	if most <= 1e-13*moved { // rounding of the transport to the centre of mass
		return "point mass"
	}
	return ""
}

// placeholders returns the inertials of three links or more with the centre of mass at the origin of the link's frame:
// no three bodies of an arm are alike.
func placeholders(r *robot.Robot) map[robot.Inertial]bool {
	count, own := map[robot.Inertial]int{}, map[robot.Inertial][]robot.Inertial{}
	for j := range r.Links {
		l := &r.Links[j]
		if u := r.UserInertial(j, l.Own); l.HasInertial && u.Mass() != 0 && u.FirstMoments() == [3]float64{} {
			count[u]++
			own[u] = append(own[u], l.Own)
		}
	}
	out := map[robot.Inertial]bool{}
	for u, n := range count {
		if n >= 3 {
			for _, p := range own[u] {
				out[p] = true
			}
		}
	}
	return out
}

func abs(x float64) float64 { return max(x, -x) }

// Given reports, by link, whether the robot file gives a body: a mass that is no placeholder, its own or of the bodies fixed to it.
func Given(r *robot.Robot) []bool {
	same := placeholders(r)
	out := make([]bool, len(r.Links))
	for j := range r.Links {
		l := &r.Links[j]
		out[j] = l.HasInertial && l.Inertial.Mass() > 0 && !same[l.Own]
	}
	return out
}
