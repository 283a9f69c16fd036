package baseparams

import (
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// A floating tree of n revolute joints in general position has 7n + 10
// parameters: the ten of the base, and for each joint all but YY, MZ and M.
func TestFloatingTheory(t *testing.T) {
	for n := 1; n <= 8; n++ {
		r := testrobot.Random(rand.New(rand.NewPCG(uint64(n), 61)), n, false)
		for j := range r.Links {
			r.Links[j].Joint.Kind = robot.Revolute
		}
		terms := []regressor.Term{regressor.Links}
		null, err := NullSpaceFloating(r, terms, Options{})
		if err != nil {
			t.Fatal(err)
		}
		qr, err := QRFloating(t.Context(), r, terms, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*Set{null, qr} {
			if s.Count() != 7*n+10 || len(s.Columns) != 10*n+10 || len(s.Zero) != 0 {
				t.Fatalf("%d joints, %s: %d of %d, %d without effect; the theory says %d of %d, 0",
					n, s.Method, s.Count(), len(s.Columns), len(s.Zero), 7*n+10, 10*n+10)
			}
			for c, name := range robot.InertialNames {
				if s.Columns[c].Name != name+"0" || !s.keeps(c) {
					t.Fatalf("%s: column %d is %s, kept: %v; the base's %s0 is kept", s.Method, c, s.Columns[c].Name, s.keeps(c), name)
				}
			}
		}
		for _, err := range []error{WriteRegp(io.Discard, null, r), WriteBasePar(io.Discard, null, r, nil)} {
			if !errors.Is(err, robot.ErrNotWritable) {
				t.Fatalf("a SYMORO+ file of a floating base: %v", err)
			}
		}
		if a := Compare(nil, null, qr); a.Disagree {
			t.Fatalf("%d joints: %v", n, a.Findings)
		}
	}
}

// On any floating tree, with any terms, null space and QR find the same set, with
// gravity or without: accelerations of the base act as gravity does.
func TestFloatingAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 62))
		r := testrobot.RandomSpecial(rng, rapid.IntRange(1, 6).Draw(t, "links"), true)
		terms := rapid.SampledFrom([][]regressor.Term{{regressor.Links}, linksAndRotors, regressor.DefaultTerms(), {regressor.Ia, regressor.Fo}}).Draw(t, "terms")
		null, err := NullSpaceFloating(r, terms, Options{})
		if err != nil {
			t.Fatal(err)
		}
		qr, err := QRFloating(t.Context(), r, terms, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a := Compare(nil, null, qr); a.Disagree && null.Gap > 1e6 && qr.Gap > 1e6 {
			t.Fatal(a.Findings)
		}
		r.Gravity = [3]float64{}
		weightless, err := NullSpaceFloating(r, terms, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if names := differing(null, weightless); len(names) > 0 {
			t.Fatalf("without gravity %v differ", names)
		}
	})
}
