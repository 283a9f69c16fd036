package loads

import (
	"math"
	"strings"
	"testing"

	"ident/internal/spatial"
	"ident/robot"
)

// Numbers of tubes of AlMg3, computed independently from the formulas of Vukobratović and Potkonjak (1985, 4.5) with
// their material.
func TestTubeNumbers(t *testing.T) {
	for _, c := range []struct{ outer, inner, i, w, weight float64 }{
		{0.02, 0.015, 8.590292e-8, 4.295146e-6, 1.484403}, {0.022, 0.0165, 1.2577e-7, 0, 1.7961}, {0.022, 0.016, 1.3251e-7, 0, 1.9340},
		{0.04, 0.03, 1.3744e-6, 0, 5.9376}, {0.025, 0.01875, 2.0972e-7, 0, 2.3194}, {0.014, 0.0105, 2.0625e-8, 0, 0.7274},
	} {
		s := TubeSection(c.outer, c.inner)
		digits := 7e-5 // half of the last of four digits
		if c.w > 0 {
			digits = 1e-6
			near(t, "modulus", s.WX, c.w, digits)
			near(t, "modulus of torsion", s.WTorsion, 2*c.w, digits)
		}
		near(t, "moment of the section", s.IX, c.i, digits)
		near(t, "moment of torsion", s.Torsion, 2*c.i, digits)
		near(t, "mass a metre", 2700*s.Area, c.weight, digits)
	}
	m := Materials()["AlMg3"]
	near(t, "allowed tension", m.Tension, 5.886e7, 1e-4)
	near(t, "allowed shear", m.Shear, 4.905e7, 1e-4)
	near(t, "shear modulus", m.ShearModulus(), 3.042e10, 1e-4)
	// A square tube of thin walls: A = 4aw, I = 2a³w/3, torsion a³w, to the thickness over the edge.
	const a, w = 0.1, 1e-5
	s := RectangularSection(a, a, w)
	near(t, "area", s.Area, 4*a*w, 3*w/a)
	near(t, "moment", s.IX, 2*a*a*a*w/3, 4*w/a)
	near(t, "torsion", s.Torsion, a*a*a*w, 4*w/a)
	near(t, "modulus of torsion", s.WTorsion, 2*a*a*w, 4*w/a)
}

// cantilever is a tube along x in parts of equal length, with joints between them that stay at zero.
func cantilever(parts int, section string) (*robot.Robot, Series) {
	var frames []robot.MDHFrame
	for i := range parts {
		f := robot.MDHFrame{Antecedent: i - 1}
		if i > 0 {
			f.D = 1 / float64(parts)
		} else {
			f.Alpha = math.Pi / 2
		}
		frames = append(frames, f)
	}
	r := robot.FromMDH("cantilever", frames)
	for i := range r.Links {
		r.Links[i].Section = section
	}
	s := Series{T: []float64{0, 1}}
	for range parts {
		zero := []float64{0, 0}
		s.Q, s.DQ, s.DDQ = append(s.Q, zero), append(s.DQ, zero), append(s.DDQ, zero)
	}
	return r, s
}

// A massless tube of 1 m with 5 kg at its end bends by mgl³/3EI = 2.425218 mm and vibrates at √(3EI/ml³)/2π =
// 10.1223 Hz, as one beam and as three in a row; its root bears the weight's moment.
func TestCantilever(t *testing.T) {
	for parts := 1; parts <= 3; parts++ {
		end := 1 / float64(parts)
		section := "{tube: {outer: 0.02, inner: 0.015}, material: AlMg3}"
		r, s := cantilever(parts, section)
		last := &r.Links[parts-1]
		last.Section = "{tube: {outer: 0.02, inner: 0.015}, material: AlMg3, to: [1/" + string(rune('0'+parts)) + ", 0, 0]}"
		out := of(t, r, s, Options{Payload: &Payload{Link: parts - 1, Body: robot.InertialFromCentral(5, [3]float64{end, 0, 0}, spatial.Mat{}), Point: [3]float64{end, 0, 0}}})
		near(t, "deflection", out.Tip.Deflection.Value, 2.425218e-3, 1e-6)
		if out.Tip.Frequency == nil {
			t.Fatal("no frequency")
		}
		near(t, "frequency", *out.Tip.Frequency, 10.1223, 1e-5)
		near(t, "bending", out.Beams[0].Bending.Value, 5*9.81/4.295146e-6, 1e-6)
		near(t, "share", *out.Beams[0].Share, 5*9.81/4.295146e-6/5.886e7, 1e-4)
		if out.Beams[0].End != "root" || out.Beams[0].Torsion.Value > 1 {
			t.Errorf("%+v", out.Beams[0])
		}
		near(t, "grip", out.Payload.Force.Value, 5*9.81, 1e-12)
		near(t, "root's tilting moment", math.Hypot(out.Bearings[0].Tilt.Value, out.Bearings[0].Twist.Value), 5*9.81, 1e-12)
	}
	// Its own weight bends it by ql⁴/8EI = ml³g/8EI.
	r, s := cantilever(1, "{tube: {outer: 0.02, inner: 0.015}, material: AlMg3, to: [1, 0, 0]}")
	const m = 1.484403
	r.Links[0].Own = robot.InertialFromCentral(m, [3]float64{0.5, 0, 0}, [3][3]float64{{}, {0, m / 12}, {0, 0, m / 12}})
	r.Links[0].Inertial, r.Links[0].HasInertial = r.Links[0].Own, true
	out := of(t, r, s, Options{})
	near(t, "deflection by its own weight", out.Tip.Deflection.Value, m*9.81/(8*7.848e10*8.590292e-8), 1e-6)
	near(t, "stress by its own weight", out.Beams[0].Combined.Value, m*9.81/2/4.295146e-6, 1e-6)
	// A cantilever's lowest circular frequency is 3.516015·√(EI/ml³); Rayleigh's share of 33/140 is 1.5 % too high.
	exact := 3.516015 / (2 * math.Pi) * math.Sqrt(7.848e10*8.590292e-8/m)
	near(t, "its own frequency", *out.Tip.Frequency, exact, 0.016)
	if *out.Tip.Frequency < exact {
		t.Errorf("Rayleigh's quotient bounds the frequency from above: %g, exact %g", *out.Tip.Frequency, exact)
	}
}

// A wrench across a beam in any direction bends it as superposed cantilevers: rectangular tubes about both edges,
// torsion by ml/GJ, tension by fl/EA; the compliance is symmetric.
func TestBeamCompliance(t *testing.T) {
	r, _ := cantilever(1, "{rectangular_tube: {x: 0.06, y: 0.03, wall: 0.002}, young: 2.1e11, to: [0, 0.7, 0], edge: [0, 0, 2]}")
	b, err := parseBeam(r, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "length", b.length, 0.7, 1e-12)
	if x := (spatial.Vec{b.axes[0][0], b.axes[1][0], b.axes[2][0]}); x != (spatial.Vec{0, 0, 1}) {
		t.Errorf("edge %v", x)
	}
	var c [6][6]float64
	for k := range 6 {
		var w [6]float64
		w[k] = 1
		u, phi := b.bend(wrenchOf(w))
		for i, v := range [6]float64{u[0], u[1], u[2], phi[0], phi[1], phi[2]} {
			c[i][k] = v
		}
	}
	s := b.section
	near(t, "about y", c[0][0], 0.7*0.7*0.7/(3*2.1e11*s.IY), 1e-12)
	near(t, "about x", c[1][1], 0.7*0.7*0.7/(3*2.1e11*s.IX), 1e-12)
	near(t, "along", c[2][2], 0.7/(2.1e11*s.Area), 1e-12)
	near(t, "twist", c[5][5], 0.7*2.6/(2.1e11*s.Torsion), 1e-12)
	if !(s.IY > 2*s.IX) {
		t.Errorf("sections %+v", s)
	}
	for i := range 6 {
		for k := range i {
			if math.Abs(c[i][k]-c[k][i]) > 1e-15*math.Sqrt(c[i][i]*c[k][k]) {
				t.Errorf("compliance %d,%d: %g and %g", i, k, c[i][k], c[k][i])
			}
		}
	}
}

func TestBadSections(t *testing.T) {
	for text, want := range map[string]string{
		"{tube: {outer: 0.02, inner: 0.03}, material: AlMg3}":               "inner radius",
		"{tube: {outer: 0.02, inner: 0.01}}":                                "no modulus",
		"{tube: {outer: 0.02, inner: 0.01}, material: wood, to: [1, 0, 0]}": "not known",
		"{tube: {outer: 0.02, inner: 0.01}, material: steel}":               "length is zero",
		"{material: steel}":                                                                     "give one of",
		"{tube: {outer: 0.02, inner: 0.01}, lenght: 2}":                                         `"lenght" is not known`,
		"{rectangular_tube: {x: 1, y: 1, wall: 0.1}, young: -1}":                                "negative",
		"{rectangular_tube: {x: 1, y: 1, wall: 0.1}, young: 1, to: [0, 0, 1], edge: [0, 0, 1]}": "across",
		"{rectangular_tube: {x: 1, y: 1, wall: 0.6}, young: 1, to: [0, 0, 1], edge: [0, 0, 1]}": "do not fit",
	} {
		r, _ := cantilever(1, text)
		if _, err := parseBeam(r, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	// Deflections beyond the theory are told.
	r, s := cantilever(1, "{tube: {outer: 0.005, inner: 0.004}, material: AlMg3, to: [1, 0, 0]}")
	out := of(t, r, s, Options{Payload: &Payload{Body: robot.InertialFromCentral(5, [3]float64{1, 0, 0}, spatial.Mat{}), Point: [3]float64{1, 0, 0}}})
	if !strings.Contains(strings.Join(out.Notes, " "), "linear theory") {
		t.Errorf("%q", out.Notes)
	}
}
