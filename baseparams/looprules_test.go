package baseparams

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

// The closed robots of the guide: by symbols as in the reference cases, and the expressions at other lengths and angles
// are the coefficients that QR finds there.
func TestRulesOfLoops(t *testing.T) {
	long.Only(t, "TestRulesOfMechanisms")
	for _, name := range []string{"sr400", "akr3000"} {
		r, c := closedCase(t, name)
		for variant, terms := range map[string][]regressor.Term{"links_only": {regressor.Links}, "with_active_Ia": {regressor.Links, regressor.Ia}} {
			s, err := Symbolic(r, terms, Options{})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, s, c.Variants[variant])
			if s.Exact == nil {
				t.Fatalf("%s %s: relations are numeric: %q", name, variant, s.Warnings)
			}
			if bars := strings.Contains(strings.Join(s.Warnings, " "), "links of J3 and J7 stay parallel, the links of J2 and J8 stay parallel"); bars != (name == "sr400") {
				t.Errorf("%s: %q", name, s.Warnings)
			}
			if variant == "with_active_Ia" && !long.Set() {
				continue
			}
			for seed := range uint64(long.Of(20, 0)) {
				rng := rand.New(rand.NewPCG(seed, 5))
				values := map[string]float64{}
				for k := range c.Values {
					values[k] = 0.3 + 0.6*rng.Float64()
				}
				other := bindCase(t, name, r, values)
				qr, err := QRLoops(t.Context(), other, terms, Options{Seed: seed, Start: closedStart(t, name, other)})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(s.Base, qr.Base) || !slices.Equal(s.Dependent, qr.Dependent) {
					t.Fatalf("%s %s: base %v by rules, %v by QR", name, variant, s.Names(), qr.Names())
				}
				for k := range s.Base {
					for d := range s.Dependent {
						if e := s.Exact[k][d].Eval(other.Symbols); !(math.Abs(e-qr.Beta[k][d]) <= 1e-9*(1+math.Abs(e))) {
							t.Errorf("%s %s: %s in %s is %s = %.12g, by QR %.12g", name, variant, s.Columns[s.Dependent[d]].Name, s.Name(k), s.Exact[k][d], e, qr.Beta[k][d])
						}
					}
				}
			}
		}
	}
}

// closedStart returns a closed state of a reference robot, the SR400's with its bars not crossed.
func closedStart(t *testing.T, name string, r *robot.Robot) []float64 {
	t.Helper()
	if name == "sr400" {
		return []float64{0, 0.9, math.Pi/2 - 0.9, 0, 0, 0, 0, 0.9}
	}
	c, err := loops.NewClosure(r)
	if err != nil {
		t.Fatal(err)
	}
	at, err := c.Assembled(nil)
	if err != nil {
		t.Fatal(err)
	}
	return at.Q
}

// What the rules give on other mechanisms beside QR. Two have relations that no rule knows: a plane loop that a column
// turns, whose products of inertia are tied by both directions of its closing, and a loop in space with one degree of freedom.
func TestRulesOfMechanisms(t *testing.T) {
	links := []regressor.Term{regressor.Links}
	for _, c := range []struct {
		name      string
		r         *robot.Robot
		start     []float64
		rules, qr int
		says      string
	}{
		{"parallelogram", fourBar([4]float64{0.8, 0.3, 0.8, 0.3}, 0.4), nil, 3, 3, "the link of J2 never turns, the links of J1 and J3 stay parallel"},
		{"crossed bars", fourBar([4]float64{0.8, 0.3, 0.8, 0.3}, 0.4), []float64{1.2, -0.4, -2}, 8, 8, "left to QR"},
		{"SR400 crossed", testrobot.SR400(t), []float64{0, 0.9, 3.144855532002748, 0, 0, 0, 0, 1.5740592052078513}, 48, 47, "left to QR"},
		{"unequal bars", fourBar([4]float64{0.9, 0.3, 0.7, 0.6}, 0.4), nil, 8, 8, "left to QR"},
		{"rhombus", testrobot.OpenClosed(t, "fivebar.par", map[string]float64{"d": 0.5}), nil, 4, 4, "move in proportion to links of each other"},
		{"level wrist", levelWrist(), nil, 9, 9, "the link of J5 turns about one direction only"},
		{"Bennett's", testrobot.Bennett(), nil, 12, 7, "left to QR"},
	} {
		if c.name == "SR400 crossed" && !long.Set() {
			continue // with IDENT_LONG: its random motions take as long as the others together
		}
		rules, err := Symbolic(c.r, links, Options{Start: c.start})
		if err != nil {
			t.Fatal(err)
		}
		qr, err := QRLoops(t.Context(), c.r, links, Options{Start: c.start})
		if err != nil {
			t.Fatal(err)
		}
		rulesHold(t, rules, qr)
		if rules.Count() != c.rules || qr.Count() != c.qr {
			t.Errorf("%s: %d base parameters by rules, %d by QR, want %d and %d", c.name, rules.Count(), qr.Count(), c.rules, c.qr)
		}
		if c.rules == c.qr && len(differing(rules, qr)) > 0 {
			t.Errorf("%s: rules and QR differ in %v", c.name, differing(rules, qr))
		}
		if found := len(Compare(rules, nil, qr).Methods.QR.Extra); found != rules.Count()-qr.Count() {
			t.Errorf("%s: QR has %d more relations", c.name, found)
		}
		if w := strings.Join(rules.Warnings, " "); !strings.Contains(w, c.says) {
			t.Errorf("%s: %q", c.name, w)
		}
	}
}

// Parallel bars whose frames are turned against each other by an angle that has no expression: the relations are numeric, and
// a warning says why.
func TestRulesOfTurnedBars(t *testing.T) {
	const text = `(* Robotname = 'turned' *)
NL = 3
NJ = 4
NF = 5
Type = 2
Ant = {0,1,0,2,3}
Sigma = {0,0,0,0,2}
B = {0,0,0,0,0}
d = {0,D2,D4,D4,D2}
R = {0,0,0,0,0}
gamma = {0,0,0,0,g5}
Alpha = {Pi/2,0,Pi/2,0,0}
Mu = {1,0,0,0,0}
Theta = {th1,th2,th3,th4,0}
G = {0,0,G3}
`
	r, err := format.Read([]byte(text), "par", "turned.par", robot.ReadOptions{Loops: true, Set: map[string]float64{"D2": 0.3, "D4": 0.7, "g5": 0.4}})
	if err != nil {
		t.Fatal(err)
	}
	links := []regressor.Term{regressor.Links}
	rules, err := Symbolic(r, links, Options{})
	if err != nil {
		t.Fatal(err)
	}
	qr, err := QRLoops(t.Context(), r, links, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w := strings.Join(rules.Warnings, " "); rules.Count() != 3 || len(differing(rules, qr)) > 0 || rules.Exact != nil || !strings.Contains(w, "no multiple of 15°") {
		t.Errorf("%v by rules, %v by QR, %q", rules.Names(), qr.Names(), w)
	}
}

// rulesHold checks that every combination without effect by the rules has none by QR over closed states.
func rulesHold(t *testing.T, rules, qr *Set) {
	t.Helper()
	for c := range rules.Columns {
		if rules.keeps(c) {
			continue
		}
		chi := make([]float64, len(rules.Columns))
		chi[c] = 1
		if d, found := slices.BinarySearch(rules.Dependent, c); found {
			for k, b := range rules.Base {
				chi[b] = -rules.Beta[k][d]
			}
		}
		for k, v := range qr.FromStandard(chi) {
			if !(math.Abs(v) < 1e-9) {
				t.Errorf("%s is invisible to the rules, but gives %s the value %g", rules.Columns[c].Name, qr.Name(k), v)
			}
		}
	}
}

// levelWrist has a parallelogram whose coupler never turns, and carries an arm and a wrist across.
func levelWrist() *robot.Robot {
	frames := []robot.MDHFrame{
		{Antecedent: -1, Alpha: 0.7}, {Antecedent: -1, Alpha: 0.7, D: 0.2}, {Antecedent: 0, D: 0.9},
		{Antecedent: 2, D: 0.2}, {Antecedent: 2, Alpha: math.Pi / 2, R: 0.3},
	}
	r := robot.FromMDH("levelWrist", frames)
	r.Links[1].Joint.Passive, r.Links[2].Joint.Passive = true, true
	r.Extra = []robot.ExtraFrame{
		{Name: "8", Antecedent: 1, Kind: robot.Revolute, Placement: robot.MDH{D: 0.9}.Transform()},
		{Name: "9", Antecedent: 2, Kind: robot.Fixed, Placement: robot.MDH{D: 0.2}.Transform()},
	}
	r.Loops = []robot.Loop{{Frame: 0, Meets: 1}}
	return r
}

// pantograph has two coaxial drives on a carrier that turns it about the vertical if column is true: crank 1 with link 3 at l1, crank 2 with link 4 at l2, and
// 3 and 4 close a parallelogram, so that 3 stays parallel to 2 and 4 to 1.
func pantograph(l1, l2, tilt, level float64, column bool) *robot.Robot {
	base := -1
	var frames []robot.MDHFrame
	if column {
		frames, base = append(frames, robot.MDHFrame{Antecedent: -1}), 0
	}
	first := len(frames)
	frames = append(frames, robot.MDHFrame{Antecedent: base, Alpha: tilt}, robot.MDHFrame{Antecedent: base, Alpha: tilt, Theta: level},
		robot.MDHFrame{Antecedent: first, D: l1}, robot.MDHFrame{Antecedent: first + 1, D: l2})
	r := robot.FromMDH("pantograph", frames)
	r.Links[first+2].Joint.Passive, r.Links[first+3].Joint.Passive = true, true
	r.Extra = []robot.ExtraFrame{
		{Name: "8", Antecedent: first + 2, Kind: robot.Revolute, Placement: robot.MDH{D: l2}.Transform()},
		{Name: "9", Antecedent: first + 3, Kind: robot.Fixed, Placement: robot.MDH{D: l1}.Transform()},
	}
	r.Loops = []robot.Loop{{Frame: 0, Meets: 1}}
	return r
}

// The first moments of a pantograph's links are tied by rules as by QR: in vertical, tilted and level planes, whatever the lengths, and on a
// column, where of the two relations one is left.
func TestRulesOfAPantograph(t *testing.T) {
	links := []regressor.Term{regressor.Links}
	for _, c := range []struct {
		name   string
		tilt   float64
		column bool
		rules  int
	}{{"vertical", math.Pi / 2, false, 8}, {"tilted", 0.6, false, 8}, {"level", 0, false, 0}, {"column", math.Pi / 2, true, 0}} {
		for seed := range uint64(long.Of(20, 1)) {
			if !long.Set() && (c.name == "column" || c.name == "tilted") {
				continue // with IDENT_LONG
			}
			rng := rand.New(rand.NewPCG(seed, 3))
			r := pantograph(0.2+rng.Float64(), 0.2+rng.Float64(), c.tilt, 1, c.column)
			start := []float64{0, 0, 0, 1, -1} // of which the same bars crossed are another assembly
			rules, err := Symbolic(r, links, Options{Seed: seed, Start: start[5-len(r.Links):]})
			if err != nil {
				t.Fatal(err)
			}
			qr, err := QRLoops(t.Context(), r, links, Options{Seed: seed, Start: start[5-len(r.Links):]})
			if err != nil {
				t.Fatal(err)
			}
			rulesHold(t, rules, qr)
			if c.rules != 0 && rules.Count() != c.rules || rules.Count() != qr.Count() || len(differing(rules, qr)) > 0 {
				t.Errorf("%s, seed %d: %d base parameters by rules, %d by QR: %v and %v", c.name, seed, rules.Count(), qr.Count(), rules.Names(), qr.Names())
			}
			if w := strings.Join(rules.Warnings, " "); !strings.Contains(w, "move in proportion to links of each other") {
				t.Errorf("%s, seed %d: %q", c.name, seed, w)
			}
		}
	}
}
