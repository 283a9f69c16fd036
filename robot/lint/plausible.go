package lint

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ident/internal/spatial"
)

// heavy reports whether a body's mass is out of proportion: to the other bodies,
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

// plausibleGyration reports whether a link of such a robot may have a radius of
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
// m·Σ leaves a feasible body only if cᵀΣ⁻¹c < 1, that is if the frame's origin
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
