package baseparams

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// Where the rules are complete, the three routes find one set: with gravity for
// the links alone, and with rotor inertias where no joint slides. On the other
// robots the rules keep too much, never too little, and Compare reports it. So it does where rounding divided by the
// margin of a decision exceeds what it takes for equal coefficients.
func TestRoutesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRobot(t, 7)
		if len(r.Moving()) == 0 {
			return
		}
		terms := []regressor.Term{regressor.Links}
		if rapid.Bool().Draw(t, "rotors") {
			terms = linksAndRotors
		}
		rules, err := Symbolic(r, terms, Options{})
		if err != nil {
			t.Fatal(err)
		}
		null, err := NullSpace(r, terms, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := regressor.NewDynamic(r, terms)
		if err != nil {
			t.Fatal(err)
		}
		qr := QR(m, Options{})
		a := Compare(rules, null, qr)
		if a.Disagree && min(null.Gap, qr.Gap) < 1/sameCoefficient && null.Count() == qr.Count() {
			// 1/Gap of rounding is in the coefficients, and Compare says that the geometry is near a coincidence.
			sameSet(t, m, null, qr)
			return
		}
		if a.Disagree || !a.Methods.NullSpace.Agrees || !a.Methods.QR.Agrees {
			t.Fatalf("null space and QR: %v", a.Findings)
		}
		slides := false
		for _, l := range r.Links {
			slides = slides || l.Joint.Kind == robot.Prismatic
		}
		if r.Gravity != [3]float64{} && (len(terms) == 1 || !slides) {
			sameSet(t, m, null, rules)
		}
		for _, c := range null.Base {
			if !rules.keeps(c) {
				t.Fatalf("the rules drop %s: %v", null.Columns[c].Name, a.Findings)
			}
		}
		if a.Methods.Symbolic.Agrees != (rules.Count() == null.Count()) || len(a.Methods.NullSpace.Extra) != rules.Count()-null.Count() {
			t.Fatalf("%d by the rules, %d in truth, extra %v", rules.Count(), null.Count(), a.Methods.NullSpace.Extra)
		}
		sameTorques(t, m, rules)
		sameTorques(t, m, null)
	})
}

// sameTorques checks that regrouped parameters give the torques of the
// standard ones.
func sameTorques(t *rapid.T, m *regressor.Model, s *Set) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 3))
	chi := make([]float64, len(s.Columns))
	for i := range chi {
		chi[i] = rng.NormFloat64()
	}
	k := s.FromStandard(chi)
	w := fullRows(m, 9)
	for row := range w[0] {
		full, base, size := 0.0, 0.0, 0.0
		for c := range w {
			full += w[c][row] * chi[c]
			size += math.Abs(w[c][row] * chi[c])
		}
		for i, c := range s.Base {
			base += w[c][row] * k[i]
			size += math.Abs(w[c][row] * k[i])
		}
		if math.Abs(full-base) > 1e-10*(1+size) {
			t.Fatalf("%s: row %d: base torque %.15g, full %.15g", s.Method, row, base, full)
		}
	}
}

// The gaps of the rules that are known (FORMULAS 3.3), with the relation that
// they miss.
func TestKnownGaps(t *testing.T) {
	for name, want := range map[string]struct {
		rules, truth int
		relation     string
	}{
		"gantry_ppp":    {5, 4, "Ia2 acts as -M1 + M2"},
		"mobile_planar": {31, 30, "Ia2 acts as -M1 + M2"},
	} {
		rules, null, qr := routes(t, caseRobot(t, name), linksAndRotors)
		a := Compare(rules, null, qr)
		v := a.Methods
		if a.Disagree || a.Count != want.truth || v.Symbolic.Count != want.rules || v.Symbolic.Agrees || !v.NullSpace.Agrees || !v.QR.Agrees {
			t.Errorf("%s: %+v", name, a)
		}
		for _, v := range []*Verdict{v.NullSpace, v.QR} {
			if len(v.Extra) != 1 || v.Extra[0].Expression != want.relation {
				t.Errorf("%s: extra %+v, want %q", name, v.Extra, want.relation)
			}
		}
		if len(a.Findings) != 1 || !strings.Contains(a.Findings[0], "incomplete") {
			t.Errorf("%s: %v", name, a.Findings)
		}
		if p := Preferred(rules, null, qr); p != null {
			t.Errorf("%s: preferred is %s", name, p.Method)
		}
		text, err := json.Marshal(a)
		if err != nil || !strings.Contains(string(text), `"extra":[]`) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}

// Axes that are nearly parallel, by less than a file's digits: null space and QR
// may decide differently, and the finding names the joint.
func TestNearCoincidence(t *testing.T) {
	frames := []robot.MDHFrame{
		{Antecedent: -1, Kind: robot.Revolute},
		{Antecedent: 0, Kind: robot.Revolute, Alpha: math.Pi / 2, D: 1},
		{Antecedent: 1, Kind: robot.Revolute},
		{Antecedent: 2, Kind: robot.Revolute, Alpha: math.Pi / 2, D: 1},
	}
	for alpha, disagree := range map[float64]bool{0: false, 1e-4: false, 1e-8: true, 2e-9: true} {
		frames[2].Alpha = alpha
		rules, null, qr := routes(t, robot.FromMDH("near", frames), linksAndRotors)
		a := Compare(rules, null, qr)
		if a.Disagree != disagree {
			t.Errorf("alpha %g: disagree is %v: %v", alpha, a.Disagree, a.Findings)
		}
		if warned := null.Warnings != nil && qr.Warnings != nil; warned != disagree {
			t.Errorf("alpha %g: warned is %v; gaps %.3g, %.3g", alpha, warned, null.Gap, qr.Gap)
		}
		if disagree && (!strings.Contains(a.Findings[0], "near a coincidence") || !strings.Contains(a.Findings[0], "L3")) {
			t.Errorf("alpha %g: %s", alpha, a.Findings[0])
		}
	}
}

// A robot with mimic joints has QR alone; one whose rules hold is printed with
// their expressions.
func TestMethodsThatDoNotApply(t *testing.T) {
	rules, null, qr := routes(t, caseRobot(t, "rx90"), linksAndRotors)
	if Preferred(rules, null, qr) != rules || Preferred(rules, nil, qr) != rules || Preferred(nil, nil, qr) != qr {
		t.Error("preferred set")
	}
	a := Compare(nil, nil, qr)
	if a.Methods.Symbolic != nil || a.Methods.NullSpace != nil || !a.Methods.QR.Agrees || a.Count != 40 || a.Findings != nil {
		t.Errorf("QR alone: %+v", a)
	}
}

func TestExplain(t *testing.T) {
	s, err := Symbolic(caseRobot(t, "rx90"), linksAndRotors, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"MX3":  "identifiable alone",
		"XX1":  "not at all, because no joint torque depends on it: the link turns about one direction only",
		"M6":   "in combination: mass on the joint's axis moves as if it were part of the link that carries it. It enters ZZ1R = ",
		"XX2R": "torques determine only XX2R = XX2 - YY2 - D3²·(M3 + M4 + M5 + M6)",
		"Ia2":  "turn about the joint's axis at the same rate",
	} {
		if got, err := s.Explain(name); err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q (%v)", name, got, want, err)
		}
	}
	var unknown *UnknownParameterError
	if _, err := s.Explain("XX9"); !errors.As(err, &unknown) {
		t.Errorf("XX9: %v", err)
	}
	if e := s.Eliminated(); len(e) != len(s.Columns)-s.Count() || e[0].Parameter != "XX1" || !strings.HasPrefix(e[0].Reason, "no effect: ") {
		t.Errorf("eliminated %v", e)
	}
}

// Every eliminated parameter of the rules has a reason, except where the
// reference explains itself.
func TestReasonsAreComplete(t *testing.T) {
	for _, c := range testrobot.Cases(t) {
		s, err := Symbolic(c.Robot(t), linksAndRotors, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for col := range s.Columns {
			if !s.keeps(col) && s.Reasons[col] == "" {
				t.Errorf("%s: no reason for %s", c.Name, s.Columns[col].Name)
			}
		}
	}
}

func TestTables(t *testing.T) {
	s, err := Symbolic(caseRobot(t, "rx90"), linksAndRotors, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	// The rows are the whole map: the base parameters follow from them.
	chi := make([]float64, len(s.Columns))
	values := map[string]float64{}
	for c := range chi {
		chi[c] = float64(c%7) - 2.5
		values[s.Columns[c].Name] = chi[c]
	}
	sums := map[string]float64{}
	for _, row := range rows[1:] {
		var coef float64
		if row[4] != "" {
			if err := json.Unmarshal([]byte(row[5]), &coef); err != nil {
				t.Fatal(err)
			}
			sums[row[4]] += coef * values[row[0]]
		}
	}
	for k, v := range s.FromStandard(chi) {
		if math.Abs(sums[s.Name(k)]-v) > 1e-12 {
			t.Errorf("%s is %g by the table, want %g", s.Name(k), sums[s.Name(k)], v)
		}
	}
	b.Reset()
	if err := s.WriteLaTeX(&b); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), `\\`+"\n"); n != s.Count()+1 {
		t.Errorf("%d lines for %d parameters", n, s.Count())
	}
	if strings.Count(b.String(), "{") != strings.Count(b.String(), "}") {
		t.Error("unbalanced braces")
	}
}
