package lint

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
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

// slips returns the findings on a robot that name one of the four slips of an inertia: rows of the matrix for its six numbers, products in the places of
// moments, negated moments, and no mass beside collision geometry.
func slips(r *robot.Robot) (out []Finding) {
	for _, x := range append(Bodies(r), Parsers(r)...) {
		if x.ID == "massless-collision" || strings.Contains(x.Cause, "ixy again") || strings.Contains(x.Cause, "in the places of moments") || strings.Contains(x.Cause, "the sign of i") {
			out = append(out, x)
		}
	}
	return out
}

// No robot file of the reference data has one of the four slips, nor have the published bodies of the Puma 560.
func TestNoFalseSlips(t *testing.T) {
	testrobot.DataDir(t)
	for _, f := range testrobot.SharedFiles(t, "cases/pub_puma560_corke.json") {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var published struct {
			Params []float64 `json:"params"` // ten a link
		}
		if err := json.Unmarshal(text, &published); err != nil {
			t.Fatal(err)
		}
		r := testrobot.CaseOf(t, "puma560_akb").Robot(t)
		for j := range r.Links {
			l := &r.Links[j]
			l.Own = robot.Inertial(published.Params[10*j : 10*j+10])
			l.Inertial, l.HasInertial = l.Own, true
		}
		for _, x := range slips(r) {
			t.Errorf("%s: %+v", f, x)
		}
	}
	files := append(testrobot.SharedFiles(t, "data/*/model/*.urdf"), testrobot.SharedFiles(t, "cases/par_samples/*.par")...)
	read := 0
	for _, f := range files {
		r, err := format.Open(f, robot.ReadOptions{TreeOnly: true})
		if err != nil {
			t.Logf("%s: %v", f, err)
			continue
		}
		read++
		for _, x := range slips(r) {
			t.Errorf("%s: %+v", f, x)
		}
	}
	t.Logf("%d of %d files read, no slip found", read, len(files))
	if read < 10 {
		t.Errorf("%d files read", read)
	}
}

// Bodies that exist, on the frames of the reference cases, have no slip and no error, in 20 draws of each case. The parameters in the files of the cases are
// random numbers, which are no bodies.
func TestNoFalseSlipsOfCases(t *testing.T) {
	rng := rand.New(rand.NewPCG(44, 4))
	cases := append(testrobot.Cases(t), testrobot.CaseOf(t, "sr400"), testrobot.CaseOf(t, "akr3000"))
	bodies := 0
	for _, c := range cases {
		r := c.Robot(t)
		for range 20 {
			for j := range r.Links {
				l := &r.Links[j]
				l.Own = testrobot.Body(rng)
				l.Inertial, l.HasInertial = l.Own, true
				bodies++
			}
			for _, x := range Bodies(r) {
				if x.Severity == SeverityError {
					t.Errorf("%s: %+v", c.Name, x)
				}
			}
			for _, x := range slips(r) {
				t.Errorf("%s: %+v", c.Name, x)
			}
		}
	}
	t.Logf("%d cases, %d bodies, no slip found", len(cases), bodies)
	if len(cases) < 17 {
		t.Errorf("%d cases", len(cases))
	}
}

// A bar of a loop is as long as the way to its cut, where no link has a frame: its centre is not far away.
func TestBarsThatEndInCuts(t *testing.T) {
	r := testrobot.Weigh(testrobot.SliderCrank(0, 0), rand.New(rand.NewPCG(5, 1)))
	r.Links[1].Own = robot.InertialFromCentral(1, [3]float64{0.5, 0, 0}, [3][3]float64{{.01, 0, 0}, {0, .05, 0}, {0, 0, .05}})
	r.Links[1].Inertial = r.Links[1].Own
	for _, f := range Bodies(r) {
		if f.ID == "com" || f.Cause == "millimetres given for metres" {
			t.Errorf("a centre 0.5 m along a bar of 0.8 m: %+v", f)
		}
	}
	r.Extra[r.Loops[0].Frame].Placement.P = [3]float64{}
	if f := Bodies(r); len(f) == 0 || f[0].ID != "com" {
		t.Errorf("a bar that ends where it begins: %+v", f)
	}
}
