package robot

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
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

// Finding is a remark of the inertia lint on one body.
type Finding struct {
	Link     string // the body's own name, "" for the robot as a whole
	ID       string // mass, inertia, triangle, gyration, frame, com, point-mass, missing, no-inertials
	Severity Severity
	Value    float64 // the quantity judged, named in Text with its unit
	Text     string
	Cause    string // the probable cause, "" where no hypothesis explains it
}

// lintBody is a body in its own link frame, with the inertia split about its
// centre of mass.
type lintBody struct {
	name     string
	p        Inertial
	mass     float64
	com      [3]float64
	central  [3][3]float64
	massive  bool // far too heavy, beside the other bodies or for its size
	gyration float64
}

// Lint judges the inertial of every body, the lumped ones apart, and where one
// cannot be right, or is not plausible beside the robot's own lengths, tests
// which common slip explains it.
//
// A body exists if and only if its pseudo-inertia is positive definite, which
// is to say that its mass is positive and the principal moments about the
// centre of mass are positive and satisfy the triangle inequality (Wensing, Kim
// and Slotine 2018). Lengths are judged against the longest offset between two
// frames of the robot.
func (r *Robot) Lint() []Finding {
	bodies, missing := lintBodies(r)
	if len(bodies) == 0 {
		return []Finding{{ID: "no-inertials", Severity: SeverityNote,
			Text: "the file gives no inertials; there is nothing to compare an identification with"}}
	}
	var out []Finding
	for _, name := range missing {
		out = append(out, Finding{Link: name, ID: "missing", Severity: SeverityNote, Text: "has no inertial, though other links have"})
	}
	size := sizeOf(r)
	for i := range bodies {
		b := &bodies[i]
		out = append(out, b.impossible()...)
		if b.mass > 0 {
			b.massive = b.heavy(bodies, size)
			out = append(out, b.implausible(size)...)
		}
	}
	return out
}

func lintBodies(r *Robot) (bodies []lintBody, missing []string) {
	add := func(name string, p Inertial) {
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
		case l.Own != Inertial{}:
			add(l.Name, r.UserInertial(i, l.Own))
		case !l.HasInertial && l.Joint.Kind != Fixed && !l.Massless:
			missing = append(missing, l.Name)
		}
	}
	for _, l := range r.Lumped {
		if l.HasInertial && l.Inertial != (Inertial{}) {
			add(l.Name, l.Inertial.InFrame(l.InLink.Inv()))
		}
	}
	return bodies, missing
}

// sizeOf returns the longest offset between two frames of the robot, or the
// longest travel of a sliding joint, or 1 m where the robot has neither.
func sizeOf(r *Robot) float64 {
	s := 0.0
	for _, l := range r.Links {
		s = math.Max(s, spatial.Norm(l.Placement.P))
		if travel := l.Joint.Upper - l.Joint.Lower; l.Joint.Kind == Prismatic && travel > s {
			s = travel
		}
	}
	for _, l := range r.Lumped {
		s = math.Max(s, spatial.Norm(l.InLink.P))
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

// eigenvalues returns those of a symmetric matrix in ascending order; NaN
// where they do not converge.
func eigenvalues(m [3][3]float64) [3]float64 {
	scale := largest(m)
	if scale == 0 {
		return [3]float64{}
	}
	s := mat.NewSymDense(3, nil)
	for i := range 3 {
		for j := i; j < 3; j++ {
			s.SetSym(i, j, m[i][j]/scale)
		}
	}
	var e mat.EigenSym
	if math.IsInf(scale, 0) || !e.Factorize(s, false) {
		return [3]float64{math.NaN(), math.NaN(), math.NaN()}
	}
	v := e.Values(nil)
	return [3]float64{v[0] * scale, v[1] * scale, v[2] * scale}
}

// boundary is by how much of the largest principal moment the inequalities may
// be missed: thin rods and plates lie on the boundary, and files round.
const boundary = 1e-9

// possible tells whether a central inertia is that of a body.
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

// causeOfImpossible tests which slip would have made a possible body
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
	for i, name := range [3]string{"ixx", "iyy", "izz"} {
		signed := b.central
		if signed[i][i] = -signed[i][i]; b.central[i][i] < 0 && possible(signed) {
			return "the sign of " + name
		}
	}
	return ""
}

// heavy tells whether a body's mass is out of proportion: to the other bodies,
// or to a steel cube as long as the robot's longest offset.
func (b *lintBody) heavy(bodies []lintBody, size float64) bool {
	var others []float64
	for i := range bodies {
		if o := &bodies[i]; o != b && o.mass > 0 {
			others = append(others, o.mass)
		}
	}
	if b.mass > 7850*size*size*size {
		return true
	}
	if len(others) < 2 {
		return false
	}
	slices.Sort(others)
	return b.mass > 50*others[len(others)/2]
}

// implausible reports numbers that a body of this robot hardly has.
func (b *lintBody) implausible(size float64) []Finding {
	var out []Finding
	far := spatial.Norm(b.com)
	if far > 1.5*size {
		f := Finding{b.name, "com", SeverityWarning, far, fmt.Sprintf("its centre of mass lies %.3g m from its frame; the robot's longest offset is %.3g m", far, size), ""}
		if far/1000 <= 1.5*size {
			f.Cause = "millimetres given for metres"
		}
		out = append(out, f)
	}
	if b.central == [3][3]float64{} {
		return out
	}
	g := b.gyration
	text := fmt.Sprintf("its radius of gyration is %.3g m; the robot's longest offset is %.3g m", g, size)
	switch {
	case g > 1.5*size:
		return append(out, Finding{b.name, "gyration", SeverityWarning, g, text, b.causeOfLarge(size)})
	case g > 0 && g < size/100:
		cause := ""
		if b.massive && plausibleGyration(g*math.Sqrt(1000), size) {
			cause = "the mass in grams given for kilograms"
		}
		return append(out, Finding{b.name, "gyration", SeverityWarning, g, text, cause})
	}
	if b.massive {
		cause := ""
		if plausibleGyration(g*math.Sqrt(1000), size) {
			cause = "the mass in grams given for kilograms"
		}
		out = append(out, Finding{b.name, "mass", SeverityWarning, b.mass,
			fmt.Sprintf("its mass, %.4g kg, is out of proportion to the other links and to the robot's size", b.mass), cause})
	}
	if f, doubt := b.aboutFrame(size); doubt {
		out = append(out, f)
	}
	return out
}

// plausibleGyration tells whether a link of such a robot may have a radius of
// gyration.
func plausibleGyration(g, size float64) bool { return g >= size/60 && g <= size }

// causeOfLarge tries the units that the inertia, or all, may have been given in.
func (b *lintBody) causeOfLarge(size float64) string {
	if b.massive && plausibleGyration(b.gyration/1000, size) {
		return "the inertia in g·mm² given for kg·m², and the mass in grams"
	}
	for _, u := range []struct {
		unit  string
		scale float64
	}{{"kg·mm²", 1e6}, {"g·mm²", 1e9}, {"kg·cm²", 1e4}, {"g·cm²", 1e7}} {
		if plausibleGyration(b.gyration/math.Sqrt(u.scale), size) {
			return "the inertia in " + u.unit + " given for kg·m²"
		}
	}
	if _, doubt := b.aboutFrame(size); doubt {
		return causeAboutFrame
	}
	return ""
}

const causeAboutFrame = "the inertia about the link frame's origin given where the one about the centre of mass is expected: less m(|c|²·1 - c·cᵀ) it is still possible"

// aboutFrame tests whether the inertia that is said to be about the centre of
// mass may be about the frame's origin. Taking m·c·cᵀ from the second moments
// m·Σ leaves a possible body only if cᵀΣ⁻¹c < 1, that is if the frame's origin
// lies within one standard deviation of the mass; a link that is carried at
// its end has it at √3 or more. The slip itself leads to x/(1+x) for a body
// with x, which is 3/4 or more for such a link: only values from there up, and
// an offset that matters beside the robot's lengths, are evidence.
func (b *lintBody) aboutFrame(size float64) (Finding, bool) {
	if spatial.Norm(b.com) < size/5 || !possible(b.central) {
		return Finding{}, false
	}
	j := b.p.PseudoInertia()
	second := mat.NewSymDense(3, nil)
	for i := range 3 {
		for k := i; k < 3; k++ {
			second.SetSym(i, k, j[i][k]/b.mass-b.com[i]*b.com[k])
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(second) {
		return Finding{}, false
	}
	var x mat.VecDense
	c := mat.NewVecDense(3, b.com[:])
	if err := chol.SolveVecTo(&x, c); err != nil {
		return Finding{}, false
	}
	s := mat.Dot(c, &x)
	if s >= 1 || s < 0.74 {
		return Finding{}, false
	}
	return Finding{b.name, "frame", SeverityWarning, s,
		fmt.Sprintf("its mass would be spread so widely that the frame's origin, %.3g m from the centre of mass, lies within %.2g standard deviations of it", spatial.Norm(b.com), math.Sqrt(s)),
		causeAboutFrame}, true
}
