package kinematics

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/mechanics/loops"
	"ident/robot"
)

// wanted is a pose of a closed robot's tip, and the state of the tree that has it, at random within an
// assembly.
func wanted(t *testing.T, r *robot.Robot, seed uint64) (*Closed, Goal, []float64) {
	t.Helper()
	c := must(NewClosed(r))
	start := must(c.closure.Assembled(r.Assembly))
	walk := c.closure.Walk(start, rand.New(rand.NewPCG(seed, 7)))
	var m *loops.Motion
	for range 3 {
		m = walk.Next()
	}
	q := m.Q[:c.tree.dof]
	c.Pose.Place(q)
	tip := c.tree.Tip()
	return c, Goal{Link: tip, Pose: c.Frame(tip)}, q
}

// closes tells how far the loops are open at a solution: the cut joints are free.
func closes(t *testing.T, c *Closed, q []float64) float64 {
	t.Helper()
	var tree []int
	for k := range q {
		tree = append(tree, k)
	}
	closed, err := c.closure.Close(q, tree)
	if err != nil {
		t.Errorf("loops are open at %v: %v", q, err)
		return math.Inf(1)
	}
	return c.closure.Residual(closed)
}

// The random state of a closed robot's tip is found again, and every solution closes the loops and has the pose.
func TestSolveClosed(t *testing.T) {
	for _, build := range []struct {
		robot *robot.Robot
		arm   bool
	}{{testrobot.SR400(t), true}, {testrobot.AKR3000(t), true}}[:long.Of(2, 1)] {
		for seed := range uint64(long.Of(3, 1)) {
			c, g, q := wanted(t, build.robot, seed)
			found, err := c.Solve(context.Background(), g, SolveOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if build.arm != strings.Contains(found.Method, "loops") || found.Complete {
				t.Errorf("%s: solved by %q, complete %t", build.robot.Name, found.Method, found.Complete)
			}
			again, same := false, 0
			for _, s := range found.All {
				c.Pose.Place(s.Q)
				if at := c.Frame(g.Link); s.Residual > 1e-9 || spatial.Norm(spatial.Sub(at.P, g.Pose.P)) > 1e-9*c.tree.reach {
					t.Errorf("%s: residual %g at %v", build.robot.Name, s.Residual, s.Q)
				}
				if r := closes(t, c, s.Q); r > 1e-9 {
					t.Errorf("%s: loops open by %g", build.robot.Name, r)
				}
				apart := 0.0
				for k := range q {
					d := math.Abs(s.Q[k] - q[k])
					if c.tree.period(k) > 0 {
						d = math.Abs(math.Remainder(d, 2*math.Pi))
					}
					apart = math.Max(apart, d)
				}
				if apart < 1e-6 {
					again = true
				}
				if !s.OtherAssembly {
					same++
					names := c.closure.Joints()
					if of := func(name string) float64 { return s.Q[slices.Index(names, name)] }; build.robot.Name == "sr400" && math.Abs(math.Remainder(of("J8")-of("J2")+of("J7"), 2*math.Pi)) > 1e-9 {
						t.Errorf("the parallelogram is crossed at %v", s.Q)
					}
				}
			}
			if !again || same == 0 {
				t.Errorf("%s, seed %d: the state is found: %t; %d solutions, %d on the assembly", build.robot.Name, seed, again, len(found.All), same)
			}
			t.Logf("%s: %d states, %d on the assembly that is meant (%s)", build.robot.Name, len(found.All), same, found.Method)
		}
	}
}

// A point of a four-bar's coupler goes where it has been, by a search; a point beyond its curve has a nearest state.
func TestSolveFourBar(t *testing.T) {
	r := testrobot.FourBar(1, 0.4, 0.9, 0.7, 0, 0)
	c := must(NewClosed(r))
	start := must(c.closure.Assembled(r.Assembly))
	q := must(c.Place([]float64{start.Q[0] + 0.7}, start.Q))
	tool := robot.Transform{R: spatial.Eye(), P: [3]float64{0.5, 0.3, 0}}
	g := Goal{Link: 1, Tool: tool, Mask: Mask{true, true}, Pose: robot.Transform{R: spatial.Eye(), P: c.Position(Point{1, tool.P})}}
	found, err := c.Solve(context.Background(), g, SolveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	again := false
	for _, s := range found.All {
		again = again || math.Abs(math.Remainder(s.Q[0]-q[0], 2*math.Pi)) < 1e-6
		if r := closes(t, c, s.Q); r > 1e-9 {
			t.Errorf("loops open by %g", r)
		}
	}
	if !again || found.Method != "search" || len(found.All) > 6 { // a coupler's curve is of degree six
		t.Errorf("%+v, want crank %g", found, q[0])
	}
	g.Pose.P = [3]float64{5, 5, 0}
	if found, err = c.Solve(context.Background(), g, SolveOptions{Starts: 5}); err != nil || len(found.All) > 0 || found.Distance < 3 || closes(t, c, found.Nearest) > 1e-9 {
		t.Errorf("%v %+v", err, found)
	}
	if _, err := c.Solve(context.Background(), g, SolveOptions{Hold: []int{1}}); err == nil || !strings.Contains(err.Error(), "passive") {
		t.Errorf("%v", err)
	}
}

// A held joint stays, and one that is held at a state that its loops cannot have is an error.
func TestSolveClosedHolds(t *testing.T) {
	r := testrobot.SR400(t)
	c, g, q := wanted(t, r, 11)
	first := c.active[0]
	found, err := c.Solve(context.Background(), g, SolveOptions{Near: q, Hold: []int{first}, Starts: 5})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.All) == 0 || found.Method != "search" {
		t.Fatalf("%+v", found)
	}
	for _, s := range found.All {
		if math.Abs(math.Remainder(s.Q[first]-q[first], 2*math.Pi)) > 1e-12 {
			t.Errorf("the held joint is at %g, want %g", s.Q[first], q[first])
		}
	}
}
