package kinematics

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/robot"
)

// A search from many starts, which shares only Newton's steps with the complete methods, finds no
// state that they miss: arms with a wrist whose first joints turn and slide in any order, arms with a
// shoulder, UR-like arms with three parallel axes, and general ones.
func TestNothingMissed(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	angle := func() float64 { return math.Pi * (2*rng.Float64() - 1) }
	length := func() float64 { return 2*rng.Float64() - 1 }
	wrist := []robot.MDHFrame{{Antecedent: 2, Alpha: angle(), D: length(), R: length()}, {Antecedent: 3, Alpha: 1.1}, {Antecedent: 4, Alpha: -1.3}}
	var robots []*robot.Robot
	var methods []string
	for kinds := 0; kinds < 8; kinds += long.Of(1, 3) { // or 000, 011 and 110
		var frames []robot.MDHFrame
		for j := range 3 {
			frames = append(frames, robot.MDHFrame{Antecedent: j - 1, Kind: robot.Kind(kinds >> j & 1), Alpha: angle(), Theta: angle(), D: length(), R: length()})
		}
		robots, methods = append(robots, robot.FromMDH("wrist", append(frames, wrist...))), append(methods, "three axes in a point")
	}
	robots, methods = append(robots, robot.FromMDH("shoulder", []robot.MDHFrame{
		{Antecedent: -1, Alpha: angle()}, {Antecedent: 0, Alpha: 1.2}, {Antecedent: 1, Alpha: -0.9},
		{Antecedent: 2, Alpha: angle(), D: 1, R: length()}, {Antecedent: 3, Alpha: angle(), D: length(), R: length()}, {Antecedent: 4, Alpha: angle(), D: length(), R: length()},
	})), append(methods, "three axes in a point")
	for _, c := range testrobot.Cases(t) {
		if c.Name == "ur10" {
			robots, methods = append(robots, c.Robot(t)), append(methods, "six axes")
		}
	}
	for range 4 {
		robots, methods = append(robots, general6R(rng)), append(methods, "six axes")
	}
	for i, r := range robots {
		tree := must(New(r))
		q := make([]float64, 6)
		for k := range q {
			q[k] = angle() / 2
		}
		g := goalAt(tree, q)
		s := must(tree.Solve(context.Background(), g, SolveOptions{}))
		if !s.Complete || s.Method != methods[i] {
			t.Errorf("%s %d: %q, complete %t", r.Name, i, s.Method, s.Complete)
		}
		if !has(tree, s, q, 1e-6) {
			t.Errorf("%s %d: the state %v is not among %d", r.Name, i, q, len(s.All))
		}
		distinctTrue(t, tree, g, s)
		searching := &solver{tree: tree, follower: tree.newFollower(must(g.check(tree)), make([]bool, 6)), near: q, held: make([]bool, 6)}
		if err := searching.search(context.Background(), 150, 0); err != nil {
			t.Fatal(err)
		}
		for _, o := range searching.found.All {
			if !has(tree, s, o.Q, 1e-5) {
				t.Errorf("%s %d: a search found %v, which is not among %d by %q", r.Name, i, o.Q, len(s.All), s.Method)
			}
		}
	}
}

// A redundant arm with a joint held is a six-joint arm; without, a search gives samples of a continuum and
// says along which joint motion.
func TestRedundant(t *testing.T) {
	for _, c := range testrobot.Cases(t) {
		if c.Name != "wam7" {
			continue
		}
		tree := must(New(c.Robot(t)))
		q := []float64{0.1, -1.2, 0.4, 1.5, 0.5, 1.2, 0.3}
		g := goalAt(tree, q)
		held := must(tree.Solve(context.Background(), g, SolveOptions{Near: q, Hold: []int{2}}))
		if !held.Complete || !has(tree, held, q, 1e-9) {
			t.Errorf("joint 3 held: %d solutions, complete %t", len(held.All), held.Complete)
		}
		for _, o := range held.All {
			if o.Q[2] != q[2] || len(o.Dexterity.Idle) != 0 {
				t.Errorf("joint 3 held at %g is at %g, idle %v", q[2], o.Q[2], o.Dexterity.Idle)
			}
		}
		free := must(tree.Solve(context.Background(), g, SolveOptions{Near: q, Starts: 5}))
		if free.Complete || len(free.All) == 0 || tree.apart(free.All[0].Q, q) > 1e-9 {
			t.Fatalf("seven joints: %d solutions, complete %t", len(free.All), free.Complete)
		}
		idle := free.All[0].Dexterity.Idle
		if len(idle) != 1 {
			t.Fatalf("seven joints have %d idle motions", len(idle))
		}
		// A small step along the idle motion leaves the pose, but for its square.
		p, moved := tree.NewPose(), make([]float64, 7)
		for k := range moved {
			moved[k] = q[k] + 1e-5*idle[0][k]
		}
		p.Place(moved)
		near(t, "pose along the idle motion", spatial.Norm(spatial.Sub(p.Frame(g.Link).P, g.Pose.P)), 0, 1e-9)
		return
	}
	t.Error("no wam7")
}

// Components asked alone: the place of a planar arm's tip, an axis of a five-joint arm.
func TestMasks(t *testing.T) {
	arm := must(New(robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.8}})))
	g := Goal{Link: 1, Tool: robot.Transform{R: spatial.Eye(), P: [3]float64{0.5, 0, 0}}, Pose: robot.Transform{R: spatial.Eye(), P: [3]float64{0.6, 0.7, 0}}, Mask: Mask{true, true}}
	s := must(arm.Solve(context.Background(), g, SolveOptions{}))
	if len(s.All) != 2 || s.Complete {
		t.Fatalf("%d states of a planar arm, complete %t", len(s.All), s.Complete)
	}
	// The law of cosines: 0.85 = 0.64 + 0.25 + 2·0.8·0.5·cos q2.
	for _, o := range s.All {
		near(t, "elbow", math.Abs(o.Q[1]), math.Acos((0.85-0.89)/0.8), 1e-9)
	}
	frames := []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: half}, {Antecedent: 1, D: 0.45}, {Antecedent: 2, Alpha: -half, R: 0.45}, {Antecedent: 3, Alpha: half, R: 0.1}}
	five := must(New(robot.FromMDH("five", frames)))
	q := []float64{0.3, -0.5, 0.8, 0.4, 0.9}
	g = goalAt(five, q)
	// Position and the direction of an axis across joint 5 are five equations for five joints.
	g.Tool = robot.Transform{R: spatial.RotX(half), P: [3]float64{0.1, 0, 0.05}}
	g.Pose = g.Pose.Mul(g.Tool)
	g.Mask = Mask{true, true, true, true, true, false}
	s = must(five.Solve(context.Background(), g, SolveOptions{}))
	if !has(five, s, q, 1e-6) {
		t.Errorf("%d states, not the one the goal was made at", len(s.All))
	}
	p := five.NewPose()
	for _, o := range s.All {
		p.Place(o.Q)
		for k := range 3 {
			f := p.Frame(4).Mul(g.Tool)
			near(t, "axis", f.R[k][2], g.Pose.R[k][2], 1e-9)
			near(t, "position", f.P[k], g.Pose.P[k], 1e-9)
		}
	}
}

// A pose out of reach has no solution, but the nearest state and how far it is.
func TestOutOfReach(t *testing.T) {
	arm := must(New(robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.8}})))
	tip := robot.Transform{R: spatial.Eye(), P: [3]float64{0.5, 0, 0}}
	g := Goal{Link: 1, Tool: tip, Pose: robot.Transform{R: spatial.Eye(), P: [3]float64{3, 4, 0}}, Mask: Mask{true, true}}
	s := must(arm.Solve(context.Background(), g, SolveOptions{Starts: 20}))
	if len(s.All) != 0 {
		t.Fatalf("reached 5 m with 1.3 m: %v", s.All)
	}
	near(t, "distance", s.Distance, 5-1.3, 1e-6)
	tree := must(New(rx90()))
	far := goalAt(tree, published)
	far.Pose.P = [3]float64{2, 0, 0}
	s = must(tree.Solve(context.Background(), far, SolveOptions{Starts: 40}))
	if len(s.All) != 0 || s.Nearest == nil || !(s.Distance > 2-0.9-1e-9) {
		t.Errorf("the RX90 reaches 0.9 m: %d solutions, nearest %g m away", len(s.All), s.Distance)
	}
}

// Axes 4 and 6 in line: the solution says that they turn against each other.
func TestSingularSolution(t *testing.T) {
	tree := must(New(rx90()))
	q := []float64{0.3, -0.5, 0.8, 0.4, 0, -0.2}
	s := must(tree.Solve(context.Background(), goalAt(tree, q), SolveOptions{}))
	found := false
	for _, o := range s.All {
		if math.Abs(o.Q[4]) < 1e-6 && math.Abs(o.Q[0]-0.3)+math.Abs(o.Q[1]+0.5) < 1e-6 {
			found = true
			near(t, "sum of joints 4 and 6", math.Remainder(o.Q[3]+o.Q[5], 2*math.Pi), 0.2, 1e-6)
			if len(o.Dexterity.Idle) != 1 || math.Abs(o.Dexterity.Idle[0][3]+o.Dexterity.Idle[0][5]) > 1e-6 {
				t.Errorf("idle motions %v", o.Dexterity.Idle)
			}
		}
	}
	if !found {
		t.Errorf("not found among %d", len(s.All))
	}
}

// Angles are given within the limits where a turn brings them there; states beyond say which
// joints, and come last.
func TestLimits(t *testing.T) {
	r := rx90()
	r.Links[0].Joint.Lower, r.Links[0].Joint.Upper = 6, 7 // 0.3 + 2π, but not -2.84 + 2π·k
	tree := must(New(r))
	s := must(tree.Solve(context.Background(), goalAt(tree, published), SolveOptions{}))
	for i, o := range s.All {
		within := i < 4
		if within != (len(o.Outside) == 0) || within != (o.Q[0] > 6 && o.Q[0] < 7) {
			t.Errorf("solution %d: joint 1 at %g, beyond limits %v", i, o.Q[0], o.Outside)
		}
	}
}

func TestGoalErrors(t *testing.T) {
	tree := must(New(rx90()))
	g := goalAt(tree, published)
	g.Pose.R[0][0] += 0.01
	var bad *OrientationError
	if _, err := tree.Solve(context.Background(), g, SolveOptions{}); !errors.As(err, &bad) || bad.Frame != "pose" || bad.Deviation < 5e-3 {
		t.Errorf("%v", err)
	}
	g = goalAt(tree, published)
	g.Pose.R[2] = spatial.Scale(-1, g.Pose.R[2])
	if _, err := tree.Solve(context.Background(), g, SolveOptions{}); !errors.As(err, &bad) || bad.Deviation != 2 {
		t.Errorf("a reflection: %v", err)
	}
	g = goalAt(tree, published)
	g.Pose.P[0] = math.NaN()
	if _, err := tree.Solve(context.Background(), g, SolveOptions{}); err == nil {
		t.Error("a position that is not finite passes")
	}
	g = goalAt(tree, published)
	g.Mask = Position
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := tree.Solve(ctx, g, SolveOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search: %v", err)
	}
}
