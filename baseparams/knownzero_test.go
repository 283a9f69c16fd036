package baseparams

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/par"
)

// The published mobile robot as a SYMORO+ file with zeros for its two virtual
// links: 28 parameters, and 29 with the rotors of the other five joints.
func TestVirtualLinksOfAPar(t *testing.T) {
	r := caseRobot(t, "mobile_planar")
	var b strings.Builder
	if err := par.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, key := range append(robot.InertialNames[:], "IA") {
		for j := range 2 {
			text = strings.Replace(text, robot.ParameterName(key, j)+",", "0,", 1)
		}
	}
	back, err := format.Read([]byte(text), "par", "mobile.par", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !back.Links[0].Massless || !back.Links[1].Massless || back.Links[2].Massless {
		t.Fatalf("massless: %v %v %v", back.Links[0].Massless, back.Links[1].Massless, back.Links[2].Massless)
	}
	for n, terms := range map[int][]regressor.Term{28: {regressor.Links}, 29: linksAndRotors} {
		_, null, qr := routes(t, back, terms)
		if null.Count() != n || !slices.Equal(null.Names(), qr.Names()) {
			t.Errorf("%d by the structure, %d by QR, want %d", null.Count(), qr.Count(), n)
		}
	}
}

// OpenSYMORO's RX90 writes 0 for the rotor of joint 3, which is a base parameter of
// its own in the robot with all rotors: 39 are left of the published 40.
func TestRotorWrittenZero(t *testing.T) {
	text, err := testrobot.PublishedPar("rx90.par")
	if err != nil {
		t.Fatal(err)
	}
	for n, text := range map[int]string{39: string(text), 40: strings.Replace(string(text), "IA1,IA2,0,", "IA1,IA2,IA3,", 1)} {
		r, err := format.Read([]byte(text), "par", "RX90num.par", robot.ReadOptions{Set: map[string]float64{"d3": 0.45, "RL4": 0.45}})
		if err != nil {
			t.Fatal(err)
		}
		rules, null, qr := routes(t, r, linksAndRotors)
		for _, s := range []*Set{rules, null, qr} {
			if s.Count() != n || slices.Contains(s.Names(), "Ia3") != (n == 40) {
				t.Errorf("%s: %d base parameters, want %d", s.Method, s.Count(), n)
			}
		}
	}
}

// Relations stay in symbols: XX3 known to be zero leaves YY3 in its place, and
// everything that held YY3 holds XXR3 of the others.
func TestKnownZerosKeepSymbols(t *testing.T) {
	r := caseRobot(t, "rx90")
	r.Links[2].Zero = [robot.NumInertial]bool{robot.XX: true, robot.YZ: true, robot.MZ: true}
	s, err := Symbolic(r, []regressor.Term{regressor.Links}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Exact == nil {
		t.Fatal("the relations are numbers")
	}
	relations := map[string]string{}
	for _, rel := range s.Relations() {
		relations[rel.Base] = rel.Expression
	}
	if got, want := relations["YY3R"], "YY3 - YY4 - 2·RL4·MZ4 - RL4²·(M4 + M5 + M6)"; got != want {
		t.Errorf("YY3R = %s, want %s", got, want)
	}
	if strings.Contains(fmt.Sprint(relations), "XX3") || strings.Contains(fmt.Sprint(relations), "MZ3") {
		t.Errorf("a parameter that is zero is in %v", relations)
	}
	if got, want := relations["XX2R"], "XX2 - YY2 - D3²·(M3 + M4 + M5 + M6)"; got != want {
		t.Errorf("XX2R = %s, want %s", got, want)
	}
}

// With any entries written 0, in a file with symbols, the rules, the structure and QR
// find one set: the rules and the structure by leaving columns out, QR by never having
// them.
func TestRoutesAgreeOnKnownZeros(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRobot(t, 6)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "zeros"), 9))
		for j := range r.Links {
			l := &r.Links[j]
			l.HasInertial, l.Inertial, l.Own = false, robot.Inertial{}, robot.Inertial{}
			l.Massless = rng.Float64() < 0.2
			for p := range l.Zero {
				l.Zero[p] = !l.Massless && rng.Float64() < 0.3
			}
			l.Joint.NoRotor = l.Joint.Kind != robot.Fixed && rng.Float64() < 0.3
		}
		terms := anyTerms(t)
		m, err := regressor.NewDynamic(r, terms)
		if err != nil || len(m.Columns()) == 0 {
			return
		}
		null, err := NullSpace(r, terms, Options{})
		if err != nil {
			t.Fatal(err)
		}
		qr := QR(m, Options{})
		sameSet(t, m, null, qr)
		rules, err := Symbolic(r, terms, Options{})
		if err != nil {
			return // offsets that act like weight
		}
		if rules.Count() < qr.Count() {
			t.Fatalf("the rules keep %d, QR %d", rules.Count(), qr.Count())
		}
		// Rules that are incomplete keep a combination too many; their relations hold.
		for _, c := range rules.Dependent {
			checkDependent(t, m, rules, c)
		}
	})
}

// checkDependent evaluates W[c] − W[Base]·β at random states. A column that nearly vanishes is a difference of entries
// as large as those of the others, and has their rounding.
func checkDependent(t *rapid.T, m *regressor.Model, s *Set, c int) {
	w := fullRows(m, 3)
	rest := slices.Clone(w[c])
	scale, largest := norm(rest), 0.0
	for _, x := range w {
		largest = max(largest, norm(x))
	}
	d := slices.Index(s.Dependent, c)
	for k, b := range s.Base {
		if f := s.Beta[k][d]; f != 0 {
			axpy(rest, -f, w[b])
			scale = max(scale, math.Abs(f)*norm(w[b]))
		}
	}
	if norm(rest) > 1e-9*scale+1e-14*largest {
		t.Fatalf("%s: %s is off its relation by %.2g of %.2g", s.Method, s.Columns[c].Name, norm(rest), scale)
	}
}
