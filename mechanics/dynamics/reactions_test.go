package dynamics_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/oracle"
	"ident/internal/spatial"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
)

func normals(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for k := range out {
		out[k] = rng.NormFloat64()
	}
	return out
}

// The recursion's wrenches are those of the theorems of momentum on 100 random trees: at every joint, on the
// ground, and on a body that is fixed to a link. Moments reach some 1e4 N·m here; each is a sum of a few
// hundred terms of that size, so 1e-11 of the largest leaves two digits.
func TestReactions(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		r := testrobot.Random(rng, 1+rng.IntN(8), true)
		tree, err := dynamics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		n := tree.DOF()
		q, dq, ddq := normals(rng, n), normals(rng, n), normals(rng, n)
		re := tree.NewReactions()
		re.Move(q, dq, ddq)
		want := oracle.Wrenches(r, q, dq, ddq)
		size := 1.0
		for _, w := range want {
			size = max(size, spatial.Norm(w.Force), spatial.Norm(w.Moment))
		}
		same := func(name string, got, want [3]float64) {
			t.Helper()
			if !(spatial.Norm(spatial.Sub(got, want)) <= 1e-11*size) {
				t.Errorf("%s: %v, by the theorems %v", name, got, want)
			}
		}
		var ground dynamics.Wrench
		for j, w := range want {
			f := re.Frame(j)
			got := re.Joint(j)
			same(fmt.Sprintf("force at joint %d", j+1), spatial.MulVec(f.R, got.Force), w.Force)
			same(fmt.Sprintf("moment at joint %d", j+1), spatial.MulVec(f.R, got.Moment), w.Moment)
			if r.Links[j].Antecedent < 0 {
				ground.Force = spatial.Add(ground.Force, w.Force)
				ground.Moment = spatial.Add(ground.Moment, spatial.Add(w.Moment, spatial.Cross(f.P, w.Force)))
			}
		}
		same("force on the base", re.Base().Force, ground.Force)
		same("moment on the base", re.Base().Moment, ground.Moment)
		tau, id := make([]float64, n), make([]float64, n)
		re.Torques(tau)
		tree.InverseDynamics(id, q, dq, ddq)
		for k := range tau {
			if tau[k] != id[k] {
				t.Errorf("torque %d: %g, by inverse dynamics %g", k+1, tau[k], id[k])
			}
		}
		// A payload as a part of its link adds the wrench that it receives from it.
		link := rng.IntN(len(r.Links))
		payload := testrobot.Body(rng)
		with := r.Clone()
		with.Links[link].Inertial = with.Links[link].Inertial.Add(payload)
		loaded, err := dynamics.New(with)
		if err != nil {
			t.Fatal(err)
		}
		more := loaded.NewReactions()
		more.Move(q, dq, ddq)
		own := re.On(link, payload)
		same("force on a payload", spatial.Sub(more.Joint(link).Force, re.Joint(link).Force), own.Force)
		same("moment on a payload", spatial.Sub(more.Joint(link).Moment, re.Joint(link).Moment), own.Moment)
		at := [3]float64{0.3, -0.2, 0.1}
		arm := own.Moved(at)
		same("moment about another point", spatial.Add(arm.Moment, spatial.Cross(at, arm.Force)), own.Moment)
	}
}

// A pendulum's bearing in closed form: mass m at distance l, hanging at angle φ from the vertical, carries
// m(g·cos φ + l·φ̇²) along the rod and m(g·sin φ + l·φ̈) across it.
func TestPendulumReaction(t *testing.T) {
	const m, l, g = 2.0, 0.7, 9.81
	r := robot.FromMDH("pendulum", []robot.MDHFrame{{Antecedent: -1, Alpha: math.Pi / 2}})
	r.Links[0].Inertial = robot.InertialFromCentral(m, [3]float64{l, 0, 0}, [3][3]float64{})
	r.Links[0].HasInertial = true
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	re := tree.NewReactions()
	const phi, rate, acc = 0.4, 1.3, -2.1
	re.Move([]float64{phi - math.Pi/2}, []float64{rate}, []float64{acc})
	w := re.Joint(0)
	for k, want := range []float64{-m * (g*math.Cos(phi) + l*rate*rate), m * (g*math.Sin(phi) + l*acc), 0} {
		if math.Abs(w.Force[k]-want) > 1e-13*m*g {
			t.Errorf("force %d: %.17g, want %.17g", k, w.Force[k], want)
		}
	}
	if allocations := testing.AllocsPerRun(10, func() { re.Move([]float64{phi}, []float64{rate}, []float64{acc}) }); allocations != 0 {
		t.Errorf("%g allocations a state", allocations)
	}
}
