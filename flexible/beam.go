package flexible

import (
	"fmt"

	"gonum.org/v1/gonum/integrate/quad"
)

// Section is the cross-section of a beam at a place.
type Section struct {
	Mass float64 // mass per length, kg/m
	EIy  float64 // bending stiffness about y, against deflections along z, N·m²
	EIz  float64 // bending stiffness about z, against deflections along y, N·m²
	GJ   float64 // torsional stiffness about x, N·m² (Book's G·I_x)
}

// Uniform returns a beam's Section that is the same everywhere.
func Uniform(s Section) func(x float64) Section { return func(float64) Section { return s } }

// Mode is a form in which a beam deflects: deflections of its neutral axis along y and z with the rotations that go with
// them, and a rotation about x. A nil shape means no deflection of its kind.
type Mode struct {
	Name        string
	Y, Z, Twist Shape
}

// Beam is a slender link along x.
type Beam struct {
	Length  float64
	Section func(x float64) Section
	Modes   []Mode
}

// Integrals integrates by Gauss's rule of 64 points: exact for sections and shapes that are polynomials of together no more than
// degree 127, and beyond rounding for the bending modes of a uniform beam up to the twentieth.
func (b Beam) Integrals() (Integrals, error) {
	if !(b.Length > 0) || b.Section == nil {
		return Integrals{}, fmt.Errorf("a beam of %g m: length and section are needed", b.Length)
	}
	m := len(b.Modes)
	g := Integrals{Length: b.Length, First: make([]Matrix, m), Tip: make([][6]float64, m)}
	for k := range b.Modes {
		g.Second, g.Stiffness = append(g.Second, make([]Matrix, m)), append(g.Stiffness, make([]float64, m))
		g.Modes = append(g.Modes, b.Modes[k].Name)
		_, g.Tip[k] = b.Modes[k].at(b.Length, b.Length)
	}
	x, weight := make([]float64, 64), make([]float64, 64)
	quad.Legendre{}.FixedLocations(x, weight, 0, b.Length)
	displaced, strain := make([][4]float64, m), make([][3]float64, m)
	for p, at := range x {
		s := b.Section(at)
		if !(s.Mass >= 0) || !(s.EIy >= 0) || !(s.EIz >= 0) || !(s.GJ >= 0) {
			return Integrals{}, fmt.Errorf("the section at %.3g m has %g kg/m, EIy %g, EIz %g, GJ %g: none may be negative", at, s.Mass, s.EIy, s.EIz, s.GJ)
		}
		h := [4]float64{1, at}
		dm := s.Mass * weight[p] / 2
		outer(&g.Rigid, dm, &h, &h)
		for k, mode := range b.Modes {
			var tip [6]float64
			strain[k], tip = mode.at(at, b.Length)
			displaced[k] = [4]float64{0, tip[0], tip[1], tip[2]}
		}
		for k := range m {
			outer(&g.First[k], dm, &h, &displaced[k])
			for l := range m {
				outer(&g.Second[k][l], dm, &displaced[k], &displaced[l])
				g.Stiffness[k][l] += weight[p] * (s.GJ*strain[k][0]*strain[l][0] + s.EIy*strain[k][1]*strain[l][1] + s.EIz*strain[k][2]*strain[l][2])
			}
		}
	}
	return g, g.Check()
}

// at returns the rates of the rotations about x, y and z along the beam, 1/m, and the displacements and rotations.
func (m Mode) at(x, length float64) (rates [3]float64, moved [6]float64) {
	if m.Twist != nil {
		moved[3], rates[0], _ = m.Twist.At(x, length)
	}
	if m.Y != nil {
		moved[1], moved[5], rates[2] = m.Y.At(x, length)
	}
	if m.Z != nil { // a slope upward along z is a rotation the other way about y
		v, slope, bend := m.Z.At(x, length)
		moved[2], moved[4], rates[1] = v, -slope, -bend
	}
	return rates, moved
}

// outer adds s·a·bᵀ.
func outer(m *Matrix, s float64, a, b *[4]float64) {
	for i := range 4 {
		for k := range 4 {
			m[i][k] += s * a[i] * b[k]
		}
	}
}
