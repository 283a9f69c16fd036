package outputerror

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"ident/estimate"
	"ident/filter"
	"ident/internal/long"
	"ident/regressor"
)

// prepared is a fit of a log at its true parameters, with the true start.
func (x *experiment) prepared(t *testing.T, law *Law, run *Run, offsets []int) (*fit, parameters) {
	t.Helper()
	n := len(x.kp)
	f := &fit{subject: x.subject, law: law, joints: n, offsets: offsets}
	f.parts = f.limbs()
	c := clock(run, law.Period, 0.1)
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
			column := f.masks()[k]
			for w := range exact.residual[k] {
				v := 0.0
				if at := slices.Index(column, c); at >= 0 {
					v = exact.by[k][at][w]
				}
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

// resampled returns a run at another interval, interpolated by cubic polynomials.
func resampled(run *Run, interval float64) *Run {
	rows := int(float64(run.Samples()-1)*run.Interval/interval) - 1
	out := &Run{Name: run.Name, Interval: interval}
	of := func(x []float64) []float64 {
		slope, y := make([]float64, len(x)), make([]float64, rows)
		filter.Differentiate4(slope, x, run.Interval)
		for i := range y {
			at := float64(i) * interval / run.Interval
			k := int(at)
			y[i], _ = hermite(x[k], x[k+1], slope[k]*run.Interval, slope[k+1]*run.Interval, at-float64(k))
		}
		return y
	}
	for k := range run.Command {
		out.Command, out.Position = append(out.Command, of(run.Command[k])), append(out.Position, of(run.Position[k]))
	}
	return out
}

// Rows need not lie at the samples of the law: logs of rates below and above the law's, none of which divides it, end at the truth.
func TestRowsBetweenSamples(t *testing.T) {
	x := planar(t, nil)
	for _, c := range []struct{ period, interval float64 }{{0.001, 0.00297}, {0.004, 0.005013}, {0.004, 0.00297}} {
		if c.interval < 0.005 && !long.Set() {
			continue
		}
		x.period = c.period
		law := x.law(3)
		law.P, law.D, law.Gains, law.Period = x.kp, x.kd, nil, c.period
		e, err := Fit(context.Background(), x.subject, law, []*Run{resampled(x.run(t, 1, 8, 1, 0), c.interval)}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		truth := append(slices.Clone(x.truth), 0)
		for i, name := range e.Names {
			scale := 0.1 + math.Abs(truth[i])
			if strings.HasPrefix(name, "Fo") {
				scale += 1 // beside 38 N·m of gravity
			}
			if d := math.Abs(e.X[i] - truth[i]); d > 0.01*scale {
				t.Errorf("a law of %g s, rows of %g s: %s is %.6g, the truth %.6g", c.period, c.interval, name, e.X[i], truth[i])
			}
		}
	}
}

// A step that would leave the robots that a law can hold ends inside, where the log says nothing against it, and nowhere else.
func TestCone(t *testing.T) {
	x := planar(t, nil)
	law := x.law(3)
	law.P, law.D, law.Gains = x.kp, x.kd, nil
	f, p := x.prepared(t, law, x.run(t, 1, 3, 1, 0), nil)
	if err := f.prepare(); err != nil {
		t.Fatal(err)
	}
	f.cone = f.newCone()
	least := f.least(p)
	if err := f.check(p.x, least); err != nil {
		t.Fatal(err)
	}
	n := f.size()
	sol := &estimate.Solution{X: make([]float64, n), Covariance: make([][]float64, n)}
	for i := range sol.Covariance {
		sol.Covariance[i] = make([]float64, n)
		sol.Covariance[i][i] = 1
	}
	for i, c := range f.subject.Model.Columns() {
		if c.Term == regressor.Links || c.Term == regressor.Ia {
			sol.X[i] = -2 * p.x[i]
		} else {
			sol.X[i] = 0.01
		}
	}
	if f.cone.holds(sol.X, p.x, least) {
		t.Fatal("the step stays inside")
	}
	out := f.cone.step(f, sol, p)
	if !f.cone.holds(out.X, p.x, least) {
		t.Error("the step ends outside")
	}
	for i, c := range f.subject.Model.Columns() {
		if c.Term == regressor.Fo && math.Abs(out.X[i]-0.01) > 1e-6 {
			t.Errorf("%s moves by %g, want 0.01", c.Name, out.X[i])
		}
	}
}
