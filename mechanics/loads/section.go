package loads

import (
	"fmt"
	"math"

	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/shapes"
)

// Material is the material of a beam, Pa and kg/m³. Tension and Shear are the largest stresses allowed, zero where not known.
type Material struct {
	Young   float64 `json:"young"`
	Poisson float64 `json:"poisson"`
	Tension float64 `json:"tension,omitempty"`
	Shear   float64 `json:"shear,omitempty"`
}

// ShearModulus is E/2(1 + ν), Pa.
func (m Material) ShearModulus() float64 { return m.Young / (2 * (1 + m.Poisson)) }

// Materials returns those with a name. AlMg3 with stresses at a fifth of the strength is that of Vukobratović and
// Potkonjak (1985, figure 5.10 and section 4.5), the modulus of steel that of their section 5.4.
func Materials() map[string]Material {
	return map[string]Material{
		"AlMg3": {7.848e10, 0.29, 2.943e8 / 5, 2.4525e8 / 5},
		"steel": {2.1e11, 0.3, 0, 0},
	}
}

// Section is a cross-section: its area, m², moments of inertia about its axes x and y and of torsion, m⁴, and the
// moduli for the largest stress of bending about x and y and of torsion, m³.
type Section struct {
	Area, IX, IY, Torsion, WX, WY, WTorsion float64
}

// TubeSection returns the section of a circular tube: I = π(R⁴ − r⁴)/4, W = I/R, and twice both in torsion.
func TubeSection(outer, inner float64) Section {
	i := math.Pi * (outer*outer*outer*outer - inner*inner*inner*inner) / 4
	return Section{math.Pi * (outer*outer - inner*inner), i, i, 2 * i, i / outer, i / outer, 2 * i / outer}
}

// RectangularSection returns the section of a tube with outer edges along x and y. Torsion is that of thin walls (Bredt 1896).
func RectangularSection(x, y, wall float64) Section {
	u, v := x-2*wall, y-2*wall
	ix, iy := (x*y*y*y-u*v*v*v)/12, (y*x*x*x-v*u*u*u)/12
	mean := (x - wall) * (y - wall)
	return Section{x*y - u*v, ix, iy, 2 * wall * mean * mean / (x + y - 2*wall), 2 * ix / y, 2 * iy / x, 2 * mean * wall}
}

// beamText is the entry "section" of a link: the link as a straight beam from its frame's origin, or From, to To.
type beamText struct {
	Tube    *struct{ Outer, Inner shapes.Number }
	Profile *struct{ X, Y, Wall shapes.Number } `yaml:"rectangular_tube"`
	// Material is a name, or the numbers beside it.
	Material      string
	Young         shapes.Number
	Poisson       *shapes.Number
	Tension       shapes.Number
	Shear         shapes.Number
	From, To      *[3]shapes.Number
	EdgeDirection *[3]shapes.Number `yaml:"edge"` // direction of a rectangular tube's x axis
}

// beam is a link as a beam.
type beam struct {
	link     int
	section  Section
	material Material
	from, to [3]float64  // ends, in frame j, m
	axes     spatial.Mat // columns: edge x, edge y and the beam's axis, in frame j
	length   float64
	children []int   // links that it carries
	own      float64 // mass of the link itself, kg
	report   *Beam
	stress   float64 // combined, of the last sample, Pa
}

// parseBeam reads the section of a link.
func parseBeam(r *robot.Robot, link int) (*beam, error) {
	var t beamText
	if err := strict(r.Links[link].Section, &t); err != nil {
		return nil, err
	}
	b := &beam{link: link}
	switch {
	case t.Tube != nil && t.Profile == nil:
		solid := shapes.Tube{Outer: float64(t.Tube.Outer), Inner: float64(t.Tube.Inner), Length: 1}
		if err := solid.Check(); err != nil {
			return nil, fmt.Errorf("tube: %w", err)
		}
		b.section = TubeSection(solid.Outer, solid.Inner)
	case t.Profile != nil && t.Tube == nil:
		solid := shapes.RectangularTube{X: float64(t.Profile.X), Y: float64(t.Profile.Y), Wall: float64(t.Profile.Wall), Length: 1}
		if err := solid.Check(); err != nil {
			return nil, fmt.Errorf("rectangular_tube: %w", err)
		}
		b.section = RectangularSection(solid.X, solid.Y, solid.Wall)
	default:
		return nil, fmt.Errorf("give one of tube and rectangular_tube")
	}
	if t.Material != "" {
		m, ok := Materials()[t.Material]
		if !ok {
			return nil, fmt.Errorf("material %q is not known: AlMg3 and steel are; give young (Pa) and poisson of any other", t.Material)
		}
		b.material = m
	}
	for _, f := range []struct {
		v  shapes.Number
		to *float64
	}{{t.Young, &b.material.Young}, {t.Tension, &b.material.Tension}, {t.Shear, &b.material.Shear}} {
		if f.v < 0 {
			return nil, fmt.Errorf("%g must not be negative", float64(f.v))
		}
		if f.v > 0 {
			*f.to = float64(f.v)
		}
	}
	if t.Poisson != nil {
		b.material.Poisson = float64(*t.Poisson)
	} else if t.Material == "" {
		b.material.Poisson = 0.3
	}
	if b.material.Young == 0 {
		return nil, fmt.Errorf("its material has no modulus: give young, Pa, or material: AlMg3 or steel")
	}
	return b, b.place(r, &t)
}

// place sets the ends of the beam: from the frame's origin to the farthest joint that it carries, unless the file gives them.
func (b *beam) place(r *robot.Robot, t *beamText) error {
	l := &r.Links[b.link]
	point := func(v *[3]shapes.Number) [3]float64 {
		return l.UserFrame.Mul(robot.Transform{R: spatial.Eye(), P: [3]float64{float64(v[0]), float64(v[1]), float64(v[2])}}).P
	}
	for j := range r.Links {
		if r.Links[j].Antecedent == b.link {
			b.children = append(b.children, j)
			if p := r.Links[j].Placement.P; spatial.Norm(p) > spatial.Norm(b.to) {
				b.to = p
			}
		}
	}
	if t.From != nil {
		b.from = point(t.From)
	}
	if t.To != nil {
		b.to = point(t.To)
	}
	along := spatial.Sub(b.to, b.from)
	if b.length = spatial.Norm(along); !(b.length > 0) {
		return fmt.Errorf("its length is zero: give to: [x, y, z], m, in the link's frame")
	}
	z := spatial.Scale(1/b.length, along)
	edge := [3]float64{1, 0, 0} // the axis farthest from the beam's
	for i := range 3 {
		if math.Abs(z[i]) < math.Abs(spatial.Dot(z, edge)) {
			edge = [3]float64{}
			edge[i] = 1
		}
	}
	if t.EdgeDirection != nil {
		e := t.EdgeDirection
		edge = spatial.MulVec(l.UserFrame.R, [3]float64{float64(e[0]), float64(e[1]), float64(e[2])})
	}
	x := spatial.AddScaled(edge, -spatial.Dot(edge, z), z)
	if !(spatial.Norm(x) > 1e-6*spatial.Norm(edge)) {
		return fmt.Errorf("its edge lies along its axis; give edge: [x, y, z] across it")
	}
	x = spatial.Scale(1/spatial.Norm(x), x)
	b.axes = spatial.Transpose(spatial.Mat{x, spatial.Cross(z, x), z})
	b.own = l.Own.Mass()
	return nil
}
