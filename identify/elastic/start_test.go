package elastic

import (
	"errors"
	"slices"
	"testing"

	"ident/regressor"
	"ident/simulate/plant"
)

// A start whose links have negative inertias, as least squares of a smooth motion may give, goes towards the robot file until the links can
// swing; stiffness, damping and rotors stay.
func TestStartWithoutInertia(t *testing.T) {
	m, err := New(twoAxis())
	if err != nil {
		t.Fatal(err)
	}
	const rate = 500
	l := withoutLinks(m, ideal(moved(t, m, rate, 2, 1e-6), rate), MotorAlone)
	full, set, err := m.Base(t.Context(), Terms{})
	if err != nil {
		t.Fatal(err)
	}
	f := &Fit{Machine: m, Sensors: MotorAlone, Model: full.Select(set.Base).Compiled(), Base: set, Cutoff: m.cutoff(rate)}
	b, err := newMotorSide(m, f, []*Log{l})
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.start()
	if err != nil {
		t.Fatal(err)
	}
	bad := *s
	bad.p = slices.Clone(s.p)
	for i, c := range b.columns {
		if c.Term == regressor.Links {
			bad.p[i] = -0.5 * bad.p[i]
		}
	}
	var massless *plant.InertiaError
	if _, err := b.equations(t.Context(), &bad); !errors.As(err, &massless) {
		t.Fatalf("links of negative inertia swing: %v", err)
	}
	at, err := b.movable(t.Context(), &bad)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.equations(t.Context(), at); err != nil {
		t.Error(err)
	}
	for i, c := range b.columns {
		if (c.Term == regressor.Ia || c.Drive > 0) && at.p[i] != s.p[i] {
			t.Errorf("%s has changed", c.Name)
		}
	}
}
