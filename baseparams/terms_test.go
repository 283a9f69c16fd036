package baseparams

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// The terms beyond rigid links and simple friction, on a robot of six revolute
// joints with all axes askew, add one base parameter a column, except for known
// identities.
func TestBaseParametersOfFurtherTerms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 51))
	r := testrobot.Random(rng, 6, false)
	for j := range r.Links {
		r.Links[j].Joint.Kind, r.Links[j].Joint.GearRatio, r.Links[j].Antecedent = robot.Revolute, 50, j-1
	}
	count := func(terms ...regressor.Term) *Set {
		m, err := regressor.NewDynamic(r, append(regressor.DefaultTerms(), terms...))
		if err != nil {
			t.Fatal(err)
		}
		return QR(m, Options{})
	}
	plain := count().Count()
	for _, c := range []struct {
		term  regressor.Term
		more  int
		names []string // among the base parameters
	}{
		// With u the joint's axis, (ω·u + q̇)² of the link's ZZ, (ω·u)² of its
		// carrier and q̇² of Ia hold the product that a carried rotor adds.
		{regressor.Ir, 0, nil},
		// Of four coefficients three are Fv, Fs and Fo.
		{regressor.Asymmetric, 6, []string{"Fvp1"}},
		{regressor.LoadFs, 6, []string{"Fl3"}},
		{"Fst:0.05", 6, []string{"Fst1", "Fst6"}},
		{regressor.Spring, 6, []string{"Ks1"}},
		// About a first axis at rest the springs are weight.
		{regressor.Balance, 10, []string{"Kgs2", "Kgc6"}},
		// The last link's ten parameters, less the three that it gives away.
		{"Fw:300", 18, []string{"Fwv1", "Fws3", "Fwo6"}},
		{"Ft:30", 18, []string{"Ftv1", "Fts3", "Fto6"}},
		{"Fp:300/300/0/0/0/0", 6, []string{"Fpv1", "Fps2", "Fpo2"}},
		{"Fh:0.01+0.1", 12, []string{"Fha1", "Fhb6"}},
		{regressor.Quadratic, 6, []string{"Fq1"}},
		{"Tr:7", 12, []string{"Tr1s1", "Tr1c6"}},
		{"Tr:1m+2m/0/1m/1m/1m/0", 10, []string{"Tr2s1", "Tr1c5"}},
		// Once a turn of the joint it is weight, as with a spring.
		{"Tr:1", 10, []string{"Tr1s2", "Tr1c6"}},
		{"payload:link6", 7, []string{"PXX6R"}},
		{"wrench:link6", 6, []string{"Wfx6"}},
		{"contact:link6@0.1/0/0.2/0/0/1", 1, []string{"Fn6"}},
		{regressor.Gain, 6, []string{"G1"}},
	} {
		s := count(c.term)
		if got := s.Count() - plain; got < c.more || c.term != "payload:link6" && got != c.more {
			t.Errorf("%s adds %d base parameters, want %d", c.term, got, c.more)
		}
		for _, want := range c.names {
			if !slices.ContainsFunc(s.Base, func(b int) bool { return s.Columns[b].Name == want || want == s.Columns[b].Name+"R" }) {
				t.Errorf("%s: %s is not among the base parameters", c.term, want)
			}
		}
		var no *NotApplicableError
		if _, err := NullSpace(r, []regressor.Term{regressor.Links, c.term}, Options{}); !errors.As(err, &no) {
			t.Errorf("%s: the null space has no rules for it, and says %v", c.term, err)
		}
		if _, err := Symbolic(r, []regressor.Term{regressor.Links, c.term}, Options{}); !errors.As(err, &no) {
			t.Errorf("%s: the symbolic rules have none for it, and say %v", c.term, err)
		}
	}
}
