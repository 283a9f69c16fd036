package baseparams

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ident/regressor"
	"ident/robot"
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
		sameSet(t, got, QR(m.Select(keep), Options{}))
	})
}
