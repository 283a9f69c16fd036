package doctor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/doctor"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// A motion of ten rows a period is no log of shuffled packets where its velocities explain its steps; one whose rows were exchanged is.
func TestFastMotionStandsInOrder(t *testing.T) {
	for _, shuffled := range []bool{false, true} {
		rng := rand.New(rand.NewPCG(36, 3))
		r := arm("three", rng, []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: half}, {Antecedent: 1, D: 0.4}})
		tree, err := dynamics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		e := run(r, rng, 100, 16)
		for j := range e.q {
			for k, at := range e.t {
				w := 2 * math.Pi * (9.7 + 0.4*float64(j)) // Hz
				a := 0.02
				e.q[j][k] += a * math.Sin(w*at)
				e.dq[j][k] += a * w * math.Cos(w*at)
				e.ddq[j][k] -= a * w * w * math.Sin(w*at)
			}
		}
		q, dq, ddq, tau := make([]float64, 3), make([]float64, 3), make([]float64, 3), make([]float64, 3)
		for k := range e.t {
			for j := range q {
				q[j], dq[j], ddq[j] = e.q[j][k], e.dq[j][k], e.ddq[j][k]
			}
			tree.InverseDynamics(tau, q, dq, ddq)
			for j := range q {
				e.tau[j][k] = tau[j] + 0.2*ddq[j] + dq[j] + 1e-3*rng.NormFloat64()
			}
		}
		if shuffled {
			for k := 20; k < len(e.t)-20; k += 12 {
				for j := range e.q {
					for _, x := range [][]float64{e.q[j], e.dq[j], e.tau[j]} {
						x[k], x[k+1] = x[k+1], x[k]
					}
				}
			}
		}
		said := false
		for _, f := range e.findings(t) {
			said = said || f.ID == doctor.ClockJitter && f.Severity != doctor.Info
		}
		if said != shuffled {
			t.Errorf("shuffled %v: told %v", shuffled, said)
		}
	}
}
