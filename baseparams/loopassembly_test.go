package baseparams

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/loops"
)

// At given places of its drives the SR400 closes as a parallelogram and crossed;
// the parallelogram, whose parameters act more alike, comes first.
func TestAssembleSR400(t *testing.T) {
	long.Only(t, "TestFourBarTorques stands for it")
	r := testrobot.SR400(t)
	a, err := Assemble(t.Context(), r, map[string]float64{"J2": 0.2, "J7": -1.3, "J4": 1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Others) != 1 || a.Count != 39 || !(a.Others[0].Count > a.Count) {
		t.Fatalf("%d parameters, others %+v", a.Count, a.Others)
	}
	off := func(joint string, want float64) float64 {
		return math.Abs(math.Remainder(a.Joints[joint]-want, 2*math.Pi))
	}
	if off("J3", math.Pi/2-1.5) > 1e-9 || off("J8", 1.5) > 1e-9 || a.Joints["J4"] != 1 || a.Joints["J7"] != -1.3 {
		t.Errorf("assembled with %v", a.Joints)
	}
	if got := a.Passive(r); !strings.HasPrefix(got, "J3 = 0.0708, J8 = 1.5") {
		t.Errorf("passive joints: %s", got)
	}
	// As a robot's own assembly it is the one that sets are found in.
	r.Assembly = a.Joints
	if s, err := QRLoops(t.Context(), r, linksAndRotors, Options{}); err != nil || s.Count() != 42 || len(s.Warnings) != 0 {
		t.Errorf("%v, %v", s, err)
	}
	r.Assembly = a.Others[0].Joints
	if s, err := QRLoops(t.Context(), r, linksAndRotors, Options{}); err != nil || s.Count() <= 42 {
		t.Errorf("crossed: %d, %v", s.Count(), err)
	}
	// Out of reach.
	slide := testrobot.AKR3000(t)
	_, err = Assemble(t.Context(), slide, map[string]float64{"J5": 9}, Options{})
	var open *loops.ClosureError
	if !errors.As(err, &open) || !strings.Contains(err.Error(), "the driven joints at J5 = 9") {
		t.Errorf("a slide of 9 m: %v", err)
	}
	if _, err := Assemble(t.Context(), slide, map[string]float64{"J99": 0}, Options{}); err == nil {
		t.Error("a joint that is none is accepted")
	}
}
