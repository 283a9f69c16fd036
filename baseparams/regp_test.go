package baseparams

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

// The listing that OpenSYMORO printed of the RX90 has the relations of the rules,
// term by term and in the same symbols.
func TestReadRX90(t *testing.T) {
	var pub struct {
		Equations []string `json:"regp_equations"`
		Table     []string `json:"regp_table"`
	}
	published(t, "pub_rx90_opensymoro.json", &pub)
	text := strings.Join(pub.Equations, "\n") + "\n\nRX90 grouped inertia parameters\n" + strings.Join(pub.Table, "\n") + "\n"
	l, err := readRegp(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if l.Robot != "RX90" || l.Links != 6 || len(l.Base) != 40 {
		t.Errorf("robot %q with %d links and %d base parameters, want RX90, 6 and 40", l.Robot, l.Links, len(l.Base))
	}
	r := caseRobot(t, "rx90")
	for _, terms := range [][]regressor.Term{linksAndRotors, {regressor.Links}} {
		got, err := l.Set(r, terms)
		if err != nil {
			t.Fatal(err)
		}
		rules, null, qr := routes(t, r, terms)
		for _, s := range []*Set{rules, null, qr} {
			// The listing keeps nothing more when the rotors are passed over.
			if names := differing(got, s); len(names) > 0 {
				t.Errorf("%s with %v: another set than listed, at %v", s.Method, terms, names)
			}
		}
		sameExact(t, got, rules)
	}
}

// sameExact compares sets with their expressions.
func sameExact(t testing.TB, got, want *Set) {
	t.Helper()
	for k := range want.Base {
		for d := range want.Dependent {
			if !got.Exact[k][d].Equal(want.Exact[k][d]) {
				t.Errorf("%s in %s: %s, want %s", want.Columns[want.Dependent[d]].Name, want.Name(k), got.Exact[k][d], want.Exact[k][d])
			}
		}
	}
}

func TestListingOfSymbols(t *testing.T) {
	r := caseRobot(t, "rx90")
	s, err := Symbolic(r, linksAndRotors, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteRegp(&b, s, r); err != nil {
		t.Fatal(err)
	}
	if want := "XXR2 = XX2 - YY2 - D3**2*(M3 + M4 + M5 + M6)\n"; !strings.Contains(b.String(), want) {
		t.Errorf("no %s in\n%s", want, b.String())
	}
	l, err := readRegp(&b)
	if err != nil {
		t.Fatal(err)
	}
	back, err := l.Set(r, linksAndRotors)
	if err != nil {
		t.Fatal(err)
	}
	if names := differing(back, s); len(names) > 0 {
		t.Errorf("read back, %v differ", names)
	}
	sameExact(t, back, s)
}

// Written and read back, every set is the same to the last bit.
func TestListingRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 31))
		r := testrobot.RandomSpecial(rng, rapid.IntRange(1, 6).Draw(t, "links"), true)
		s, err := NullSpace(r, linksAndRotors, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := WriteRegp(&b, s, r); err != nil {
			t.Fatal(err)
		}
		l, err := readRegp(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		back, err := l.Set(r, linksAndRotors)
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		if back.Count() != s.Count() || len(back.Zero) != len(s.Zero) || len(back.Dependent) != len(s.Dependent) {
			t.Fatalf("%d+%d+%d parameters, want %d+%d+%d", len(back.Base), len(back.Dependent), len(back.Zero), len(s.Base), len(s.Dependent), len(s.Zero))
		}
		for k := range s.Beta {
			for d, v := range s.Beta[k] {
				if back.Base[k] != s.Base[k] || back.Dependent[d] != s.Dependent[d] || back.Beta[k][d] != v {
					t.Fatalf("%s: %v, want %v", s.Name(k), back.Relation(k), s.Relation(k))
				}
			}
		}
	})
}

func TestListingFaults(t *testing.T) {
	table := "j XX XY XZ YY YZ ZZ MX MY MZ M IA\n1 0 0 0 0 0 ZZR1 MX1 MY1 0 0 0\n2 0 0 0 0 0 ZZ2 MX2 MY2 0 0 IA2\n"
	for text, want := range map[string]string{
		"":                               "no table",
		"j XX XY\n":                      "no rows",
		"j XX XY\n1 XX1\n":               "1 entries",
		table:                            "no combination",
		"ZZR1 = ZZ1*M2\n" + table:        "not linear",
		"ZZR1 = ZZ1/M2\n" + table:        "not linear",
		"ZZR1 = ZZ1/0\n" + table:         "division by zero",
		"ZZR1 = (ZZ1\n" + table:          "too early",
		"ZZR1 = ZZ1 & M2\n" + table:      "unexpected",
		"ZZR1 = cos(M2)\n" + table:       "not linear",
		"ZZR1 = D2**1000*M2\n" + table:   "below 100",
		"A = 9**99\nB = A**99\n" + table: "too large",
		"M1 = M2\n" + table:              "cannot be defined",
	} {
		_, err := readRegp(strings.NewReader(text))
		var fe *robot.FileError
		if !errors.As(err, &fe) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	r := &robot.Robot{Gravity: robot.StandardGravity, Links: []robot.Link{{Antecedent: -1, Placement: robot.Identity()}, {Antecedent: 0, Placement: robot.Identity()}}}
	for text, want := range map[string]string{
		"ZZR1 = ZZ1 + D2**2*M2\n" + table: "no value",
		"ZZR1 = ZZ1 + MX2\n" + table:      "kept too",
		"ZZR1 = M2\n" + table:             "does not hold ZZ1",
		"j XX\n1 XX1\n":                   "2",
	} {
		l, err := readRegp(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var fe *robot.FileError
		if _, err = l.Set(r, linksAndRotors); !errors.As(err, &fe) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if _, err = l.Set(r, regressor.DefaultTerms()); err == nil {
			t.Error("friction compared with a listing")
		}
	}
	// An offset that acts like weight is regrouped, and a listing has no
	// place for it.
	flat := &robot.Robot{Gravity: robot.StandardGravity, Links: []robot.Link{{Antecedent: -1, Placement: robot.Identity(), Joint: robot.Joint{Kind: robot.Prismatic}}}}
	s, err := NullSpace(flat, regressor.DefaultTerms(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteRegp(&bytes.Buffer{}, s, flat); !errors.Is(err, robot.ErrNotWritable) {
		t.Errorf("a regrouped offset was written: %v", err)
	}
}

// The robot with base parameters instead of the standard ones has the
// torques of the robot that they come from.
func TestBasePar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 32))
		r := testrobot.RandomSpecial(rng, rapid.IntRange(1, 6).Draw(t, "links"), false)
		for j := range r.Links {
			r.Links[j].Joint.Ia = rng.Float64()
		}
		s, err := NullSpace(r, linksAndRotors, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := WriteBasePar(&b, s, r, s.FromStandard(parametersOf(r, s))); err != nil {
			t.Fatal(err)
		}
		back, err := format.Read(b.Bytes(), "par", "base.par", robot.ReadOptions{NoSnap: true})
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		want, got := torquesOf(t, r, parametersOf(r, s)), torquesOf(t, back, parametersOf(back, s))
		for k := range want {
			for i := range want[k] {
				if d := math.Abs(got[k][i] - want[k][i]); !(d <= 1e-10*(1+math.Abs(want[k][i]))) {
					t.Fatalf("joint %d: torque %.15g, want %.15g\n%s", k+1, got[k][i], want[k][i], b.String())
				}
			}
		}
		for c := range s.Columns {
			if v := parametersOf(back, s)[c]; !s.keeps(c) && v != 0 {
				t.Fatalf("%s is eliminated and has the value %g", s.Columns[c].Name, v)
			}
		}
	})
}

func parametersOf(r *robot.Robot, s *Set) []float64 {
	chi := make([]float64, len(s.Columns))
	for c, col := range s.Columns {
		chi[c], _ = regressor.ValueOf(r, col)
	}
	return chi
}

func torquesOf(t *rapid.T, r *robot.Robot, chi []float64) [][]float64 {
	m, err := regressor.NewDynamic(r, linksAndRotors)
	if err != nil {
		t.Fatal(err)
	}
	b := restingRegressor(m, 5, nil)
	tau := make([][]float64, m.Joints())
	for k := range tau {
		tau[k] = make([]float64, b.Rows)
	}
	m.Predict(tau, b, chi)
	return tau
}

// Without values the symbols stand there, and those of the geometry stay.
func TestBaseParSymbols(t *testing.T) {
	r := caseRobot(t, "rx90")
	s, err := Symbolic(r, linksAndRotors, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteBasePar(&b, s, r, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"XX = {0, XXR2, XXR3, XXR4, XXR5, XXR6}\n",
		"ZZ = {ZZR1, ZZR2, ZZR3, ZZR4, ZZR5, ZZ6}\n",
		"M = {0, 0, 0, 0, 0, 0}\n",
		"IA = {0, 0, IA3, IA4, IA5, IA6}\n",
		"d = {0, 0, D3, 0, 0, 0}\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
	back, err := format.Read(b.Bytes(), "par", "RX90base.par", robot.ReadOptions{Set: r.Symbols})
	if err != nil {
		t.Fatal(err)
	}
	// Eliminated parameters are known to be zero now, and nothing is left to regroup.
	rules, null, qr := routes(t, back, linksAndRotors)
	for _, again := range []*Set{rules, null, qr} {
		if again.Count() != 40 || len(again.Columns) != 40 {
			t.Errorf("%s: the robot read back has %d base parameters of %d, want 40 of 40", again.Method, again.Count(), len(again.Columns))
		}
		for k, c := range s.Base {
			if again.Count() == 40 && again.Name(k) != s.Columns[c].Name {
				t.Errorf("%s: parameter %d of the robot read back is %s, want %s", again.Method, k, again.Name(k), s.Columns[c].Name)
			}
		}
	}
	// Values belong to the lengths that they were computed with.
	b.Reset()
	if err := WriteBasePar(&b, s, r, make([]float64, s.Count())); err != nil {
		t.Fatal(err)
	}
	if want := "d = {0, 0, 0.45, 0, 0, 0}\n"; !strings.Contains(b.String(), want) {
		t.Errorf("no %s in\n%s", want, b.String())
	}
}

func FuzzReadRegp(f *testing.F) {
	f.Add("ZZR1 = ZZ1 + D2**2*M2\n*=*\nr grouped inertia parameters\nj XX ZZ M IA\n1 0 ZZR1 0 0\n2 0 ZZ2 0 IA2\n")
	f.Add("A = (cos(Pi/2) - 1.5e-3)*M2/L\nj XX XY\n1 XX1 A\n2 0 0")
	f.Add("A = 9**99\nB = A**99\nj XX\n1 XX1")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := readRegp(strings.NewReader(text))
		if err != nil {
			var fe *robot.FileError
			if !errors.As(err, &fe) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		r := &robot.Robot{Gravity: robot.StandardGravity}
		if l.Links > 20 {
			return
		}
		for j := range l.Links {
			r.Links = append(r.Links, robot.Link{Antecedent: j - 1, Placement: robot.Identity()})
		}
		s, err := l.Set(r, linksAndRotors)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := WriteRegp(&b, s, r); err != nil {
			t.Fatal(err)
		}
		again, err := readRegp(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		back, err := again.Set(r, linksAndRotors)
		if err != nil {
			t.Fatalf("%v in\n%s", err, b.String())
		}
		if names := differing(back, s); len(names) > 0 {
			t.Fatalf("%v differ in\n%s", names, b.String())
		}
	})
}

// The listing of an arm in a horizontal plane agrees with the null space, and its
// relation is written in this library's notation.
func TestReadPlanarListing(t *testing.T) {
	l, err := readRegp(strings.NewReader(`
ZZR1 = ZZ1 + D2**2*M2
*=*
planar grouped inertia parameters
j  XX  XY  XZ  YY  YZ  ZZ    MX   MY   MZ  M
1  0   0   0   0   0   ZZR1  0    0    0   0
2  0   0   0   0   0   ZZ2   MX2  MY2  0   0
`))
	if err != nil {
		t.Fatal(err)
	}
	arm := robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.5}})
	arm.Symbols = map[string]float64{"D2": 0.5}
	terms := []regressor.Term{regressor.Links}
	listed, err := l.Set(arm, terms)
	if err != nil {
		t.Fatal(err)
	}
	null, err := NullSpace(arm, terms, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := Compare(listed, null, nil)
	if a.Count != 4 || !a.Methods.Symbolic.Agrees {
		t.Errorf("%d base parameters, agreement %v; want 4 and true", a.Count, a.Methods.Symbolic.Agrees)
	}
	if rel := listed.Relation(0); rel.Base != "ZZ1R" || rel.Expression != "ZZ1 + D2²·M2" {
		t.Errorf("relation %s = %s, want ZZ1R = ZZ1 + D2²·M2", rel.Base, rel.Expression)
	}
}
