package baseparams

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

// The mobile robot of the guide, whose first two links are virtual.
func TestMasslessLinks(t *testing.T) {
	_, null, qr := routes(t, caseRobot(t, "mobile_planar"), []regressor.Term{regressor.Links})
	var massless []int
	for c, col := range null.Columns {
		if col.Link < 2 {
			massless = append(massless, c)
		}
	}
	want := []string{"ZZ3R", "MX3R", "MY3R", "M3R", "ZZ4R", "MX4R", "MY4R",
		"XX5R", "XY5", "XZ5", "YZ5", "ZZ5", "MX5", "MY5", "XX6R", "XY6", "XZ6", "YZ6", "ZZ6", "MX6", "MY6",
		"XX7R", "XY7", "XZ7", "YZ7", "ZZ7", "MX7", "MY7"}
	for _, s := range []*Set{null.Without(massless), qr.Without(massless)} {
		if !slices.Equal(s.Names(), want) {
			t.Errorf("%s: %v", s.Method, s.Names())
		}
	}
	// With rotors that the virtual joints do not have, 29.
	_, null, _ = routes(t, caseRobot(t, "mobile_planar"), linksAndRotors)
	massless = nil
	for c, col := range null.Columns {
		if col.Link < 2 {
			massless = append(massless, c)
		}
	}
	if n := null.Without(massless).Count(); n != 29 {
		t.Errorf("%d with rotors, want 29", n)
	}
}

// Taking columns off the set is taking them off the model.
func TestWithoutIsSelect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRobot(t, 6)
		if len(r.Moving()) == 0 {
			return
		}
		m, err := regressor.NewDynamic(r, linksAndRotors)
		if err != nil {
			t.Fatal(err)
		}
		null, err := NullSpace(r, linksAndRotors, Options{})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "columns"), 6))
		var drop, keep []int
		for c, col := range m.Columns() {
			if rng.Float64() < 0.2 || col.Link == 0 && col.Param != robot.ZZ {
				drop = append(drop, c)
			} else {
				keep = append(keep, c)
			}
		}
		got := null.Without(drop)
		kept := m.Select(keep)
		sameSet(t, kept, got, QR(kept, Options{}))
	})
}

// The same robot by its description: the first two links are massless, and their
// joints have no drives.
func TestMasslessInTheDescription(t *testing.T) {
	r := caseRobot(t, "mobile_planar")
	for j := range 2 {
		r.Links[j].Massless, r.Links[j].Joint.Virtual = true, true
	}
	for n, terms := range map[int][]regressor.Term{28: {regressor.Links}, 29: linksAndRotors} {
		rules, null, qr := routes(t, r, terms)
		for _, s := range []*Set{null, qr} {
			if s.Count() != n || !slices.Equal(s.Names(), null.Names()) {
				t.Errorf("%s: %d parameters %v, want %d", s.Method, s.Count(), s.Names(), n)
			}
		}
		if rules != nil && rules.Count() < n {
			t.Errorf("the rules keep %d, fewer than %d", rules.Count(), n)
		}
	}
}

// A humanoid of thirty revolute joints on a base that floats, described by six
// virtual joints: 7n + 10 parameters, and the wrench on the base alone shows all
// of them (Ayusawa, Venture and Nakamura, Int. J. Robotics Research 33(3), 2014).
func TestHumanoidOnVirtualJoints(t *testing.T) {
	text := "links:\n  - {name: pelvis, joint: {name: base, kind: floating}, inertial: {mass: 10}}\n"
	rng := rand.New(rand.NewPCG(30, 7))
	const limbs, each = 5, 6
	for limb := range limbs {
		parent := "pelvis"
		for j := range each {
			name := fmt.Sprintf("l%d_%d", limb, j)
			at := func() float64 { return 0.1 + 0.3*rng.Float64() }
			text += fmt.Sprintf("  - {name: %s, parent: %s, joint: {name: j_%s}, origin: {xyz: [%.3f, %.3f, %.3f], rpy: [%.3f, %.3f, %.3f]}}\n",
				name, parent, name, at(), at(), at(), at(), at(), at())
			parent = name
		}
	}
	r, err := format.Read([]byte(text), "yaml", "humanoid.yaml", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const n = limbs * each
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links, regressor.Ia})
	if err != nil {
		t.Fatal(err)
	}
	// Ten of each body, rotors at the real joints only.
	if got := len(m.Columns()); got != 10*(n+1)+n || m.Joints() != n+6 {
		t.Fatalf("%d columns, %d rows", got, m.Joints())
	}
	links, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		t.Fatal(err)
	}
	all := QR(links, Options{})
	if all.Count() != 7*n+10 {
		t.Errorf("%d base parameters, want %d", all.Count(), 7*n+10)
	}
	measured := func(rows ...int) *Set {
		s, err := qrRows(t.Context(), links, rows, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	alone := measured(0, 1, 2, 3, 4, 5)
	if !slices.Equal(alone.Names(), all.Names()) {
		t.Errorf("the base's rows alone show %d of them, want all %d", alone.Count(), all.Count())
	}
	// One leg's torques alone do not.
	if leg := measured(6, 7, 8, 9, 10, 11); leg.Count() >= all.Count() {
		t.Errorf("one leg's torques show %d of %d", leg.Count(), all.Count())
	}
}
