package simulate

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/robot"
	"ident/simulate/plant"
)

// A force that grows by a a second moves a mass with dry friction Fs from t₀ = Fs/a on, with the velocity a·(t − t₀)²/2m; where it ends, at t₁,
// friction alone stops the mass within m·v₁/Fs, and holds it.
func TestCommandedForceBreaksLooseAndSticks(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 4))
		mass, fs, a, t1 := 1+9*rng.Float64(), 5+20*rng.Float64(), 30+50*rng.Float64(), 1.0
		r := robot.FromMDH("slide", []robot.MDHFrame{{Antecedent: -1, Kind: robot.Prismatic}})
		r.Gravity = [3]float64{}
		r.Links[0].Inertial = robot.InertialFromCentral(mass, [3]float64{}, [3][3]float64{{0.01}, {0, 0.01}, {0, 0, 0.01}})
		r.Links[0].HasInertial, r.Links[0].Joint.Fs = true, fs
		const start = 0.3
		c := Commanded{Commands: plant.Commands{T: []float64{5, 5 + t1, 5 + t1 + 1e-6, 5 + t1 + 4}, Tau: [][]float64{{0, a * t1, 0, 0}}}, Q: []float64{start}}
		x, err := NewCommanded(r, c, Options{Rate: 200})
		if err != nil {
			t.Fatal(err)
		}
		e, err := x.All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		t0 := fs / a
		at := func(s float64) (q, dq float64) {
			u := math.Min(math.Max(s-t0, 0), t1-t0)
			q, dq = start+a*u*u*u/(6*mass), a*u*u/(2*mass)
			if s <= t1 {
				return q, dq
			}
			stop := mass * dq / fs
			w := math.Min(s-t1, stop)
			return q + dq*w - fs*w*w/(2*mass), dq - fs*w/mass
		}
		// The microsecond in which the force falls adds dv, and dv for the time of the way.
		dv := 1.01*a*t1*0.5e-6/mass + 1e-9
		for k, s := range e.T {
			q, dq := at(s)
			if math.Abs(e.Exact.Q[0][k]-q) > 4*dv || math.Abs(e.Exact.DQ[0][k]-dq) > dv {
				t.Fatalf("seed %d, at %g s: %g m, %g m/s, want %g, %g", seed, s, e.Exact.Q[0][k], e.Exact.DQ[0][k], q, dq)
			}
		}
		if last := len(e.T) - 1; e.Exact.DQ[0][last] != 0 || e.T[0] != 0 {
			t.Errorf("seed %d: %g m/s at the end", seed, e.Exact.DQ[0][last])
		}
	}
}

// The torques of an exact motion, as commands, move random arms through that motion again.
func TestCommandedTorquesOfAMotion(t *testing.T) {
	worst := 0.0
	for seed := range uint64(long.Of(30, 6)) {
		rng := rand.New(rand.NewPCG(seed, 8))
		n := 1 + rng.IntN(4)
		r := testrobot.Weigh(testrobot.Random(rng, n, false), rng)
		for j := range r.Links {
			r.Links[j].Joint.Fv, r.Links[j].Joint.Fs, r.Links[j].Joint.Ia = 0.5*rng.Float64(), 0, 0.2
		}
		motion := wave(len(r.Independent()))
		exact, err := Run(t.Context(), r, motion, Options{Rate: 2000, Duration: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		c := Commanded{Commands: plant.Commands{T: exact.T, Tau: exact.Exact.Tau}}
		for i := range exact.Joints {
			c.Q, c.DQ = append(c.Q, exact.Exact.Q[i][0]), append(c.DQ, exact.Exact.DQ[i][0])
		}
		x, err := NewCommanded(r, c, Options{Rate: 100})
		if err != nil {
			t.Fatal(err)
		}
		e, err := x.All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := range e.Joints {
			for k := range e.T {
				worst = max(worst, math.Abs(e.Exact.Q[i][k]-exact.Exact.Q[i][20*k]))
			}
		}
	}
	// Straight lines between torques 0.5 ms apart are h²·τ″/12 off in the mean: 1e-6 of them, which half a second makes a part of 1e-5 rad of.
	if worst > 1e-5 {
		t.Errorf("%g rad off", worst)
	}
	t.Logf("%.2g rad off", worst)
}

// Commands that are none are refused.
func TestCommandedRefuses(t *testing.T) {
	r := piston(3, 0, rand.New(rand.NewPCG(1, 1)))
	good := plant.Commands{T: []float64{0, 1, 2, 3}, Tau: [][]float64{{0, 1, 2, 3}}}
	for name, c := range map[string]struct {
		Commanded
		says string
	}{
		"times that fall":     {Commanded{Commands: plant.Commands{T: []float64{0, 2, 1, 3}, Tau: good.Tau}}, "time in row 3"},
		"no torque":           {Commanded{Commands: plant.Commands{T: good.T, Tau: [][]float64{{0, 1, math.NaN(), 3}}}}, "torque of drive 1 in row 3 is NaN"},
		"joints of another":   {Commanded{Commands: plant.Commands{T: good.T, Tau: [][]float64{{0, 1, 2, 3}, {0, 1, 2, 3}}}}, ""},
		"a start that is NaN": {Commanded{Commands: good, Q: []float64{math.NaN()}}, "starts at NaN"},
	} {
		if _, err := NewCommanded(r, c.Commanded, Options{}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewCommanded(r, Commanded{Commands: good}, Options{TorqueLag: 1}); err == nil {
		t.Error("a lag: no error")
	}
}
