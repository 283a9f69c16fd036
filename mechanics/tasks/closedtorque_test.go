package tasks

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// fourBar is a crank and rocker with bodies and friction in all joints, in a vertical plane.
func fourBar() *robot.Robot {
	r := testrobot.Weigh(testrobot.FourBar(1, 0.35, 0.9, 0.7, 0, math.Pi/2), rand.New(rand.NewPCG(43, 44)))
	r.Assembly = map[string]float64{"J1": 0.3, "J2": 1, "J3": 1.5}
	return r
}

// largestTorques are those of the drives in a motion of a robot with loops on a fine grid, by the rows of the identification model.
func largestTorques(t *testing.T, r *robot.Robot, m *Motion) []float64 {
	t.Helper()
	model, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	chi := make([]float64, len(model.Columns()))
	for i, c := range model.Columns() {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	const samples = 2001
	n := m.DOF()
	rows := func() [][]float64 {
		out := make([][]float64, n)
		for k := range out {
			out[k] = make([]float64, samples)
		}
		return out
	}
	q, dq, ddq, tau := rows(), rows(), rows(), rows()
	a, b, c := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range samples {
		m.Eval(m.Duration()*(float64(i)+0.5)/(samples+1), a, b, c)
		for k := range n {
			q[k][i], dq[k][i], ddq[k][i] = a[k], b[k], c[k]
		}
	}
	if err := regressor.NewTorques(model).Eval(tau, regressor.Batch{Q: q, DQ: dq, DDQ: ddq}, chi); err != nil {
		t.Fatal(err)
	}
	out := make([]float64, n)
	for k := range tau {
		for _, v := range tau[k] {
			out[k] = max(out[k], math.Abs(v))
		}
	}
	return out
}

// The least time of a robot with loops under limits of torque uses one of them up, by the rows of the identification model, which shares no
// code with it; and a bisection over the time by these rows finds the same.
func TestLeastTimeOfClosedRobots(t *testing.T) {
	long.Only(t, "TestLeastTime stands for it")
	sr400 := testrobot.Weigh(testrobot.SR400(t), rand.New(rand.NewPCG(3, 4)))
	arm, err := newArm(sr400, Tip{})
	if err != nil {
		t.Fatal(err)
	}
	from, err := arm.closure.Assembled(nil)
	if err != nil {
		t.Fatal(err)
	}
	to := map[string]float64{"J1": from.Q[0] + 0.5, "J2": from.Q[1] - 0.3} // near the assembly, which has others
	for _, c := range []struct {
		r     *robot.Robot
		task  Task
		limit map[string]float64
	}{
		{fourBar(), Task{Segments: []Segment{{Kind: Joints, Joints: map[string]float64{"J1": 3}, Profile: Quintic}}}, map[string]float64{"J1": 60}},
		{sr400, Task{Segments: []Segment{{Kind: Joints, Joints: to, Profile: Triangular}}}, nil},
	} {
		a, err := newArm(c.r, Tip{})
		if err != nil {
			t.Fatal(err)
		}
		if c.limit == nil { // as much as a slow motion takes, and two thirds
			c.limit = map[string]float64{}
			slow := c.task
			slow.Unlimited, slow.Segments = true, []Segment{c.task.Segments[0]}
			slow.Segments[0].Time = 20
			for k, v := range largestTorques(t, c.r, plan(t, c.r, slow)) {
				c.limit[a.names[k]] = v*5/3 + 1
			}
		}
		c.task.Torque = c.limit
		m := plan(t, c.r, c.task)
		leg := m.Legs()[0]
		used := func(m *Motion) (most float64) {
			for k, v := range largestTorques(t, c.r, m) {
				most = max(most, v/c.limit[a.names[k]])
			}
			return most
		}
		// Between samples a two-thousandth of the time apart the demand changes by less than some 2e-3 of it.
		if u := used(m); u > 1+1e-9 || u < 1-3e-3 || leg.Quantity != "torque" {
			t.Errorf("%s: %.9f of the limits are used in %.6g s, %s binds", c.r.Name, u, leg.Time, leg.Quantity)
		}
		low, high := 0.5*leg.Time, 2*leg.Time
		for range 12 {
			mid := (low + high) / 2
			timed := c.task
			timed.Torque, timed.Unlimited, timed.Segments = nil, true, []Segment{c.task.Segments[0]}
			timed.Segments[0].Time = mid
			if used(plan(t, c.r, timed)) > 1 {
				low = mid
			} else {
				high = mid
			}
		}
		t.Logf("%s: %.6g s, by bisection %.6g s, %s of %s", c.r.Name, leg.Time, high, leg.Quantity, leg.Joint)
		// Twelve halvings of 1.5 of the time, and the samples' 2e-3 of the torque, half of it of the time.
		if math.Abs(high-leg.Time) > 2e-3*leg.Time {
			t.Errorf("%s: %.6g s, by bisection %.6g s", c.r.Name, leg.Time, high)
		}
		short := c.task
		short.Segments = []Segment{c.task.Segments[0]}
		short.Segments[0].Time = 0.99 * leg.Time
		var early *TimeError
		if _, err := Plan(context.Background(), c.r, short); !errors.As(err, &early) || math.Abs(early.Least-leg.Time) > 1e-9 || !(early.Value > early.Limit) {
			t.Errorf("%s: %v", c.r.Name, err)
		}
	}
}

// The torques against a force on the tip of a robot with loops do the work of the force.
func TestForceOnClosedRobot(t *testing.T) {
	r := fourBar()
	m := plan(t, r, Task{Unlimited: true, Tip: Tip{Link: r.Links[1].Name}, Segments: []Segment{{Kind: Joints, Joints: map[string]float64{"J1": 2}, Time: 1, Force: [3]float64{3, -4, 5}}}})
	q, dq, ddq, tau := []float64{0}, []float64{0}, []float64{0}, []float64{0}
	for i := range 9 {
		at := 0.1 + float64(i)/10
		m.Eval(at, q, dq, ddq)
		tau[0] = 0
		f := m.Push(at, q, tau)
		const h = 1e-5
		before, _ := m.Tip(at - h)
		after, _ := m.Tip(at + h)
		velocity := spatial.Scale(1/(2*h), spatial.Sub(after, before))
		near(t, "power", -tau[0]*dq[0], spatial.Dot(f, velocity), 1e-6) // of the difference, h²/6 of the third derivative
	}
}
