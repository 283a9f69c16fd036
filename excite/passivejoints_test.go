package excite

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ident/baseparams"
	"ident/internal/long"
	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

const fourBar = `
name: four-bar
gravity: [0, -9.81, 0]
links:
  - name: crank
    joint: {name: j1, limits: {position: [0.3, 2.8], velocity: 4, acceleration: 20}}
    inertial: {mass: 3, com: [0.15, 0.02, 0], inertia: {ixx: 0.01, iyy: 0.03, izz: 0.035}}
  - name: coupler
    joint: {name: j2, passive: true}
    origin: {xyz: [0.35, 0, 0]}
    inertial: {mass: 2, com: [0.4, 0.03, 0], inertia: {ixx: 0.01, iyy: 0.06, izz: 0.065}}
  - name: rocker
    parent: base
    joint: {name: j3, passive: true}
    origin: {xyz: [1, 0, 0]}
    inertial: {mass: 4, com: [0.3, 0.05, 0], inertia: {ixx: 0.02, iyy: 0.05, izz: 0.06}}
loops:
  - joint: {name: cut, kind: revolute}
    frame: {parent: coupler, origin: {xyz: [0.9, 0, 0]}}
    meets: {parent: rocker, origin: {xyz: [0.7, 0, 0]}}
`

// The driven joint of a four-bar linkage is free; the passive ones keep limits that
// the unconstrained design violates.
func TestPassiveLimits(t *testing.T) {
	long.Only(t, "designs motions")
	r, err := format.Read([]byte(fourBar), "yaml", "four.yaml", robot.ReadOptions{Loops: true})
	if err != nil {
		t.Fatal(err)
	}
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links, regressor.Fv})
	if err != nil {
		t.Fatal(err)
	}
	set := baseparams.QR(m, baseparams.Options{})
	p := Problem{Model: m.Select(set.Base), Limits: LimitsOf(r), Harmonics: 3, Period: 4, Starts: 2, Robot: r}
	if len(p.Limits) != 1 {
		t.Fatalf("%d free joints", len(p.Limits))
	}
	ends := func(tr Motion) (lo, hi, fast float64) {
		tracker := p.Model.Loops().Newton()
		_, q, dq, ddq := Sample(tr, 2000, p.Period)
		lo, hi = math.Inf(1), math.Inf(-1)
		path := tracker.NewPath(len(q[0]))
		if _, err := tracker.Continue().Track(path, loops.Drive{Q: q, DQ: dq, DDQ: ddq}, 0, len(q[0]), true); err != nil {
			t.Fatal(err)
		}
		for s := range q[0] {
			lo, hi, fast = min(lo, path.Q[2][s]), max(hi, path.Q[2][s]), max(fast, math.Abs(path.DQ[2][s]))
		}
		return lo, hi, fast
	}
	free, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	lo, hi, fast := ends(free.Trajectory)
	j := &r.Links[2].Joint
	j.Lower, j.Upper, j.Velocity = lo+0.25*(hi-lo), hi, 0.7*fast
	// The gradient of the constraint alone, where it is violated.
	checkGradient(t, spaceOf(t, p), spaceOf(t, p).s.draw(rand.New(rand.NewPCG(1, 1)), spaceOf(t, p).limits), false)
	d, err := Design(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	lo, hi, fast = ends(d.Trajectory)
	t.Logf("condition number %.2f, free %.2f; rocker within [%.3f, %.3f] of [%.3f, %.3f], at most %.3f of %.3f rad/s",
		d.ConditionScaled, free.ConditionScaled, lo, hi, j.Lower, j.Upper, fast, j.Velocity)
	if d.Violations != 0 || lo < j.Lower || hi > j.Upper || fast > j.Velocity || len(d.Distances) != 2 {
		t.Errorf("%d violations, %+v", d.Violations, d.Distances)
	}
	// An unreachable range of the passive joint is named in the error.
	j.Lower, j.Upper = j.Upper+2, j.Upper+2.1
	_, err = Design(context.Background(), p)
	var bad *InfeasibleError
	if !errors.As(err, &bad) || bad.Worst.Of != "j3" || bad.Worst.Constraint != "position" {
		t.Errorf("got %v", err)
	}
}
