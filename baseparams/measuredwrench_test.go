package baseparams

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// With sensors at any links, null space and QR find the same set.
func TestWrenchesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 41))
		r := testrobot.RandomSpecial(rng, rapid.IntRange(1, 6).Draw(t, "links"), true)
		at := rapid.SliceOfN(rapid.IntRange(AtBase, len(r.Links)-1), 0, 3).Draw(t, "sensors")
		terms := rapid.SampledFrom([][]regressor.Term{{regressor.Links}, linksAndRotors, regressor.DefaultTerms(), {regressor.Ia, regressor.Fo}}).Draw(t, "terms")
		null, err := NullSpaceWith(r, terms, at, Options{})
		if err != nil {
			t.Fatal(err)
		}
		qr, err := QRWith(t.Context(), r, terms, at, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a := Compare(nil, null, qr); a.Disagree && null.Gap > 1e6 && qr.Gap > 1e6 {
			t.Fatalf("sensors at %v: %v", at, a.Findings)
		}
		if len(at) == 0 {
			plain, err := NullSpace(r, terms, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if names := differing(plain, null); len(names) > 0 {
				t.Fatalf("no sensor, and %v differ", names)
			}
		}
	})
}

// An arm of n revolute joints in general position shows 7n - 4 parameters in
// its torques, of the first link ZZ, MX and MY. The base wrench adds its XZ and
// YZ, which it feels as reactions, and its MZ and the whole mass, by their
// weight; XX, XY and YY of a link that turns about z alone stay invisible.
func TestBaseWrenchTheory(t *testing.T) {
	for n := 1; n <= 6; n++ {
		r := testrobot.Random(rand.New(rand.NewPCG(uint64(n), 42)), n, false)
		for j := range r.Links {
			r.Links[j].Antecedent, r.Links[j].Joint.Kind = j-1, robot.Revolute
		}
		terms := []regressor.Term{regressor.Links}
		s, err := NullSpaceWith(r, terms, []int{AtBase}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Count() != 7*n {
			t.Errorf("%d joints: %d parameters, want %d", n, s.Count(), 7*n)
		}
		if without, err := NullSpace(r, terms, Options{}); err != nil || without.Count() != 7*n-4 {
			t.Errorf("%d joints, torques alone: %d parameters, want %d", n, without.Count(), 7*n-4)
		}
		for c, col := range s.Columns {
			if col.Link == 0 {
				visible := col.Param != robot.XX && col.Param != robot.XY && col.Param != robot.YY
				if s.keeps(c) != visible {
					t.Errorf("%d joints: %s is kept: %v", n, col.Name, s.keeps(c))
				}
			}
		}
		if name := s.Name(6); n > 1 && name != "M1R" {
			t.Errorf("%d joints: the seventh is %s, want the mass of all links on M1", n, name)
		}
	}
}

// A vertical first axis hides MZ of the links that turn about it.
func TestBaseWrenchRX90(t *testing.T) {
	r := caseRobot(t, "rx90")
	for _, c := range []struct {
		at   []int
		want int
	}{{nil, 36}, {[]int{AtBase}, 41}, {[]int{AtBase, AtBase}, 41}} {
		s, err := NullSpaceWith(r, []regressor.Term{regressor.Links}, c.at, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Count() != c.want {
			t.Errorf("sensors at %v: %d parameters %v, want %d", c.at, s.Count(), s.Names(), c.want)
		}
	}
}

// A sensor at the wrist weighs the tool: all ten of its parameters are
// identifiable alone.
func TestToolSensor(t *testing.T) {
	r := caseRobot(t, "rx90").Clone()
	tool := robot.Link{Name: "tool", Antecedent: 5, Placement: robot.Identity(), UserFrame: robot.Identity(), Joint: robot.Joint{Name: "flange", Kind: robot.Fixed}}
	tool.Placement.P = [3]float64{0.1, 0, 0.2}
	r.Links = append(r.Links, tool)
	s, err := NullSpaceWith(r, linksAndRotors, []int{6}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Count() != 50 {
		t.Errorf("%d parameters, want 40 of the arm and ten of the tool", s.Count())
	}
	for c, col := range s.Columns {
		if col.Link == 6 && s.Status(c) != Alone {
			t.Errorf("%s is identifiable %s", col.Name, s.Status(c))
		}
	}
}

// With virtual joints at rest the others' torques are the same, and the forces
// on those under the base carry the weight.
func TestInserted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 43))
		r := testrobot.Random(rng, rapid.IntRange(1, 5).Draw(t, "links"), true)
		at := []int{AtBase, rapid.IntRange(0, len(r.Links)-1).Draw(t, "sensor")}
		v := inserted(r, at, len(sensorJoints))
		if len(v.Links) != len(r.Links)+2*len(sensorJoints) {
			t.Fatalf("%d links", len(v.Links))
		}
		torques := func(r *robot.Robot, move func(joint, row int) float64) ([][]float64, []int) {
			m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
			if err != nil {
				t.Fatal(err)
			}
			chi := make([]float64, len(m.Columns()))
			for c, col := range m.Columns() {
				chi[c], _ = regressor.ValueOf(r, col)
			}
			var state [3][][]float64
			tau := make([][]float64, m.Joints())
			n := 0
			for k, link := range m.JointLinks() {
				tau[k] = make([]float64, 2)
				still := r.Links[link].Name == virtualName
				for i := range state {
					x := make([]float64, 2)
					if !still {
						x[1] = move(n, i) // the first state is at rest
					}
					state[i] = append(state[i], x)
				}
				if !still {
					n++
				}
			}
			b := m.NewBlock(2)
			m.Eval(b, state[0], state[1], state[2], m.NewWorkspace())
			m.Predict(tau, b, chi)
			return tau, m.JointLinks()
		}
		values := make([]float64, 3*len(r.Links))
		for i := range values {
			values[i] = rng.NormFloat64()
		}
		move := func(joint, row int) float64 { return values[3*joint+row] }
		want, _ := torques(r, move)
		got, links := torques(v, move)
		n := 0
		for k, link := range links {
			if v.Links[link].Name == virtualName {
				continue
			}
			for i := range 2 {
				if d := math.Abs(got[k][i] - want[n][i]); !(d <= 1e-10*(1+math.Abs(want[n][i]))) {
					t.Fatalf("joint %d: torque %.15g, want %.15g", n+1, got[k][i], want[n][i])
				}
			}
			n++
		}
		mass, force, g := 0.0, 0.0, 0.0
		for _, l := range r.Links {
			mass += l.Inertial.Mass()
		}
		for k := range 3 {
			force += got[k][0] * got[k][0]
			g += r.Gravity[k] * r.Gravity[k]
		}
		if d := math.Sqrt(force) - mass*math.Sqrt(g); !(math.Abs(d) <= 1e-9*mass*math.Sqrt(g)) {
			t.Fatalf("the base carries %g N, the robot weighs %g N", math.Sqrt(force), mass*math.Sqrt(g))
		}
	})
}
