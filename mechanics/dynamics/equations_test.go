package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/testrobot"
	"ident/robot"
)

// M and h are those of the recursions for one quantity, on trees with branches, slides, fixed and
// mimicking joints; and nothing is allocated.
func TestEquations(t *testing.T) {
	rng, mimics := rand.New(rand.NewPCG(5, 5)), 0
	for k := range 60 {
		r := testrobot.Random(rng, 1+k%9, k%2 == 0)
		if k%3 == 2 {
			r.Mimics = append(r.Mimics, robot.Mimic{Joint: len(r.Links) - 1, Of: 0, Multiplier: -0.7, Offset: 0.3})
			if r.Validate() != nil { // a joint that is fixed, or the only one
				r.Mimics = nil
			}
		}
		mimics += len(r.Mimics)
		tree, err := New(r)
		if err != nil {
			t.Fatal(err)
		}
		n := tree.DOF()
		q, dq := make([]float64, n), make([]float64, n)
		e := tree.Equations()
		mass, want, h, bias := make([]float64, n*n), make([]float64, n*n), make([]float64, n), make([]float64, n)
		for range 3 {
			for i := range q {
				q[i], dq[i] = rng.NormFloat64(), rng.NormFloat64()
			}
			e.At(mass, h, q, dq)
			tree.InertiaMatrix(want, q)
			tree.InverseDynamics(bias, q, dq, make([]float64, n))
			// Sums of some hundred products of 16 digits, beside the largest entries.
			scale := 0.0
			for i := range want {
				scale = max(scale, math.Abs(want[i]))
			}
			for i := range want {
				if math.Abs(mass[i]-want[i]) > 1e-13*scale {
					t.Fatalf("robot %d: M[%d] = %.17g, want %.17g", k, i, mass[i], want[i])
				}
			}
			tau, all := make([]float64, n), make([]float64, n)
			ddq := make([]float64, n)
			for i := range ddq {
				ddq[i] = rng.NormFloat64()
			}
			e.Torques(tau, q, dq, ddq)
			tree.InverseDynamics(all, q, dq, ddq)
			for i := range all {
				scale = max(scale, math.Abs(all[i]))
			}
			for i := range all {
				if math.Abs(tau[i]-all[i]) > 1e-12*scale {
					t.Fatalf("robot %d: τ[%d] = %.17g, want %.17g", k, i, tau[i], all[i])
				}
			}
			scale = 0
			for i := range bias {
				scale = max(scale, math.Abs(bias[i]))
			}
			for i := range bias {
				if math.Abs(h[i]-bias[i]) > 1e-12*scale {
					t.Fatalf("robot %d: h[%d] = %.17g, want %.17g", k, i, h[i], bias[i])
				}
			}
		}
		if got := testing.AllocsPerRun(5, func() { e.At(mass, h, q, dq) }); got != 0 {
			t.Fatalf("%g allocations", got)
		}
	}
	if mimics < 5 {
		t.Errorf("%d robots with mimicking joints", mimics)
	}
}

func BenchmarkEquations(b *testing.B) {
	tree, err := New(testrobot.Random(rand.New(rand.NewPCG(1, 2)), 7, false))
	if err != nil {
		b.Fatal(err)
	}
	n := tree.DOF()
	q, dq, h, mass := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n*n)
	for i := range q {
		q[i], dq[i] = float64(i)/3, 1
	}
	e, zero := tree.Equations(), make([]float64, n)
	b.Run("together", func(b *testing.B) {
		for b.Loop() {
			e.At(mass, h, q, dq)
		}
	})
	b.Run("apart", func(b *testing.B) {
		for b.Loop() {
			tree.InertiaMatrix(mass, q)
			tree.InverseDynamics(h, q, dq, zero)
		}
	})
}
