package lint

import (
	"math"
	"strings"
	"testing"

	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/robot"
	"ident/robot/format"
)

// soundArm is a three-link arm of rods with sound inertials.
func soundArm() *robot.Robot {
	r := robot.FromMDH("arm", []robot.MDHFrame{
		{Antecedent: -1}, {Antecedent: 0, Alpha: math.Pi / 2}, {Antecedent: 1, D: 0.5}, {Antecedent: 2, D: 0.4},
	})
	for i, m := range []float64{6, 5, 3, 1} {
		l := &r.Links[i]
		c := [3]float64{0.25, 0.02, 0.01}
		central := [3][3]float64{{.01, .001, .0005}, {.001, m * .02, .0004}, {.0005, .0004, m * .02}}
		l.Own = robot.InertialFromCentral(m, c, central)
		l.Inertial, l.HasInertial = l.Own, true
	}
	return r
}

func TestLintPassesSoundBodies(t *testing.T) {
	if f := Bodies(soundArm()); len(f) != 0 {
		t.Errorf("%+v", f)
	}
	r := robot.FromMDH("bare", []robot.MDHFrame{{Antecedent: -1}})
	if f := Bodies(r); len(f) != 1 || f[0].ID != "no-inertials" || f[0].Severity != SeverityNote {
		t.Errorf("%+v", f)
	}
}

func TestLintNamesPlantedFaults(t *testing.T) {
	plain := func(f func(m *float64, c *[3]float64, j *[3][3]float64)) func(robot.Inertial) robot.Inertial {
		return func(p robot.Inertial) robot.Inertial {
			m := p.Mass()
			c, _ := p.CentreOfMass()
			j, _ := p.Central()
			f(&m, &c, &j)
			return robot.InertialFromCentral(m, c, j)
		}
	}
	for name, c := range map[string]struct {
		plant    func(robot.Inertial) robot.Inertial
		id       string
		severity Severity
		cause    string
	}{
		"at the frame": {plain(func(m *float64, c *[3]float64, j *[3][3]float64) {
			*j = spatial.AddMat(*j, spatial.ScaleMat(*m, spatial.PointInertia(*c)))
		}), "frame", SeverityWarning, "about the link frame's origin"},
		"twice moved": {plain(func(m *float64, c *[3]float64, j *[3][3]float64) {
			*j = spatial.AddMat(*j, spatial.ScaleMat(-*m, spatial.PointInertia(*c)))
		}), "inertia", SeverityError, "about the centre of mass given where"},
		"kg·mm²": {plain(func(_ *float64, _ *[3]float64, j *[3][3]float64) { *j = spatial.ScaleMat(1e6, *j) }), "gyration", SeverityWarning, "in kg·mm²"},
		"g·mm²":  {plain(func(_ *float64, _ *[3]float64, j *[3][3]float64) { *j = spatial.ScaleMat(1e9, *j) }), "gyration", SeverityWarning, "in g·mm²"},
		"sign": {plain(func(_ *float64, _ *[3]float64, j *[3][3]float64) {
			// A rod along (1, 1, 1), all of whose products are negative, with one
			// sign lost.
			*j = [3][3]float64{{.02, .0099, -.0099}, {.0099, .02, -.0099}, {-.0099, -.0099, .02}}
		}), "triangle", SeverityError, "sign of a product"},
		"grams": {plain(func(m *float64, _ *[3]float64, _ *[3][3]float64) { *m *= 1000 }), "gyration mass", SeverityWarning, "in grams"},
		"grams and g·mm²": {plain(func(m *float64, _ *[3]float64, j *[3][3]float64) {
			*m *= 1000
			*j = spatial.ScaleMat(1e9, *j)
		}), "gyration", SeverityWarning, "mass in grams"},
		"millimetres": {plain(func(_ *float64, c *[3]float64, _ *[3][3]float64) { *c = spatial.Scale(1000, *c) }), "com", SeverityWarning, "millimetres"},
		"triangle":    {plain(func(_ *float64, _ *[3]float64, j *[3][3]float64) { j[2][2] *= 2 }), "triangle", SeverityError, ""},
		"negative":    {plain(func(m *float64, _ *[3]float64, _ *[3][3]float64) { *m = -*m }), "mass", SeverityError, ""},
		"diagonal":    {plain(func(_ *float64, _ *[3]float64, j *[3][3]float64) { j[2][2] = -j[2][2] }), "inertia", SeverityError, "sign of izz"},
		"diagonals":   {plain(func(_ *float64, _ *[3]float64, j *[3][3]float64) { j[0][0], j[2][2] = -j[0][0], -j[2][2] }), "inertia", SeverityError, "sign of ixx, izz: with ixx = "},
		"rows": {plain(func(_ *float64, _ *[3]float64, j *[3][3]float64) {
			m := *j
			set(j, m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2])
		}), "inertia", SeverityError, "iyy being ixy again"},
		"triangle for moments": {plain(func(_ *float64, _ *[3]float64, j *[3][3]float64) {
			m := *j
			set(j, m[0][0], m[1][1], m[1][2], m[0][1], m[2][2], m[0][2])
		}), "inertia", SeverityError, "in the places of moments"},
		"point": {plain(func(_ *float64, _ *[3]float64, j *[3][3]float64) { *j = [3][3]float64{} }), "point-mass", SeverityNote, ""},
	} {
		for link := range 4 {
			r := soundArm()
			l := &r.Links[link]
			l.Own = c.plant(l.Own)
			l.Inertial = l.Own
			found := Bodies(r)
			ok := false
			for _, f := range found {
				if f.Link != l.Name {
					t.Errorf("%s on %s: %s is accused: %+v", name, l.Name, f.Link, f)
				}
				ok = ok || strings.Contains(c.id, f.ID) && f.Severity == c.severity && strings.Contains(f.Cause, c.cause)
			}
			if !ok {
				t.Errorf("%s on link %s: got %+v", name, l.Name, found)
			}
		}
	}
}

// set sets the numbers of an inertia in the order of a URDF.
func set(j *[3][3]float64, xx, xy, xz, yy, yz, zz float64) {
	*j = [3][3]float64{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}
}

func TestLintOfDataRobots(t *testing.T) {
	for _, f := range testrobot.SharedFiles(t, "data/*/model/*.urdf") {
		r, err := format.Open(f, robot.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range Bodies(r) {
			// The identified KUKA sets are known to be infeasible.
			if x.Severity == SeverityError && !strings.Contains(f, "kuka_lwr4_gaz") && !strings.Contains(f, "kuka_lwr4_identified") {
				t.Errorf("%s: %+v", f, x)
			}
		}
	}
}

// No robot of the reference data has one of the four slips of an inertia: rows of the matrix for its six numbers, products in the places of moments, negated moments,
// and no mass beside collision geometry.
func TestNoFalseSlips(t *testing.T) {
	files := append(testrobot.SharedFiles(t, "data/*/model/*.urdf"), testrobot.SharedFiles(t, "cases/par_samples/*.par")...)
	read := 0
	for _, f := range files {
		r, err := format.Open(f, robot.ReadOptions{TreeOnly: true})
		if err != nil {
			t.Logf("%s: %v", f, err)
			continue
		}
		read++
		for _, x := range append(Bodies(r), Parsers(r)...) {
			if x.ID == "massless-collision" || strings.Contains(x.Cause, "ixy again") || strings.Contains(x.Cause, "in the places of moments") || strings.Contains(x.Cause, "the sign of i") {
				t.Errorf("%s: %+v", f, x)
			}
		}
	}
	t.Logf("%d of %d files read, no slip found", read, len(files))
	if read < 10 {
		t.Errorf("%d files read", read)
	}
}

// Of the moments of table 5.21 of Vukobratović and Potkonjak (1985) segment 2 has no Jy: 2.98 and 3.701 kg·m² admit
// 0.721 to 6.681. Segment 2 of UMS-1 (0.0011, 0.0022, 0.0092) breaks the triangle inequality; the rows of table 5.29 and
// the complete ones of 5.21 are bodies.
func TestPublishedMoments(t *testing.T) {
	low, high := AdmissibleMoment(2.98, 3.701)
	if math.Abs(low-0.721) > 1e-12 || math.Abs(high-6.681) > 1e-12 {
		t.Errorf("Jy in [%g, %g]", low, high)
	}
	for _, c := range []struct {
		mass float64
		j    [3]float64
		id   string
	}{
		{27.8, [3]float64{2.98, 0, 3.701}, "missing-moment"},
		{4.7, [3]float64{0.0011, 0.0022, 0.0092}, "triangle"},
		{2.33, [3]float64{0.004, 0.004, 0.004}, ""},
		{2.33, [3]float64{0.007, 0.009, 0.009}, ""},
		{4, [3]float64{0.02, 0.02, 0.02}, ""},
		{12, [3]float64{0.16, 0.16, 0.05}, ""},
		{3, [3]float64{0.1, 0.1, 0}, ""}, // a thin rod
	} {
		b := lintBody{name: "segment", mass: c.mass, p: robot.InertialFromCentral(c.mass, [3]float64{}, [3][3]float64{{c.j[0]}, {0, c.j[1]}, {0, 0, c.j[2]}})}
		b.central, _ = b.p.Central()
		found := b.impossible()
		if c.id == "" && len(found) > 0 || c.id != "" && (len(found) != 1 || found[0].ID != c.id) {
			t.Errorf("moments %v: %+v", c.j, found)
		}
		if c.id == "missing-moment" && !strings.Contains(found[0].Text, "between 0.721 and 6.681 kg·m²") {
			t.Errorf("%s", found[0].Text)
		}
	}
	// About turned axes the interval is that of the principal moments: 2.98 and 3.701 turned by 0.4 rad about y.
	b := lintBody{name: "turned", mass: 27.8}
	turn := spatial.RotY(0.4)
	b.central = spatial.Mul(spatial.Mul(turn, spatial.Mat{{2.98}, {}, {0, 0, 3.701}}), spatial.Transpose(turn))
	if found := b.impossible(); len(found) != 1 || !strings.Contains(found[0].Text, "iyy is zero") || !strings.Contains(found[0].Text, "0.721 and 6.681") {
		t.Errorf("%+v", found)
	}
}

// No numbers make the lint panic.
func FuzzBodies(f *testing.F) {
	f.Add(2.0, 0.1, 0.2, 0.3, 0.01, 0.02, 0.03, 0.0, 0.0, 0.0)
	f.Add(27.8, 0.0, 0.0, 0.0, 2.98, 0.0, 3.701, 0.0, 0.0, 0.0)
	f.Fuzz(func(t *testing.T, m, x, y, z, xx, yy, zz, xy, xz, yz float64) {
		r := soundArm()
		l := &r.Links[2]
		l.Own = robot.InertialFromCentral(m, [3]float64{x, y, z}, [3][3]float64{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}})
		l.Inertial = l.Own
		Bodies(r)
	})
}
