package tasks

import (
	"context"
	"errors"
	"math"
	"testing"

	"ident/internal/long"
	"ident/mechanics/dynamics"
)

// The law of the least ∫s″² of a double integrator has the parabola of velocity and the cost 12/T³; with a limit of velocity below the
// parabola's peak it has, between its ends, that velocity (Vukobratović and Potkonjak 1985, 3.13).
func TestOptimalVelocityOfADoubleIntegrator(t *testing.T) {
	p := VelocityProblem{Time: 2, Steps: 60, Cost: func(_, _, dds float64) float64 { return dds * dds }, Tolerance: 5e-3}
	l, err := OptimalVelocity(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "cost", l.Cost, 12.0/8, 2e-3*12/8)
	h := p.Time / 60
	for k := 1; k < 60; k++ {
		u := float64(k) / 60
		near(t, "velocity", (l.S[k+1]-l.S[k-1])/(2*h), 6*u*(1-u)/p.Time, 0.02*1.5/p.Time)
	}
	// With a limit: rest, a parabola of a part of the time, the limit. The least cost with s' ≤ v has s″ = 2v/a·(1 − t/a) for a time a, with the
	// distance 2va/3 on either side: a = (3/2)·(T − 1/v), and the cost 2·(4/3)·v²/a.
	const v = 0.65 // of a peak of 0.75
	limited := p
	limited.Cost = func(_, ds, dds float64) float64 {
		if ds > v {
			return math.Inf(1)
		}
		return dds * dds
	}
	l, err = OptimalVelocity(context.Background(), limited)
	if err != nil {
		t.Fatal(err)
	}
	a := 1.5 * (p.Time - 1/v)
	near(t, "limited cost", l.Cost, 8.0/3*v*v/a, 0.02*l.Cost)
	limited.Time = 1 // the mean is above the limit
	var no *InfeasibleError
	if _, err := OptimalVelocity(context.Background(), limited); !errors.As(err, &no) || no.Time != 1 {
		t.Errorf("a path too fast: %v", err)
	}
	coarse := p
	coarse.Steps, coarse.Tolerance = 8, 1e-4
	var bound *CoarseError
	if _, err := OptimalVelocity(context.Background(), coarse); !errors.As(err, &bound) || !(bound.Bound > 1e-4) {
		t.Errorf("eight steps: %v", err)
	}
	for _, bad := range []VelocityProblem{{Time: 0, Cost: p.Cost}, {Time: 1, Steps: 3, Cost: p.Cost}} {
		if _, err := OptimalVelocity(context.Background(), bad); err == nil {
			t.Errorf("%+v has a law", bad)
		}
	}
}

// The zero values of a problem solve the source's first example, a double integrator in 1 s with the cost ∫s″² = 12 (3.13), and a
// smaller tolerance takes more steps.
func TestOptimalVelocityByDefault(t *testing.T) {
	p := VelocityProblem{Time: 1, Cost: func(_, _, dds float64) float64 { return dds * dds }}
	l, err := OptimalVelocity(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "cost", l.Cost, 12, 2e-3*12)
	p.Tolerance = 1e-4
	fine, err := OptimalVelocity(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if !(len(fine.S) > len(l.S)) || !(fine.Bound <= 1e-4) || !(math.Abs(fine.Cost-12) < 0.3*math.Abs(l.Cost-12)) {
		t.Errorf("%d steps and a cost of %.8g, with %d and %.8g by default", len(fine.S)-1, fine.Cost, len(l.S)-1, l.Cost)
	}
	t.Logf("%d steps: %.6g; %d steps: %.6g", len(l.S)-1, l.Cost, len(fine.S)-1, fine.Cost)
}

// The squares of an arm's torques along a line are less with the optimal law than with any profile, within its limits.
func TestOptimalVelocityOfAnArm(t *testing.T) {
	r := planar()
	r.Links[0].Joint.Fs, r.Links[1].Joint.Fs = 0, 0 // smooth torques
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	const time = 0.8
	q, dq, ddq, tau := make([]float64, 2), make([]float64, 2), make([]float64, 2), make([]float64, 2)
	m := plan(t, r, Task{Unlimited: true, Start: Start{Joints: map[string]float64{"J1": -0.5, "J2": 1.2}},
		Segments: []Segment{{Kind: Joints, Joints: map[string]float64{"J1": 0.6, "J2": 0.3}, Time: 1, Profile: Parabolic}}})
	end, start := make([]float64, 2), make([]float64, 2)
	m.Eval(0, start, dq, ddq)
	m.Eval(1, end, dq, ddq)
	cost := func(s, ds, dds float64) float64 {
		for k := range q {
			way := end[k] - start[k]
			q[k], dq[k], ddq[k] = start[k]+s*way, ds*way, dds*way
		}
		tree.InverseDynamics(tau, q, dq, ddq)
		return tau[0]*tau[0] + tau[1]*tau[1]
	}
	l, err := OptimalVelocity(context.Background(), VelocityProblem{Time: time, Steps: long.Of(24, 16), Cost: cost, Tolerance: 0.03})
	if err != nil {
		t.Fatal(err)
	}
	for _, profile := range []Profile{Quintic, Triangular, Trapezoidal, Parabolic} {
		sum := 0.0
		const n = 2000
		for i := range n {
			s, ds, dds := law{kind: profile, ramp: 1. / 3}.at((float64(i) + 0.5) / n)
			sum += time / n * cost(s, ds/time, dds/(time*time))
		}
		if !(l.Cost < sum) {
			t.Errorf("%s has %.6g, the optimum %.6g", profile, sum, l.Cost)
		}
		t.Logf("%s: %.5g, optimal %.5g", profile, sum, l.Cost)
	}
}
