package kinematics

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/robot"
)

// goalAt is the pose of a robot's last link at a state.
func goalAt(t *Tree, q []float64) Goal {
	p := t.NewPose()
	p.Place(q)
	tip := t.Tip()
	return Goal{Link: tip, Pose: p.Frame(tip)}
}

// has reports whether a state is among solutions.
func has(t *Tree, s Solutions, q []float64, tolerance float64) bool {
	for _, o := range s.All {
		if t.apart(o.Q, q) <= tolerance {
			return true
		}
	}
	return false
}

// distinctTrue fails for a solution that does not reach its pose and for two that are one.
func distinctTrue(t *testing.T, tree *Tree, g Goal, s Solutions) {
	t.Helper()
	p := tree.NewPose()
	for i, o := range s.All {
		p.Place(o.Q)
		f := p.Frame(g.Link)
		for a := range 3 {
			near(t, "position", f.P[a], g.Pose.P[a], 1e-9)
			for b := range 3 {
				near(t, "orientation", f.R[a][b], g.Pose.R[a][b], 1e-9)
			}
		}
		for _, other := range s.All[:i] {
			if tree.apart(o.Q, other.Q) < distinct {
				t.Errorf("one solution twice: %v and %v", o.Q, other.Q)
			}
		}
	}
}

// The eight solutions of the RX90's pose, and of the Stanford arm's, as another program found them by
// Newton's method from 500 starts.
func TestPublishedSolutions(t *testing.T) {
	for _, c := range []struct {
		r    *robot.Robot
		arms [][3]float64
	}{
		{rx90(), [][3]float64{{0.3, -0.5, 0.8}, {0.3, 1.8708, 2.34159}, {-2.84159, -2.64159, 2.34159}, {-2.84159, 1.2708, 0.8}}},
		{stanford(), [][3]float64{{0.3, -0.5, 0.8}, {0.3, 2.64159, -0.8}, {2.69598, -2.64159, -0.8}, {2.69598, 0.5, 0.8}}},
	} {
		tree := must(New(c.r))
		g := goalAt(tree, published)
		s := must(tree.Solve(context.Background(), g, SolveOptions{}))
		if !s.Complete || s.Method != "three axes in a point" || len(s.All) != 8 {
			t.Fatalf("%s: %d solutions by %q", c.r.Name, len(s.All), s.Method)
		}
		distinctTrue(t, tree, g, s)
		for _, arm := range c.arms {
			n := 0
			for _, o := range s.All {
				if math.Abs(o.Q[0]-arm[0])+math.Abs(o.Q[1]-arm[1])+math.Abs(o.Q[2]-arm[2]) < 1e-4 {
					n++
				}
			}
			if n != 2 {
				t.Errorf("%s: %d solutions with arm %v, want two wrists", c.r.Name, n, arm)
			}
		}
		if !has(tree, s, published, 1e-9) {
			t.Errorf("%s: the state itself is not found", c.r.Name)
		}
	}
	s := must(must(New(rx90())).Solve(context.Background(), goalAt(must(New(rx90())), published), SolveOptions{}))
	for _, wrist := range [][3]float64{{0.4, 0.9, -0.2}, {-2.74159, -0.9, 2.94159}} {
		found := false
		for _, o := range s.All {
			found = found || math.Abs(o.Q[0]-0.3)+math.Abs(o.Q[1]+0.5)+math.Abs(o.Q[3]-wrist[0])+math.Abs(o.Q[4]-wrist[1])+math.Abs(o.Q[5]-wrist[2]) < 1e-4
		}
		if !found {
			t.Errorf("no wrist %v", wrist)
		}
	}
}

// general6R is six revolute joints with nothing special between them.
func general6R(rng *rand.Rand) *robot.Robot {
	frames := make([]robot.MDHFrame, 6)
	for j := range frames {
		frames[j] = robot.MDHFrame{Antecedent: j - 1, Alpha: math.Pi * (2*rng.Float64() - 1), D: 2*rng.Float64() - 1, R: 2*rng.Float64() - 1}
	}
	return robot.FromMDH("general", frames)
}

// Robots without special geometry, at random states: the state is found again, with at most sixteen
// in all, each of which reaches the pose.
func TestGeneralSixAxes(t *testing.T) {
	robots := long.Of(1000, 30)
	rng := rand.New(rand.NewPCG(7, 8))
	count, most := 0, 0
	for i := range robots {
		tree := must(New(general6R(rng)))
		q := make([]float64, 6)
		for k := range q {
			q[k] = math.Pi * (2*rng.Float64() - 1)
		}
		g := goalAt(tree, q)
		s := must(tree.Solve(context.Background(), g, SolveOptions{}))
		if !s.Complete || s.Method != "six axes" {
			t.Errorf("robot %d: %q", i, s.Method)
		}
		if !has(tree, s, q, 1e-6) {
			t.Errorf("robot %d: the state %v is not among %d", i, q, len(s.All))
		}
		if len(s.All)%2 == 1 || len(s.All) > 16 {
			t.Errorf("robot %d: %d solutions", i, len(s.All))
		}
		count, most = count+len(s.All), max(most, len(s.All))
		distinctTrue(t, tree, g, s)
	}
	t.Logf("%d robots: %.2f solutions each, at most %d", robots, float64(count)/float64(robots), most)
}

func BenchmarkSolveGeneral(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 10))
	tree := must(New(general6R(rng)))
	g := goalAt(tree, published)
	for b.Loop() {
		must(tree.Solve(context.Background(), g, SolveOptions{}))
	}
}

func BenchmarkSolveWrist(b *testing.B) {
	tree := must(New(rx90()))
	g := goalAt(tree, published)
	for b.Loop() {
		must(tree.Solve(context.Background(), g, SolveOptions{}))
	}
}
