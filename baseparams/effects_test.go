package baseparams

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// Effects of the experiment on an RX90's links: gravity along its vertical first
// axis hides MX1 and MY1, a wall shows them, and so on.
func TestEffectsRX90(t *testing.T) {
	effects, err := Effects(t.Context(), caseRobot(t, "rx90"), []regressor.Term{regressor.Links}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"the wrench under the base is measured too": "41 XZ1 YZ1 MX1 MY1 M1 MZ2 M2",
		"gravity is along x of the base":            "38 MX1 MY1 MZ2",
		"there is no gravity":                       "34 ",
	}
	for _, e := range effects {
		var more []string
		for _, c := range e.More {
			more = append(more, c.Parameter)
		}
		text := fmt.Sprint(e.Count, " ", strings.Join(more, " "))
		if w, ok := want[e.Setup]; ok && text != w {
			t.Errorf("%s: %s, want %s", e.Setup, text, w)
		}
		delete(want, e.Setup)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

// A locked joint leaves the set that robot.Lock's robot has.
func TestEffectsOfLocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 51))
		r := testrobot.RandomSpecial(rng, rapid.IntRange(2, 5).Draw(t, "links"), true)
		effects, err := Effects(t.Context(), r, linksAndRotors, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range r.Links {
			i := slices.IndexFunc(effects, func(e Effect) bool { return e.Setup == "joint "+l.Joint.Name+" is locked" })
			locked, err := r.Lock(l.Joint.Name, 0)
			if (err == nil) != (i >= 0) {
				t.Fatalf("joint %s: Lock says %v, and there is effect %d", l.Joint.Name, err, i)
			}
			if i < 0 {
				continue
			}
			s, err := NullSpace(locked, linksAndRotors, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if s.Count() != effects[i].Count {
				t.Fatalf("joint %s locked: %d parameters, robot.Lock's robot has %d", l.Joint.Name, effects[i].Count, s.Count())
			}
		}
	})
}

// Of robots with mimic joints QR alone finds a set, and mimics are locked with
// their leaders.
func TestEffectsOfMimics(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(3, 52)), 4, false)
	for j := range r.Links {
		r.Links[j].Antecedent, r.Links[j].Joint.Kind = j-1, robot.Revolute
	}
	r.Mimics = []robot.Mimic{{Joint: 2, Of: 1, Multiplier: -1, Offset: 0.3}}
	r.Drives = []robot.Drive{{Number: 3, Weights: map[int]float64{0: 1, 3: 1}}}
	effects, err := Effects(t.Context(), r, linksAndRotors, Options{})
	if err != nil {
		t.Fatal(err)
	}
	locks := 0
	for _, e := range effects {
		name, ok := strings.CutSuffix(e.Setup, " is locked")
		if !ok {
			continue
		}
		name = strings.TrimPrefix(name, "joint ")
		locks++
		locked, err := r.Lock(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		m, err := regressor.NewDynamic(locked, linksAndRotors)
		if err != nil {
			t.Fatal(err)
		}
		if s := QR(m, Options{}); s.Count() != e.Count {
			t.Errorf("%s locked: %d parameters, robot.Lock's robot has %d", name, e.Count, s.Count())
		}
	}
	if locks != 3 {
		t.Errorf("%d joints can be locked, want 3", locks)
	}
}
