package lint

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ident/internal/eigen"
	"ident/internal/spatial"
	"ident/robot"
)

// Severity grades a finding.
type Severity string

// An error says that no body has such an inertial, a warning that it is hard
// to believe, a note that something is worth knowing.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityNote    Severity = "note"
)

// Finding is a remark on one body, or on parts of the file.
type Finding struct {
	Link     string // name of the body; "" for the robot as a whole
	ID       string // units, mass, inertia, triangle, missing-moment, gyration, frame, com, point-mass, missing, no-inertials; of Parsers doubled, …
	Severity Severity
	Value    float64 // the quantity judged, named in Text with its unit
	Text     string
	Cause    string // probable cause; "" if none is known
}

// lintBody is a body in its own link frame, with the inertia split about its
// centre of mass.
type lintBody struct {
	name     string
	p        robot.Inertial
	mass     float64
	com      [3]float64
	central  [3][3]float64
	massive  bool // far too heavy, beside the other bodies or for its size
	gyration float64
}

// Bodies judges the inertial of every body, the lumped ones apart, and where one
// cannot be right, or is implausible for the robot's lengths, tests which common mistake explains it.
//
// A body exists if and only if its pseudo-inertia is positive definite, which
// is to say that its mass is positive and the principal moments about the
// centre of mass are positive and satisfy the triangle inequality (Wensing, Kim
// and Slotine 2018). Lengths are judged against the longest offset between two
// frames of the robot.
func Bodies(r *robot.Robot) []Finding {
	bodies, missing := lintBodies(r)
	size := sizeOf(r)
	whole, otherUnits := wholeUnits(r, bodies, size)
	if len(bodies) == 0 {
		if otherUnits {
			return []Finding{whole}
		}
		return []Finding{{ID: "no-inertials", Severity: SeverityNote,
			Text: "the file gives no inertials; there is nothing to compare an identification with"}}
	}
	var out []Finding
	for _, name := range missing {
		out = append(out, Finding{Link: name, ID: "missing", Severity: SeverityNote, Text: "has no inertial, though other links have"})
	}
	if otherUnits {
		out = append(out, whole)
	}
	for i := range bodies {
		b := &bodies[i]
		out = append(out, b.impossible()...)
		if b.mass > 0 && !otherUnits { // beside lengths that are wrong as a whole no body is implausible
			b.massive = b.heavy(bodies, size)
			out = append(out, b.implausible(size)...)
		}
	}
	return out
}

func lintBodies(r *robot.Robot) (bodies []lintBody, missing []string) {
	add := func(name string, p robot.Inertial) {
		b := lintBody{name: name, p: p, mass: p.Mass()}
		b.com, _ = p.CentreOfMass()
		b.central, _ = p.Central()
		// Where moments about the frame's origin are those of a point mass,
		// the central ones are rounding.
		if o := p.Origin(); largest(b.central) <= 1e-13*largest(o) {
			b.central = [3][3]float64{}
		}
		if b.mass > 0 {
			b.gyration = math.Sqrt(math.Max(0, trace(b.central)/2/b.mass))
		}
		bodies = append(bodies, b)
	}
	for i := range r.Links {
		l := &r.Links[i]
		switch {
		case l.Own != robot.Inertial{}:
			add(l.Name, r.UserInertial(i, l.Own))
		case !l.HasInertial && l.Joint.Kind != robot.Fixed && !l.Massless:
			missing = append(missing, l.Name)
		}
	}
	for _, l := range r.Lumped {
		if l.HasInertial && l.Inertial != (robot.Inertial{}) {
			add(l.Name, l.Inertial.InFrame(l.InLink.Inv()))
		}
	}
	return bodies, missing
}

// sizeOf returns the longest offset between two frames of the robot, or the
// longest travel of a sliding joint, or 1 m where the robot has neither.
func sizeOf(r *robot.Robot) float64 {
	s := 0.0
	for _, l := range r.Links {
		s = math.Max(s, spatial.Norm(l.Placement.P))
		if travel := l.Joint.Upper - l.Joint.Lower; l.Joint.Kind == robot.Prismatic && travel > s {
			s = travel
		}
	}
	for _, l := range r.Lumped {
		s = math.Max(s, spatial.Norm(l.InLink.P))
	}
	for _, l := range r.Loops { // a bar that ends in a cut has no frame at its end but that of the cut
		s = math.Max(s, max(spatial.Norm(r.Extra[l.Frame].Placement.P), spatial.Norm(r.Extra[l.Meets].Placement.P)))
	}
	if s == 0 || math.IsNaN(s) {
		return 1
	}
	return s
}

func trace(m [3][3]float64) float64 { return m[0][0] + m[1][1] + m[2][2] }

// largest returns the largest magnitude among a matrix's entries.
func largest(m [3][3]float64) float64 {
	v := 0.0
	for _, row := range m {
		for _, x := range row {
			v = math.Max(v, math.Abs(x))
		}
	}
	return v
}

// eigenvalues returns the eigenvalues of a symmetric matrix in ascending order; NaN
// where they do not converge.
func eigenvalues(m [3][3]float64) [3]float64 {
	v, _, ok := eigen.Scaled(mat.NewSymDense(3, append(append(m[0][:], m[1][:]...), m[2][:]...)), false)
	if !ok {
		return [3]float64{math.NaN(), math.NaN(), math.NaN()}
	}
	return [3]float64(v)
}

// boundary is by how much of the largest principal moment the inequalities may
// be missed: thin rods and plates lie on the boundary, and files round.
const boundary = 1e-9

// possible reports whether a central inertia is that of a body.
func possible(central [3][3]float64) bool {
	e := eigenvalues(central)
	return e[2] > 0 && e[0] >= -boundary*e[2] && e[0]+e[1] >= e[2]*(1-boundary)
}

// impossible reports parameters that no body can have.
func (b *lintBody) impossible() []Finding {
	switch {
	case b.mass < 0:
		return []Finding{{b.name, "mass", SeverityError, b.mass, fmt.Sprintf("the mass is negative, %.4g kg", b.mass), ""}}
	case b.mass == 0:
		return []Finding{{b.name, "mass", SeverityError, 0, "the mass is zero, but the moments are not", ""}}
	case b.central == [3][3]float64{}:
		return []Finding{{b.name, "point-mass", SeverityNote, b.mass, fmt.Sprintf("%.4g kg without inertia: a point mass", b.mass), ""}}
	case possible(b.central):
		return nil
	}
	if f, missing := b.missingMoment(); missing {
		return []Finding{f}
	}
	e := eigenvalues(b.central)
	f := Finding{Link: b.name, ID: "triangle", Severity: SeverityError, Value: e[0] + e[1] - e[2], Cause: b.causeOfImpossible()}
	switch {
	case !(e[0] >= -boundary*e[2]):
		f.ID, f.Value = "inertia", e[0]
		f.Text = fmt.Sprintf("a principal moment of inertia about the centre of mass is negative: %.4g, %.4g, %.4g kg·m²", e[0], e[1], e[2])
	default:
		f.Text = fmt.Sprintf("the principal moments %.4g, %.4g, %.4g kg·m² break the triangle inequality: the largest exceeds the sum of the others by %.2g %%",
			e[0], e[1], e[2], 100*(e[2]/(e[0]+e[1])-1))
		if e[0]+e[1] > e[2]*0.99 {
			f.Severity = SeverityWarning
			if f.Cause == "" {
				f.Cause = "rounding of a thin or flat body's moments"
			}
		}
	}
	return []Finding{f}
}

// causeOfImpossible tests which slip would have made a feasible body
// impossible.
func (b *lintBody) causeOfImpossible() string {
	flipped := b.central
	flipped[0][1], flipped[1][0] = -flipped[0][1], -flipped[1][0]
	if possible(flipped) {
		// Two flips are a mirror and change no eigenvalue, so one tells for all.
		return "the sign of a product of inertia: with one of ixy, ixz, iyz negated it is possible (ixy is -∫xy dm here, some tools print +∫xy dm)"
	}
	shift := spatial.ScaleMat(b.mass, spatial.PointInertia(b.com))
	if shifted := spatial.AddMat(b.central, shift); spatial.Norm(b.com) > 0 && possible(shifted) {
		return "the inertia about the centre of mass given where the one about the frame's origin is expected: with m(|c|²·1 - c·cᵀ) added it is possible"
	}
	return cmp.Or(b.negated(), b.misplaced())
}

// negated reports whether the body is possible with its negative moments turned, and proposes them.
func (b *lintBody) negated() string {
	turned := b.central
	var names, values []string
	for i, name := range [3]string{"ixx", "iyy", "izz"} {
		if turned[i][i] < 0 {
			turned[i][i] = -turned[i][i]
			names, values = append(names, name), append(values, fmt.Sprintf("%s = %.4g", name, turned[i][i]))
		}
	}
	if names == nil || !possible(turned) {
		return ""
	}
	return fmt.Sprintf("the sign of %s: with %s kg·m² it is possible", strings.Join(names, ", "), strings.Join(values, ", "))
}

// misplaced reports whether the numbers of the inertia stand in the places of others: those of the rows of a matrix.
func (b *lintBody) misplaced() string {
	c := &b.central
	none := 1e-13 * largest(*c)
	// The first six of nine numbers, row by row, for ixx, ixy, ixz, iyy, iyz, izz: iyy is ixy again, iyz is iyy, izz is
	// iyz, which is zero in most files; the true izz is lost.
	if yy, yz := c[1][2], c[2][2]; math.Abs(c[1][1]-c[0][1]) <= none && math.Abs(yz) < yy {
		if mean, half := (c[0][0]+yy)/2, math.Hypot((c[0][0]-yy)/2, c[0][1]); mean-half > none {
			low, high := AdmissibleMoment(mean-half, mean+half)
			return fmt.Sprintf("the rows of the inertia's matrix given for its six numbers, iyy being ixy again: with iyy = %.4g and iyz = %.4g it is possible for an izz between about %.4g and %.4g kg·m²", yy, yz, low, high)
		}
	}
	// The upper triangle, row by row, for ixx, iyy, izz, ixy, ixz, iyz.
	xy, xz, yy, yz, zz := c[1][1], c[2][2], c[0][1], c[0][2], c[1][2]
	if possible([3][3]float64{{c[0][0], xy, xz}, {xy, yy, yz}, {xz, yz, zz}}) {
		return fmt.Sprintf("products of inertia in the places of moments: with iyy = %.4g, izz = %.4g, ixy = %.4g, ixz = %.4g, iyz = %.4g kg·m² it is possible", yy, zz, xy, xz, yz)
	}
	return ""
}
