package baseparams

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/mechanics/loops"
	"ident/robot"
	"ident/robot/format"
)

func TestGeneric(t *testing.T) {
	text := "NF = 3\nNL = 3\nNJ = 3\nType = 0\nAnt = {0, 1, 2}\nSigma = {0, 0, 0}\nB = {0, 0, 0}\nd = {0, D2, D3}\nR = {0, 0, RL3}\ngamma = {0, 0, 0}\nAlpha = {0, A2, 0}\nMu = {1, 1, 1}\nTheta = {th1, th2, th3}\n"
	r, err := format.Read([]byte(text), "par", "generic", robot.ReadOptions{Set: map[string]float64{"D3": 0.25}})
	if err != nil {
		t.Fatal(err)
	}
	bound, drawn, err := Generic(r, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(bound.Unset) != 0 || len(r.Unset) != 3 || len(drawn) != 3 || bound.Symbols["D3"] != 0.25 {
		t.Fatalf("drawn %v, unset %v, symbols %v", drawn, bound.Unset, bound.Symbols)
	}
	for a, x := range drawn {
		if !(x > 0.3 && x < 0.9) {
			t.Errorf("%s = %g", a, x)
		}
		for b, y := range drawn {
			if a != b && math.Abs(x-y) < 0.05 {
				t.Errorf("%s = %g and %s = %g nearly coincide", a, x, b, y)
			}
		}
	}
	_, again, _ := Generic(r, 1)
	_, other, _ := Generic(r, 2)
	if again["D2"] != drawn["D2"] || other["D2"] == drawn["D2"] {
		t.Errorf("D2: %g, again %g, of another seed %g", drawn["D2"], again["D2"], other["D2"])
	}
	if same, none, err := Generic(bound, 1); same != bound || none != nil || err != nil {
		t.Error("a robot without unset symbols was changed")
	}
}

// Symbols of closed robots are drawn until the loops close, and not forever.
func TestGenericLoops(t *testing.T) {
	long.Only(t, "TestClosedReferenceRobots stands for it")
	text := "NF = 5\nNL = 3\nNJ = 4\nType = 2\nAnt = {0, 1, 0, 2, 3}\nSigma = {0, 0, 0, 0, 2}\nd = {0, D2, D3, D4, D5}\nMu = {1, 0, 0, 0, 0}\nTheta = {th1, th2, th3, th4, 0}\n"
	read := func(set map[string]float64) *robot.Robot {
		r, err := format.Read([]byte(text), "par", "bars", robot.ReadOptions{Loops: true, Set: set})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	// A ground of 1.8 m is out of reach of most draws.
	r := read(map[string]float64{"D3": 1.8})
	closed, redrawn := 0, 0
	for seed := range uint64(10) {
		bound, drawn, err := Generic(r, seed)
		if err != nil {
			continue
		}
		closed++
		if drawn["D2"]+drawn["D4"]+drawn["D5"] < 1.8 {
			t.Errorf("seed %d: %v cannot close", seed, drawn)
		}
		_, again, _ := Generic(r, seed)
		if again["D2"] != drawn["D2"] || len(bound.Unset) != 0 {
			t.Errorf("seed %d: %v, again %v, unset %v", seed, drawn, again, bound.Unset)
		}
		r2 := r.Clone()
		r2.Loops = nil
		if _, first, _ := Generic(r2, seed); first["D2"] != drawn["D2"] {
			redrawn++
		}
	}
	if closed == 0 || redrawn == 0 {
		t.Errorf("closed for %d seeds, %d of them after more than one draw", closed, redrawn)
	}
	_, _, err := Generic(read(map[string]float64{"D3": 5}), 0)
	var ce *loops.ClosureError
	if !errors.As(err, &ce) || !strings.Contains(err.Error(), "D2, D4, D5") || !strings.Contains(err.Error(), "frame 4 meets frame 5") {
		t.Errorf("a ground of 5 m: %v", err)
	}
}
