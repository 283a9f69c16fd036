package kinematics

import (
	"context"
	"errors"
	"math"
	"testing"

	"ident/internal/spatial"
	"ident/robot"
)

// A straight line of the RX90's flange: the states are continuous, reach every goal, and the first
// is the start's.
func TestFollow(t *testing.T) {
	tree := must(New(rx90()))
	from := goalAt(tree, published)
	var goals []Goal
	for i := range 51 {
		g := from
		g.Pose.P = spatial.AddScaled(g.Pose.P, 0.1*float64(i)/50, spatial.Vec{0, 0.6, 0.8})
		goals = append(goals, g)
	}
	path, err := tree.Follow(context.Background(), goals, published, 0.05)
	if err != nil || len(path) != len(goals) {
		t.Fatalf("%d of %d samples: %v", len(path), len(goals), err)
	}
	near(t, "start", tree.apart(path[0], published), 0, 1e-12)
	p := tree.NewPose()
	for i, q := range path {
		p.Place(q)
		near(t, "position", spatial.Norm(spatial.Sub(p.Frame(5).P, goals[i].Pose.P)), 0, 1e-10)
	}
	// The rates of the joints, by J⁻¹, against the differences of the states in the middle.
	var dq [6]float64
	for k := range dq {
		dq[k] = (path[26][k] - path[24][k]) / (2 * 0.002)
	}
	p.Place(path[25])
	p.Move(dq[:], nil)
	v := p.Twist(Point{Link: 5})
	alike(t, "tip", v, Twist{Linear: [3]float64{0, 0.6, 0.8}}, 1e-4) // the square of the step, times third derivatives of some tens
}

// A planar arm drawn through its base: where the line passes the axis, the branch ends, and the error says
// at which sample and how near to singular.
func TestFollowBreaks(t *testing.T) {
	tree := must(New(robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.8}})))
	tip := robot.Transform{R: spatial.Eye(), P: [3]float64{0.5, 0, 0}}
	var goals []Goal
	for i := range 21 {
		goals = append(goals, Goal{Link: 1, Tool: tip, Pose: robot.Transform{R: spatial.Eye(), P: [3]float64{1 - 0.05*float64(i), 0.1, 0}}, Mask: Mask{true, true}})
	}
	start := must(tree.Solve(context.Background(), goals[0], SolveOptions{})).All[0].Q
	path, err := tree.Follow(context.Background(), goals, start, 0.5)
	var broken *PathError
	// The arm reaches no nearer to its base than 0.3 m: x = √(0.09 − 0.01) = 0.283 m, sample 15.
	if !errors.As(err, &broken) || broken.Sample != 15 || len(path) != 15 || broken.Step != 0 {
		t.Fatalf("%d samples, %v", len(path), err)
	}
	if !(broken.Smallest < 0.25) || math.Abs(broken.Distance*tree.Reach()-(0.3-math.Hypot(0.25, 0.1))) > 1e-6 {
		t.Errorf("%+v", broken)
	}
}
