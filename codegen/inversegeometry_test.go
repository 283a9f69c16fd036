package codegen

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/mechanics/kinematics"
	"ident/robot"
)

// states evaluates an inverse geometric model at a pose: those that reach it.
func states(t *testing.T, r *robot.Robot, frame *Frame, pose robot.Transform) (reached [][]float64, margins []float64) {
	t.Helper()
	p, err := Build(context.Background(), InverseGeometry, r, Options{Frame: frame})
	if err != nil {
		t.Fatal(err)
	}
	var in []float64
	for i := range 3 {
		in = append(in, pose.R[i][0], pose.R[i][1], pose.R[i][2], pose.P[i])
	}
	out := p.Eval(in)
	for i, m := range out[1] {
		if m >= 0 {
			reached = append(reached, out[0][6*i:6*i+6])
		}
	}
	return reached, out[1]
}

// among reports whether a state is one of a list, to whole turns of joints that turn.
func among(r *robot.Robot, list [][]float64, q []float64, tolerance float64) bool {
	for _, o := range list {
		far := 0.0
		for k, j := range r.Moving() {
			d := o[k] - q[k]
			if r.Links[j].Joint.Kind == robot.Revolute {
				d = math.Remainder(d, 2*math.Pi)
			}
			far = math.Max(far, math.Abs(d))
		}
		if far < tolerance {
			return true
		}
	}
	return false
}

func decoupled(first ...robot.MDHFrame) *robot.Robot {
	wrist := []robot.MDHFrame{{Antecedent: 2, Alpha: -math.Pi / 2, R: 0.45}, {Antecedent: 3, Alpha: math.Pi / 2}, {Antecedent: 4, Alpha: -math.Pi / 2}}
	return robot.FromMDH("arm", append(first, wrist...))
}

// The RX90 and the Stanford arm of the SYMORO+ guide have the eight states at their poses that Newton's method found from 500 starts.
func TestInverseGeometryOfTheGuide(t *testing.T) {
	half := math.Pi / 2
	rx90 := decoupled(robot.MDHFrame{Antecedent: -1}, robot.MDHFrame{Antecedent: 0, Alpha: half}, robot.MDHFrame{Antecedent: 1, D: 0.45})
	stanford := robot.FromMDH("stanford", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: -half, R: 0.15}, {Antecedent: 1, Alpha: half, Kind: robot.Prismatic},
		{Antecedent: 2}, {Antecedent: 3, Alpha: -half}, {Antecedent: 4, Alpha: half}})
	for _, c := range []struct {
		r     *robot.Robot
		first [][3]float64
		wrist [][3]float64 // of the first two states of the arm, two each
	}{
		{rx90, [][3]float64{{0.3, -0.5, 0.8}, {0.3, 1.8708, 2.34159}, {-2.84159, -2.64159, 2.34159}, {-2.84159, 1.2708, 0.8}},
			[][3]float64{{0.4, 0.9, -0.2}, {-2.74159, -0.9, 2.94159}, {1.84099, 2.81953, 1.91188}, {-1.3006, -2.81953, -1.22971}}},
		{stanford, [][3]float64{{0.3, -0.5, 0.8}, {0.3, 2.64159, -0.8}, {2.69598, -2.64159, -0.8}, {2.69598, 0.5, 0.8}}, [][3]float64{{0.4, 0.9, -0.2}}},
	} {
		tree, err := kinematics.New(c.r)
		if err != nil {
			t.Fatal(err)
		}
		pose := tree.NewPose()
		pose.Place([]float64{0.3, -0.5, 0.8, 0.4, 0.9, -0.2})
		got, _ := states(t, c.r, nil, pose.Frame(5))
		if len(got) != 8 {
			t.Errorf("%s: %d states", c.r.Name, len(got))
		}
		for i, w := range c.wrist {
			a := c.first[i/2]
			if q := []float64{a[0], a[1], a[2], w[0], w[1], w[2]}; !among(c.r, got, q, 1e-5) { // as printed
				t.Errorf("%s: the state %v is not among %v", c.r.Name, q, got)
			}
		}
		for _, a := range c.first {
			n := 0
			for _, q := range got {
				if math.Abs(math.Remainder(q[0]-a[0], 2*math.Pi))+math.Abs(math.Remainder(q[1]-a[1], 2*math.Pi))+math.Abs(math.Remainder(q[2]-a[2], 2*math.Pi)) < 3e-5 {
					n++
				}
			}
			if n != 2 {
				t.Errorf("%s: %d states with the arm at %v", c.r.Name, n, a)
			}
		}
		reach(t, tree, got, pose.Frame(5), nil)
	}
}

// reach holds all twelve entries of the states' poses to the one asked for.
func reach(t *testing.T, tree *kinematics.Tree, list [][]float64, want robot.Transform, tool *robot.Transform) {
	t.Helper()
	pose := tree.NewPose()
	for _, q := range list {
		pose.Place(q)
		at := pose.Frame(5)
		if tool != nil {
			at = at.Mul(*tool)
		}
		for i := range 3 {
			for j := range 3 {
				if math.Abs(at.R[i][j]-want.R[i][j]) > 1e-10 {
					t.Fatalf("state %v: entry %d, %d is %g off", q, i+1, j+1, at.R[i][j]-want.R[i][j])
				}
			}
			if math.Abs(at.P[i]-want.P[i]) > 1e-10 {
				t.Fatalf("state %v: the place is %g m off", q, at.P[i]-want.P[i])
			}
		}
	}
}

// Random decoupled arms of every kind that is written have the state that made the pose, only states that reach it to 1e-10, and as many as
// the numeric solver finds. Poses out of reach have no state.
func TestInverseGeometryOfRandomArms(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 3))
	angle := func() float64 { return math.Pi * (2*rng.Float64() - 1) }
	length := func() float64 { return 0.2 + rng.Float64() }
	frame := func(alpha, d, r float64, kind robot.Kind) robot.MDHFrame {
		return robot.MDHFrame{Alpha: alpha, D: d, R: r, Theta: angle(), Kind: kind}
	}
	for i := range long.Of(200, 10) {
		first := frame(angle(), length(), length(), robot.Revolute)
		var second, third robot.MDHFrame
		switch i % 5 {
		case 0: // axes 2 and 3 parallel, with all offsets
			second, third = frame(angle(), length(), length(), robot.Revolute), frame([]float64{0, math.Pi}[i/5%2], length(), length(), robot.Revolute)
		case 1: // axes 1 and 2 meet
			second, third = frame(angle(), 0, length(), robot.Revolute), frame(angle(), length(), length(), robot.Revolute)
		case 2: // axes 1 and 2 parallel
			second, third = frame(0, length(), length(), robot.Revolute), frame(angle(), length(), length(), robot.Revolute)
		case 3: // axes 1 and 2 meet, and a slide
			second, third = frame(angle(), 0, length(), robot.Revolute), frame(angle(), length(), length(), robot.Prismatic)
		case 4: // axes 1 and 2 parallel, and a slide
			second, third = frame(math.Pi, length(), length(), robot.Revolute), frame(angle(), length(), length(), robot.Prismatic)
		}
		first.Antecedent, second.Antecedent, third.Antecedent = -1, 0, 1
		r := robot.FromMDH("arm", []robot.MDHFrame{first, second, third,
			{Antecedent: 2, Alpha: angle(), D: length(), R: length()}, {Antecedent: 3, Alpha: 0.4 + rng.Float64()}, {Antecedent: 4, Alpha: -0.4 - rng.Float64()}})
		tree, err := kinematics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		q := make([]float64, 6)
		for k := range q {
			q[k] = 0.9 * angle()
		}
		tool := testrobot.Random(rng, 1, false).Links[0].Placement
		frame := LinkFrame(5, [3]float64{}, -1)
		frame.Placement = tool
		pose := tree.NewPose()
		pose.Place(q)
		at := pose.Frame(5).Mul(tool)
		got, _ := states(t, r, frame, at)
		if !among(r, got, q, 1e-6) { // near a double root half of the digits
			t.Errorf("arm %d: the state %v is not among %v", i, q, got)
		}
		reach(t, tree, got, at, &tool)
		all, err := tree.Solve(context.Background(), kinematics.Goal{Link: 5, Tool: tool, Pose: at, Mask: kinematics.Full}, kinematics.SolveOptions{Near: q})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all.All {
			if !among(r, got, s.Q, 1e-5) {
				t.Errorf("arm %d of kind %d: the solver's state %v is not among %d", i, i%5, s.Q, len(got))
			}
		}
		far := at
		far.P[2] += 50
		if kind := i % 5; kind < 3 {
			if got, margins := states(t, r, frame, far); len(got) != 0 {
				t.Errorf("arm %d: 50 m away there are states %v with margins %v", i, got, margins)
			}
		}
	}
}

// Arms that have no closed form are refused by name.
func TestNoInverseGeometry(t *testing.T) {
	quartic := decoupled(robot.MDHFrame{Antecedent: -1}, robot.MDHFrame{Antecedent: 0, Alpha: 1, D: 0.2}, robot.MDHFrame{Antecedent: 1, Alpha: 0.7, D: 0.45})
	bent := decoupled(robot.MDHFrame{Antecedent: -1}, robot.MDHFrame{Antecedent: 0, Alpha: 1}, robot.MDHFrame{Antecedent: 1, D: 0.45})
	bent.Links[4].Placement.P[1] += 0.1
	short := robot.FromMDH("short", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.5}})
	for _, r := range []*robot.Robot{quartic, bent, short} {
		if _, err := Build(context.Background(), InverseGeometry, r, Options{}); !errors.Is(err, ErrNoClosedForm) {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
}
