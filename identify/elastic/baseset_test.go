package elastic

import (
	"slices"
	"testing"

	"ident/baseparams"
	"ident/internal/testrobot"
	"ident/regressor"
)

// The two-axis machine of Khalil and Gautier (2000) has ten elastic freedoms and two motors: 48 base parameters of the
// links, 58 with the rotors that the guide counts at all joints (case highspeed_2axis_elastic), and 78 with the
// stiffness and the damping of the elastic joints. QR and the null space keep the same parameters.
func TestTwoAxisMachine(t *testing.T) {
	c := testrobot.CaseOf(t, "highspeed_2axis_elastic")
	r := c.Robot(t)
	for j := range r.Links {
		if j != 4 && j != 8 && r.Links[j].Joint.Kind != 2 {
			r.Links[j].Joint.Elastic, r.Links[j].Joint.Passive = true, true
		}
	}
	m, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Springs) != 10 {
		t.Fatalf("%d springs", len(m.Springs))
	}
	for _, k := range []struct {
		terms []regressor.Term
		rotor bool
		want  int
	}{
		{[]regressor.Term{regressor.Links}, false, 48},
		{[]regressor.Term{regressor.Links, regressor.Ia}, true, 58},
		{[]regressor.Term{regressor.Links, regressor.Ia, regressor.Elastic}, true, 78},
	} {
		x := m.Extended.Clone()
		for j := range x.Links {
			x.Links[j].Joint.NoRotor = !k.rotor
		}
		model, err := regressor.NewDynamic(x, k.terms)
		if err != nil {
			t.Fatal(err)
		}
		if set := baseparams.QR(model, baseparams.Options{}); set.Count() != k.want {
			t.Errorf("%v: %d base parameters by QR, want %d", k.terms, set.Count(), k.want)
		}
		if k.want == 78 {
			continue
		}
		x.Drives = nil
		set, err := baseparams.NullSpace(x, k.terms, baseparams.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if set.Count() != k.want {
			t.Errorf("%v: %d base parameters by the null space, want %d", k.terms, set.Count(), k.want)
		}
	}
	_, qr, err := m.Base(t.Context(), Terms{Frictionless: true})
	if err != nil {
		t.Fatal(err)
	}
	null, err := m.BaseNullSpace(Terms{Frictionless: true})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(qr.Names(), null.Names()) {
		t.Errorf("QR keeps %v, the null space %v", qr.Names(), null.Names())
	}
	// 48 of the links, two of each spring, and the rotor of joint 9; that of joint 5 is regrouped with ZZ5, as in the case.
	if want := 48 + 20 + 1; qr.Count() != want {
		t.Errorf("%d base parameters, want %d", qr.Count(), want)
	}
}

// The relations of both methods agree for arms whose joints are all elastic.
func TestBaseSetsAgree(t *testing.T) {
	for _, r := range []*Machine{machine(t, twoAxis()), machine(t, sevenJoints())} {
		_, qr, err := r.Base(t.Context(), Terms{Cubic: true, WindUp: true})
		if err != nil {
			t.Fatal(err)
		}
		null, err := r.BaseNullSpace(Terms{Cubic: true, WindUp: true})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(qr.Base, null.Base) || !slices.Equal(qr.Dependent, null.Dependent) || !slices.Equal(qr.Zero, null.Zero) {
			t.Fatalf("%s: QR keeps %v, the null space %v", r.Robot.Name, qr.Names(), null.Names())
		}
		for k := range qr.Beta {
			for i, v := range qr.Beta[k] {
				// Both resolve coefficients of the order of one to nine digits: baseparams tests it.
				if d := v - null.Beta[k][i]; d > 1e-9 || d < -1e-9 {
					t.Errorf("%s: %s has %g by QR and %g by the null space", r.Robot.Name, qr.Name(k), v, null.Beta[k][i])
				}
			}
		}
	}
}
