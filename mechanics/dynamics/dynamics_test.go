package dynamics

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/robot"
)

// draw makes a random robot and state.
func draw(t *rapid.T) (*Tree, *robot.Robot, [][]float64) {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	r := testrobot.Random(rng, rapid.IntRange(1, 9).Draw(t, "links"), true)
	moving := r.Moving()
	if len(moving) > 2 && rapid.Bool().Draw(t, "mimic") {
		r.Mimics = append(r.Mimics, robot.Mimic{Joint: moving[2], Of: moving[0], Multiplier: -1.5, Offset: 0.3})
	}
	tree, err := New(r)
	if err != nil {
		t.Fatal(err)
	}
	state := make([][]float64, 4)
	for i := range state {
		state[i] = make([]float64, tree.DOF())
		for k := range state[i] {
			state[i][k] = rng.NormFloat64()
		}
	}
	return tree, r, state
}

func near(t *rapid.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*(1+math.Abs(want))) {
		t.Fatalf("%s: got %.15g, want %.15g", what, got, want)
	}
}

func TestKineticEnergyIsQuadraticFormOfInertiaMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, _, s := draw(t)
		n := tree.DOF()
		m := make([]float64, n*n)
		tree.InertiaMatrix(m, s[0])
		e := 0.0
		for i := range n {
			for j := range n {
				e += m[i*n+j] * s[1][i] * s[1][j] / 2
				near(t, "symmetry", m[i*n+j], m[j*n+i], 1e-12)
			}
		}
		near(t, "energy", tree.KineticEnergy(s[0], s[1]), e, 1e-11)
	})
}

func TestInverseDynamicsIsInertiaTimesAccelerationPlusRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, _, s := draw(t)
		n := tree.DOF()
		m, full, rest := make([]float64, n*n), make([]float64, n), make([]float64, n)
		tree.InertiaMatrix(m, s[0])
		tree.InverseDynamics(full, s[0], s[1], s[2])
		tree.InverseDynamics(rest, s[0], s[1], make([]float64, n))
		for i := range n {
			sum := rest[i]
			for j := range n {
				sum += m[i*n+j] * s[2][j]
			}
			near(t, "torque", full[i], sum, 1e-10)
		}
	})
}

func TestForwardDynamicsUndoesInverseDynamics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, _, s := draw(t)
		n := tree.DOF()
		tau, ddq := make([]float64, n), make([]float64, n)
		tree.InverseDynamics(tau, s[0], s[1], s[2])
		if err := tree.ForwardDynamics(ddq, s[0], s[1], tau); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			near(t, "acceleration", ddq[i], s[2][i], 1e-7)
		}
	})
}

// The power of the torques is the rate of the total energy. The rate is taken
// along q(t) = q + dq·t + ddq·t²/2 by the fourth-order central difference,
// whose error at h = 1e-3 is of the order h⁴ = 1e-12 of the energy's fifth
// derivative, and whose rounding is ε/h.
func TestPowerIsRateOfEnergy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, _, s := draw(t)
		n := tree.DOF()
		energy := func(h float64) float64 {
			q, dq := make([]float64, n), make([]float64, n)
			for i := range n {
				q[i] = s[0][i] + s[1][i]*h + s[2][i]*h*h/2
				dq[i] = s[1][i] + s[2][i]*h
			}
			return tree.KineticEnergy(q, dq) + tree.PotentialEnergy(q)
		}
		const h = 1e-3
		rate := (energy(-2*h) - 8*energy(-h) + 8*energy(h) - energy(2*h)) / (12 * h)
		tau := make([]float64, n)
		tree.InverseDynamics(tau, s[0], s[1], s[2])
		power := 0.0
		for i := range n {
			power += tau[i] * s[1][i]
		}
		near(t, "power", power, rate, 1e-5)
	})
}

func TestPosesAgreeWithOutwardRecursion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, _, s := draw(t)
		poses := tree.Poses(s[0])
		for j, m := range tree.outward(s[0], s[1], nil) {
			for k := range 3 {
				near(t, "origin", poses[j].P[k], m.origin[k], 1e-12)
			}
		}
	})
}

func TestNewRefusesBadTrees(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(1, 1)), 3, false)
	r.Links[0].Antecedent = 2
	if _, err := New(r); err == nil {
		t.Error("an antecedent after its link was accepted")
	}
	r = testrobot.Random(rand.New(rand.NewPCG(1, 1)), 3, false)
	r.Links[1].Placement.P[0] = math.NaN()
	if _, err := New(r); err == nil {
		t.Error("a placement that is not finite was accepted")
	}
	r.Unset = []string{"D3"}
	if _, err := New(r); err == nil {
		t.Error("unset geometry was accepted")
	}
}
