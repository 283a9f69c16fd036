package outputerror

import (
	"context"
	"fmt"
	"math"
	"testing"

	"ident/internal/long"
)

// prepared is a fit of a log at its true parameters, with the true start.
func (x *experiment) prepared(t *testing.T, law *Law, run *Run, offsets []int) (*fit, parameters) {
	t.Helper()
	n := len(x.kp)
	f := &fit{subject: x.subject, law: law, joints: n, offsets: offsets}
	c, err := clock(run, law.Period, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	c.q, c.dq = make([]float64, n), make([]float64, n)
	x.motion.Eval(0, c.q, c.dq, make([]float64, n))
	f.runs = append(f.runs, c)
	p := parameters{x: x.truth, bias: make([]float64, n), delay: x.delay}
	for _, g := range law.Gains {
		if g.P != 0 {
			p.gains = append(p.gains, x.kp[g.Joint])
		} else {
			p.gains = append(p.gains, x.kd[g.Joint])
		}
	}
	return f, p
}

// The simulation is the plant's own under the same law, with its events. A step of the midpoint changes torques by (hω)²/24 of
// them, for the frequencies ω of the motion and of the robot without its controller, 10 rad/s at most here:
// 4e-6 of torques that position errors of 0.05 rad make.
func TestSimulationIsThePlant(t *testing.T) {
	x := puma(t)
	x.delay = 0.0023
	run := x.run(t, 1, 2, 1, 0)
	f, p := x.prepared(t, x.law(6), run, nil)
	m, err := f.simulate(context.Background(), f.runs[0], p)
	if err != nil {
		t.Fatal(err)
	}
	for k := range m.q {
		worst := 0.0
		for i, q := range m.q[k] {
			worst = math.Max(worst, math.Abs(q-run.Position[k][i]))
		}
		if worst > 4e-6*0.05 {
			t.Errorf("joint %d: %.3g rad from the plant", k+1, worst)
		}
	}
}

// Sensitivities are the derivatives of the simulation: central differences by every parameter, through reversals and rest. The implicit
// midpoint rule changes modes by (hω)²/12, 1e-3 at the 100 rad/s of the stiffest loop here, and the times of reversals are
// known to a part of a period: a hundredth of the largest sensitivity in all.
func TestSensitivities(t *testing.T) {
	x := puma(t)
	x.delay = 0.0023
	x.limit = []float64{30, 0, 0, 0, 0, 0} // which the first joint reaches
	run := x.run(t, 1, 1.5, 1, 0)
	law := x.law(1)
	f, p := x.prepared(t, law, run, []int{1, 3})
	m, err := f.simulate(context.Background(), f.runs[0], p)
	if err != nil {
		t.Fatal(err)
	}
	limited := 0
	for _, v := range m.limited[0] {
		if v {
			limited++
		}
	}
	if limited == 0 || limited > len(m.limited[0])/2 {
		t.Fatalf("the drive of the first joint is at its limit in %d of %d samples: the test wants some", limited, len(m.limited[0]))
	}
	exact, err := f.sensitivities(context.Background(), f.runs[0], m, p)
	if err != nil {
		t.Fatal(err)
	}
	// The simulation starts where the encoder says.
	f.runs[0].q = append([]float64(nil), f.runs[0].q...)
	for c := 0; c < f.size(); c += long.Of(1, 15) {
		step := make([]float64, f.size())
		step[c] = 1e-5
		var sides [2]*output
		for i, sign := range []float64{1, -1} {
			q := f.moved(p, step, sign)
			m, err := f.simulate(context.Background(), f.runs[0], q)
			if err != nil {
				t.Fatal(err)
			}
			sides[i] = f.residualsOf([]*motion{m}, q)[0]
		}
		worst, largest := 0.0, 0.0
		for k := range f.joints {
			for w, v := range exact.by[k][c] {
				d := (sides[1].residual[k][w] - sides[0].residual[k][w]) / 2e-5
				largest = math.Max(largest, math.Abs(d))
				worst = math.Max(worst, math.Abs(d-v))
			}
		}
		name := fmt.Sprint("parameter ", c)
		if c < f.gainAt() {
			name = f.subject.Set.Name(c)
		}
		bound := 0.01
		if c == f.delayAt() {
			bound = 0.03 // its torque is spread over the period in which the command changes
		}
		if worst > bound*largest {
			t.Errorf("%s: off by %.3g of %.3g", name, worst, largest)
		}
	}
}
