package baseparams

import (
	"math"
	"testing"

	"ident/robot"
)

func TestGeneric(t *testing.T) {
	text := "NF = 3\nNL = 3\nNJ = 3\nType = 0\nAnt = {0, 1, 2}\nSigma = {0, 0, 0}\nB = {0, 0, 0}\nd = {0, D2, D3}\nR = {0, 0, RL3}\ngamma = {0, 0, 0}\nAlpha = {0, A2, 0}\nMu = {1, 1, 1}\nTheta = {th1, th2, th3}\n"
	r, err := robot.Read([]byte(text), "par", "generic", robot.ReadOptions{Set: map[string]float64{"D3": 0.25}})
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
