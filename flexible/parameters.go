package flexible

import "fmt"

// Parameter is an entry of a link's integrals in which the equations of motion are linear, without Book's ½: a mass is
// ∫ dm, a first moment ∫ x dm.
type Parameter struct {
	Link     int
	Kind     Kind
	Mode     int // mode, where Kind is First, Second or Stiffness
	Other    int // second mode, not below the first, where Kind is Second or Stiffness
	Row, Col int // row and column of the entry, in the order 1, x, y, z
}

// Kind is the integral that a parameter belongs to.
type Kind int

// Integrals of a link.
const (
	Rigid Kind = iota
	First
	Second
	Stiffness
)

// String names a parameter by its link and modes, counted from 1: ∫xy_1 of the rigid link, ∫xφy1_1, ∫φy1·φy2_1, K12_1.
func (p Parameter) String() string {
	axis := [4]string{"", "x", "y", "z"}
	switch p.Kind {
	case Rigid:
		if p.Row+p.Col == 0 {
			return fmt.Sprintf("∫dm_%d", p.Link+1)
		}
		return fmt.Sprintf("∫%s%s_%d", axis[p.Row], axis[p.Col], p.Link+1)
	case First:
		return fmt.Sprintf("∫%sφ%s%d_%d", axis[p.Row], axis[p.Col], p.Mode+1, p.Link+1)
	case Second:
		return fmt.Sprintf("∫φ%s%d·φ%s%d_%d", axis[p.Row], p.Mode+1, axis[p.Col], p.Other+1, p.Link+1)
	}
	return fmt.Sprintf("K%d%d_%d", p.Mode+1, p.Other+1, p.Link+1)
}

// Parameters lists all parameters of the arm: for each link ten of the rigid link, twelve of each mode's first moments,
// six of its second moments and nine of each pair's, and the stiffnesses.
func (a *Arm) Parameters() []Parameter {
	var out []Parameter
	for j := range a.links {
		for r := range 4 {
			for c := r; c < 4; c++ {
				out = append(out, Parameter{Link: j, Row: r, Col: c})
			}
		}
		m := len(a.links[j].First)
		for k := range m {
			for r := range 4 {
				for c := 1; c < 4; c++ {
					out = append(out, Parameter{Link: j, Kind: First, Mode: k, Row: r, Col: c})
				}
			}
		}
		for k := range m {
			for l := k; l < m; l++ {
				for r := 1; r < 4; r++ {
					for c := 1; c < 4; c++ {
						if l > k || c >= r {
							out = append(out, Parameter{Link: j, Kind: Second, Mode: k, Other: l, Row: r, Col: c})
						}
					}
				}
			}
		}
		for k := range m {
			for l := k; l < m; l++ {
				out = append(out, Parameter{Link: j, Kind: Stiffness, Mode: k, Other: l})
			}
		}
	}
	return out
}

// SlenderParameters returns those that a slender beam has: moments along its axis, displacements in the directions
// in which its modes bend, and the stiffnesses between modes of one direction.
func (a *Arm) SlenderParameters() []Parameter {
	var out []Parameter
	for _, p := range a.Parameters() {
		l := &a.links[p.Link]
		has := false
		switch p.Kind {
		case Rigid:
			has = p.Row < 2 && p.Col < 2
		case First:
			has = p.Row < 2 && l.First[p.Mode][p.Row][p.Col] != 0
		case Second:
			has = l.Second[p.Mode][p.Other][p.Row][p.Col] != 0
		case Stiffness:
			has = l.Stiffness[p.Mode][p.Other] != 0
		}
		if has {
			out = append(out, p)
		}
	}
	return out
}

// Values returns the arm's own values of parameters.
func (a *Arm) Values(parameters []Parameter) []float64 {
	out := make([]float64, len(parameters))
	for i, p := range parameters {
		l := &a.links[p.Link]
		switch p.Kind {
		case Rigid:
			out[i] = 2 * l.Rigid[p.Row][p.Col]
		case First:
			out[i] = 2 * l.First[p.Mode][p.Row][p.Col]
		case Second:
			out[i] = 2 * l.Second[p.Mode][p.Other][p.Row][p.Col]
		case Stiffness:
			out[i] = l.Stiffness[p.Mode][p.Other]
		}
	}
	return out
}
