package baseparams

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// humanoid has a trunk of two joints and four limbs and a neck, thirty joints
// in all, with right angles between axes and offsets named by symbols.
func humanoid(tb testing.TB) *robot.Robot {
	tb.Helper()
	r := &robot.Robot{Name: "humanoid", Gravity: robot.StandardGravity}
	values := map[string]float64{}
	add := func(ant, k int) int {
		j := len(r.Links)
		d, l := fmt.Sprintf("D%d", j+1), fmt.Sprintf("RL%d", j+1)
		m := &robot.MDH{Text: [6]string{"0", "0", []string{"Pi/2", "-Pi/2", "0"}[k%3], d, "0", l}}
		values[d], values[l] = 0.1+0.01*float64(j), 0.3-0.007*float64(j)
		r.Links = append(r.Links, robot.Link{Name: fmt.Sprintf("L%d", j+1), Antecedent: ant, MDH: m, UserFrame: robot.Identity(),
			Joint: robot.Joint{Name: fmt.Sprintf("J%d", j+1)}})
		return j
	}
	trunk := add(add(-1, 0), 1)
	for _, n := range []int{7, 7, 6, 6, 2} {
		at := trunk
		for k := range n {
			at = add(at, k)
		}
	}
	r, err := r.Bind(values)
	if err != nil {
		tb.Fatal(err)
	}
	if len(r.Moving()) != 30 || len(r.Unset) != 0 {
		tb.Fatalf("%d joints, unset %v", len(r.Moving()), r.Unset)
	}
	return r
}

// The three routes on a robot of thirty joints with sixty symbols.
func TestHumanoid(t *testing.T) {
	r := humanoid(t)
	rules, null, qr := routes(t, r, linksAndRotors)
	if a := Compare(rules, null, qr); a.Disagree || !a.Methods.Symbolic.Agrees {
		t.Errorf("%d, %d, %d: %v", rules.Count(), null.Count(), qr.Count(), a.Findings)
	}
	for k := range rules.Base {
		for d, e := range rules.Exact[k] {
			if v := rules.Beta[k][d]; math.Abs(e.Eval(r.Symbols)-v) > 1e-12 {
				t.Fatalf("%s: %s is not %g", rules.Name(k), e, v)
			}
		}
	}
}

// A hundred joints by every route.
func TestHundredJoints(t *testing.T) {
	long.Only(t, "a hundred joints by three methods")
	rules, null, qr := routes(t, testrobot.Random(rand.New(rand.NewPCG(5, 5)), 100, false), linksAndRotors)
	if a := Compare(rules, null, qr); a.Disagree || !a.Methods.Symbolic.Agrees {
		t.Errorf("%d, %d, %d: %v", rules.Count(), null.Count(), qr.Count(), a.Findings)
	}
}

func BenchmarkStructure100(b *testing.B) {
	r := testrobot.Random(rand.New(rand.NewPCG(5, 5)), 100, false)
	for b.Loop() {
		if _, err := NullSpace(r, linksAndRotors, Options{}); err != nil {
			b.Fatal(err)
		}
		if _, err := Symbolic(r, linksAndRotors, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSymbolicHumanoid(b *testing.B) {
	r := humanoid(b)
	for b.Loop() {
		if _, err := Symbolic(r, linksAndRotors, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNullSpaceHumanoid(b *testing.B) {
	r := humanoid(b)
	for b.Loop() {
		if _, err := NullSpace(r, linksAndRotors, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRulesOnNumbers30(b *testing.B) {
	r := testrobot.Random(rand.New(rand.NewPCG(7, 7)), 30, false)
	for b.Loop() {
		if _, err := Symbolic(r, []regressor.Term{regressor.Links}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkQRHumanoid(b *testing.B) {
	m, err := regressor.NewDynamic(humanoid(b), linksAndRotors)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		QR(m, Options{})
	}
}
