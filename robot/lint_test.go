package robot

import (
	"math"
	"strings"
	"testing"

	"ident/internal/spatial"
)

// soundArm is a three-link arm of rods with sound inertials.
func soundArm() *Robot {
	r := FromMDH("arm", []MDHFrame{
		{Antecedent: -1}, {Antecedent: 0, Alpha: math.Pi / 2}, {Antecedent: 1, D: 0.5}, {Antecedent: 2, D: 0.4},
	})
	for i, m := range []float64{6, 5, 3, 1} {
		l := &r.Links[i]
		c := [3]float64{0.25, 0.02, 0.01}
		central := [3][3]float64{{.01, .001, .0005}, {.001, m * .02, .0004}, {.0005, .0004, m * .02}}
		l.Own = InertialFromCentral(m, c, central)
		l.Inertial, l.HasInertial = l.Own, true
	}
	return r
}

func TestLintPassesSoundBodies(t *testing.T) {
	if f := soundArm().Lint(); len(f) != 0 {
		t.Errorf("%+v", f)
	}
	r := FromMDH("bare", []MDHFrame{{Antecedent: -1}})
	if f := r.Lint(); len(f) != 1 || f[0].ID != "no-inertials" || f[0].Severity != SeverityNote {
		t.Errorf("%+v", f)
	}
}

func TestLintNamesPlantedFaults(t *testing.T) {
	plain := func(f func(m *float64, c *[3]float64, j *[3][3]float64)) func(Inertial) Inertial {
		return func(p Inertial) Inertial {
			m := p.Mass()
			c, _ := p.CentreOfMass()
			j, _ := p.Central()
			f(&m, &c, &j)
			return InertialFromCentral(m, c, j)
		}
	}
	for name, c := range map[string]struct {
		plant    func(Inertial) Inertial
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
		"point":       {plain(func(_ *float64, _ *[3]float64, j *[3][3]float64) { *j = [3][3]float64{} }), "point-mass", SeverityNote, ""},
	} {
		for link := range 4 {
			r := soundArm()
			l := &r.Links[link]
			l.Own = c.plant(l.Own)
			l.Inertial = l.Own
			found := r.Lint()
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

func TestLintOfDataRobots(t *testing.T) {
	for _, f := range dataURDFs(t) {
		r, err := Open(f, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range r.Lint() {
			// The identified KUKA sets are known to be infeasible.
			if x.Severity == SeverityError && !strings.Contains(f, "kuka_lwr4_gaz") && !strings.Contains(f, "kuka_lwr4_identified") {
				t.Errorf("%s: %+v", f, x)
			}
		}
	}
}
