package recursion

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/robot"
	"ident/symbolic"
)

// The three angles give the rotation back, at and near parallel axes too.
func TestEulerZXZ(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		angle := func() float64 {
			switch rng.IntN(4) {
			case 0:
				return float64(rng.IntN(25)-12) * math.Pi / 12
			case 1:
				return float64(rng.IntN(5)-2)*math.Pi/2 + rng.NormFloat64()*1e-8
			}
			return rng.NormFloat64() * 3
		}
		rot := func(a, b, c float64) spatial.Mat {
			return spatial.Mul(spatial.RotZ(a), spatial.Mul(spatial.RotX(b), spatial.RotZ(c)))
		}
		want := rot(angle(), angle(), angle())
		e := eulerZXZ(want)
		got := rot(e[0], e[1], e[2])
		for i := range 3 {
			for k := range 3 {
				// An angle below 1e-15 is taken for zero.
				if d := math.Abs(got[i][k] - want[i][k]); !(d <= 4e-15) {
					t.Fatalf("entry %d %d is off by %g, angles %v of %v", i, k, d, e, want)
				}
			}
		}
	})
}

// The steps from an antecedent's frame place every link where the robot's
// placement and joint do, whichever way they are split.
func TestStepsArePlacement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		r := testrobot.Random(rng, 3, true)
		if rapid.Bool().Draw(t, "special") {
			r = testrobot.RandomSpecial(rng, 3, true)
		}
		if rapid.Bool().Draw(t, "placement alone") {
			for j := range r.Links {
				r.Links[j].MDH = nil
			}
		}
		if len(r.Moving()) == 0 {
			return
		}
		tree, err := New(r, Options{})
		if err != nil {
			t.Fatal(err)
		}
		q := make([]float64, len(tree.Coords))
		for i := range q {
			q[i] = rng.NormFloat64()
		}
		for j := range r.Links {
			l := &tree.Links[j]
			// The frame's axes and origin, in the antecedent's frame.
			var entries []Node
			for k := range 3 {
				var v Vec
				v[k] = symbolic.One
				out := tree.outOf(j, v)
				entries = append(entries, out[:]...)
			}
			origin := tree.vec.add(l.p, tree.vec.scale(l.slide, l.axisInAntecedent(tree.G)))
			entries = append(entries, origin[:]...)
			got := tree.G.Program("place", tree.Q, symbolic.Result{Name: "x", Rows: 4, Cols: 3, Entries: entries}).Eval(q)[0]
			at := r.Links[j].Placement
			if l.Coord >= 0 && l.Kind == robot.Revolute {
				at = at.Mul(robot.Transform{R: spatial.RotZ(q[l.Coord])})
			} else if l.Coord >= 0 {
				at = at.Mul(robot.Transform{R: spatial.Eye(), P: spatial.Vec{0, 0, q[l.Coord]}})
			}
			want := []float64{}
			for k := range 3 {
				want = append(want, at.R[0][k], at.R[1][k], at.R[2][k])
			}
			want = append(want, at.P[:]...)
			for i := range want {
				// Along an axis that is nearly square to an offset it is taken
				// from a point up to 100 times as far away.
				if d := math.Abs(got[i] - want[i]); !(d <= 2e-13) {
					t.Fatalf("link %d, entry %d: %.17g, want %.17g", j+1, i, got[i], want[i])
				}
			}
		}
	})
}

// Names of listings are the classic ones.
func TestNames(t *testing.T) {
	r := robot.FromMDH("arm", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: 1, D: 0.2}, {Antecedent: 1, Alpha: 0.5, D: 0.3}})
	tree, err := New(r, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ms := tree.Motions(Rates{DQ: tree.DQ, DDQ: tree.DDQ}, tree.Gravity)
	p := tree.G.Program("w", append(append(append([]Node{}, tree.Q...), tree.DQ...), tree.DDQ...),
		symbolic.Result{Name: "x", Rows: 3, Cols: 1, Entries: ms[2].DV[:]})
	seen := map[string]bool{}
	for _, in := range p.Code {
		seen[in.Name] = true
	}
	for _, name := range []string{"W12", "WP22"} {
		if !seen[name] {
			t.Errorf("no %s among %v", name, fmt.Sprint(seen))
		}
	}
}
