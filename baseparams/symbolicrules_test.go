package baseparams

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"ident/regressor"
	"ident/robot"
)

// symbolicChain is a serial robot with a symbol for every offset, and for every angle
// between axes if angles is set.
func symbolicChain(t *testing.T, n int, angles bool) *robot.Robot {
	t.Helper()
	r := &robot.Robot{Name: "chain", Gravity: robot.StandardGravity}
	values := map[string]float64{}
	for j := range n {
		d, l, a := fmt.Sprintf("D%d", j+1), fmt.Sprintf("RL%d", j+1), fmt.Sprintf("A%d", j+1)
		values[d], values[l] = 0.1+0.01*float64(j), 0.3-0.007*float64(j)
		alpha := []string{"Pi/2", "-Pi/2", "0"}[j%3]
		if angles {
			alpha, values[a] = a, 1+0.1*math.Sin(float64(j))
		}
		m := &robot.MDH{Text: [6]string{"0", "0", alpha, d, "0", l}}
		r.Links = append(r.Links, robot.Link{Antecedent: j - 1, MDH: m, UserFrame: robot.Identity(), Joint: robot.Joint{Name: fmt.Sprintf("J%d", j+1)}})
	}
	r, err := r.Bind(values)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Symbols go as far as relations stay readable; beyond, numbers take over and the
// set has a warning.
func TestExpressionsGiveWayToNumbers(t *testing.T) {
	for _, c := range []struct {
		links  int
		angles bool
		exact  bool
	}{{80, false, true}, {6, true, true}, {40, true, false}} {
		r := symbolicChain(t, c.links, c.angles)
		s, err := Symbolic(r, []regressor.Term{regressor.Links}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if (s.Exact != nil) != c.exact || (s.Warnings == nil) != c.exact {
			t.Errorf("%+v: exact is %v, warnings %v", c, s.Exact != nil, s.Warnings)
		}
		null, err := NullSpace(r, []regressor.Term{regressor.Links}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a := Compare(s, null, nil); !a.Methods.Symbolic.Agrees || a.Count != 7*c.links-4 {
			t.Errorf("%+v: %d, %v", c, a.Count, a.Findings)
		}
	}
}

// Geometry that this library's expressions cannot hold is treated in numbers.
func TestExpressionBeyondPolynomials(t *testing.T) {
	r := symbolicChain(t, 3, false)
	r.Links[2].MDH.Text[3] = "D3^0.3"
	r, err := r.Bind(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Symbolic(r, []regressor.Term{regressor.Links}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Exact != nil || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], `joint "J3"`) {
		t.Errorf("warnings %v", s.Warnings)
	}
}

func TestSymbolicNeedsValues(t *testing.T) {
	r := symbolicChain(t, 3, false)
	r.Unset = []string{"D3"}
	if _, err := Symbolic(r, []regressor.Term{regressor.Links}, Options{}); err == nil || !strings.Contains(err.Error(), "D3") {
		t.Errorf("unset symbol: %v", err)
	}
}
