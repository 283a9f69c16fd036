package baseparams

import (
	"bytes"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/par"
	"ident/robot/format/urdf"
	"ident/robot/format/yaml"
)

// The robots of the recorded data and the SYMORO+ samples, loops cut open: null
// space and QR agree on each, with every term, and so do the rules on the
// links of those that stand in gravity.
func TestRobotFiles(t *testing.T) {
	files, err := filepath.Glob("../internal/testrobot/testdata/par/*.par")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "../datasets/example/puma560.urdf")
	files = append(files, testrobot.SharedFiles(t, "data/*/model/*.urdf")...)
	files = append(files, testrobot.SharedFiles(t, "cases/par_samples/*.par")...)
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			r, err := format.Open(f, robot.ReadOptions{TreeOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			values := map[string]float64{}
			for i, s := range r.Unset {
				values[s] = 0.31 + 0.173*float64(i)
			}
			if r, err = r.Bind(values); err != nil {
				t.Fatal(err)
			}
			for _, terms := range [][]regressor.Term{{regressor.Links}, linksAndRotors, regressor.DefaultTerms()} {
				m, err := regressor.NewDynamic(r, terms)
				if err != nil {
					t.Fatal(err)
				}
				qr := QR(m, Options{})
				null, err := NullSpace(r, terms, Options{})
				if err != nil {
					t.Fatal(err)
				}
				rules, err := Symbolic(r, terms, Options{})
				if err != nil {
					t.Fatal(err)
				}
				a := Compare(rules, null, qr)
				if a.Disagree {
					t.Errorf("%v: %v", terms, a.Findings)
				}
				if len(terms) == 1 && r.Gravity != [3]float64{} && !a.Methods.Symbolic.Agrees {
					t.Errorf("rules: %v", a.Findings)
				}
				t.Logf("%v: %d, rules %d", terms, a.Count, rules.Count())
			}
		})
	}
}

// One robot from three file formats has one base set.
func TestSetsOfFormats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 12))
		r := testrobot.RandomSpecial(rng, rapid.IntRange(1, 7).Draw(t, "links"), false)
		r.Gravity = robot.StandardGravity
		want, err := NullSpace(r, linksAndRotors, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for as, write := range map[string]func(io.Writer, *robot.Robot) error{
			"urdf": urdf.Write, "par": par.Write, "yaml": yaml.Write,
		} {
			var b bytes.Buffer
			if err := write(&b, r); err != nil {
				t.Fatalf("%s: %v", as, err)
			}
			back, err := format.Read(b.Bytes(), as, "r."+as, robot.ReadOptions{})
			if err != nil {
				t.Fatalf("%s: %v", as, err)
			}
			got, err := NullSpace(back, linksAndRotors, Options{})
			if err != nil {
				t.Fatal(err)
			}
			// Formats that walk the tree may number branches otherwise.
			if got.Count() != want.Count() || len(got.Zero) != len(want.Zero) {
				t.Fatalf("%s: %d base parameters, %d without effect, want %d and %d\n%s", as, got.Count(), len(got.Zero), want.Count(), len(want.Zero), b.String())
			}
			ordered := true
			for j, l := range r.Links {
				ordered = ordered && l.Antecedent == j-1
			}
			if ordered && !slices.Equal(got.Names(), want.Names()) {
				t.Fatalf("%s: %v, want %v", as, got.Names(), want.Names())
			}
		}
	})
}
