package oracle

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/mechanics/kinematics"
	"ident/mechanics/loops"
	"ident/regressor"
	"ident/robot"
)

func random(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for k := range out {
		out[k] = rng.NormFloat64()
	}
	return out
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// worst is the largest difference as a part of the largest torque and 1 N·m.
func worst(a, b []float64) (e float64) {
	size := 1.0
	for k := range a {
		size = max(size, math.Abs(b[k]))
	}
	for k := range a {
		e = max(e, math.Abs(a[k]-b[k])/size)
	}
	return e
}

// Four formulations, the recursion of dynamics and the regressor agree on 200 random trees with
// revolute, prismatic and fixed joints, mimics, frames in any direction, and rotors.
func TestFormulationsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	largest := 0.0
	for i := range 200 {
		r := testrobot.Random(rng, 1+rng.IntN(8), true)
		if n := len(r.Links); i%3 == 0 && n > 2 && r.Links[n-1].Joint.Kind == robot.Revolute && r.Links[0].Joint.Kind == robot.Revolute {
			r.Mimics = append(r.Mimics, robot.Mimic{Joint: n - 1, Of: 0, Multiplier: 0.7, Offset: -0.4})
		}
		tree := must(dynamics.New(r))
		n := tree.DOF()
		q, dq, ddq := random(rng, n), random(rng, n), random(rng, n)
		want := make([]float64, n)
		tree.InverseDynamics(want, q, dq, ddq)
		results := map[string][]float64{
			"theorems of momentum": Theorems(r, q, dq, ddq), "Lagrange": Lagrange(r, q, dq, ddq),
			"Gauss": Gauss(r, q, dq, ddq), "Appel": Appel(r, q, dq, ddq), "regressor": byRegressor(t, r, q, dq, ddq),
		}
		for name, got := range results {
			e := worst(got, want)
			largest = max(largest, e)
			if !(e < 1e-9) {
				t.Errorf("%s: robot %d is off by %.2g of its torques", name, i, e)
			}
		}
	}
	t.Logf("largest difference %.2g of the torques", largest)
}

func byRegressor(t *testing.T, r *robot.Robot, q, dq, ddq []float64) []float64 {
	t.Helper()
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links, regressor.Ia})
	if err != nil {
		t.Fatal(err)
	}
	chi := make([]float64, len(m.Columns()))
	for k, c := range m.Columns() {
		chi[k], _ = regressor.ValueOf(r, c)
	}
	b := m.NewBlock(1)
	m.Eval(b, samples(q), samples(dq), samples(ddq), m.NewWorkspace())
	out := samples(make([]float64, len(q)))
	m.Predict(out, b, chi)
	tau := make([]float64, len(q))
	for j := range tau {
		tau[j] = out[j][0]
	}
	return tau
}

// samples is one sample, [joint][sample].
func samples(v []float64) [][]float64 {
	out := make([][]float64, len(v))
	for j := range v {
		out[j] = []float64{v[j]}
	}
	return out
}

// The gyroscopic term with the factor 2 that is printed in 2.9.19 gives other torques; with
// the factor 1, those of the others.
func TestAppelMisprint(t *testing.T) {
	rng, clear := rand.New(rand.NewPCG(23, 24)), 0
	for range 20 {
		r := testrobot.Random(rng, 5, false)
		for j := range r.Links {
			r.Links[j].Antecedent, r.Links[j].Joint.Kind, r.Links[j].Joint.Ia = j-1, robot.Revolute, 0
		}
		r.Links[2].Joint.Kind = robot.Prismatic
		q, dq, ddq := random(rng, 5), random(rng, 5), random(rng, 5)
		for k := range dq {
			dq[k] *= 20 // the term grows with the square of the rates
		}
		want := Lagrange(r, q, dq, ddq)
		if e := worst(appel(r, q, dq, ddq, 1), want); !(e < 1e-9) {
			t.Errorf("factor 1: off by %.2g", e)
		}
		e := worst(appel(r, q, dq, ddq, 2), want)
		if !(e > 1e-4) { // above the differences of the others by far, for any bodies
			t.Errorf("factor 2: off by %.2g only", e)
		}
		if e > 1e-3 {
			clear++
		}
	}
	if clear < 15 {
		t.Errorf("factor 2 is off by more than a thousandth for %d of 20 robots only", clear)
	}
}

// Gauss' torques are linear in the pseudo-inertia, and those of the unit parameters are the regressor's columns.
func TestGaussRegressor(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for range 20 {
		r := testrobot.Random(rng, 5, true)
		m := must(regressor.NewDynamic(r, []regressor.Term{regressor.Links}))
		n := len(r.Independent())
		q, dq, ddq := random(rng, n), random(rng, n), random(rng, n)
		b := m.NewBlock(1)
		m.Eval(b, samples(q), samples(dq), samples(ddq), m.NewWorkspace())
		s := newState(r, q, dq, ddq)
		placed := s.placements()
		for c, col := range m.Columns() {
			var unit robot.Inertial
			unit[col.Param] = 1
			chi := make([]float64, len(m.Columns()))
			chi[c] = 1
			want := samples(make([]float64, n))
			m.Predict(want, b, chi)
			for k := range n {
				got := s.gaussian(placed[col.Link], k, pseudoInertia(unit))
				if e := math.Abs(got - want[k][0]); !(e < 1e-10*(1+math.Abs(got))) {
					t.Fatalf("column %v, joint %d: %.12g, regressor %.12g", col, k+1, got, want[k][0])
				}
			}
		}
		h1, h2 := pseudoInertia(testrobot.Body(rng)), pseudoInertia(testrobot.Body(rng))
		var sum matrix
		sum = sum.plus(2.5, h1).plus(-0.5, h2)
		last := placed[len(placed)-1]
		for k := range n {
			got, want := s.gaussian(last, k, sum), 2.5*s.gaussian(last, k, h1)-0.5*s.gaussian(last, k, h2)
			if e := math.Abs(got - want); !(e < 1e-12*(1+math.Abs(want))*100) {
				t.Errorf("not linear: %.15g and %.15g", got, want)
			}
		}
	}
}

// With the loop of a four-bar as a penalty on its open accelerations instead of a constraint, Gauss'
// principle tends to the accelerations of loops.ForwardDynamics as the penalty's weight grows: the error falls
// with its inverse.
func TestGaussPenalty(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 28))
	r := testrobot.Weigh(testrobot.FourBar(1, 0.4, 0.9, 0.7, 0.3, -0.8), rng)
	for j := range r.Links {
		r.Links[j].Joint.Ia = 0
	}
	closure := must(loops.NewClosure(r))
	m := must(closure.Assemble(rng))
	n := closure.DOF()
	full := make([]float64, n+closure.Cuts())
	copy(full, m.Rates([]float64{1.3}))
	tau := make([]float64, len(full))
	tau[0] = 5
	// The rate of the cut joint does not matter: its frame carries nothing.
	exact := must(closure.ForwardDynamics(m.Q, full, tau, 0)).Accelerations[:n]

	// The point at the cut, on both of its links.
	a, b := r.Extra[r.Loops[0].Frame], r.Extra[r.Loops[0].Meets]
	tree := must(kinematics.New(r))
	p := tree.NewPose()
	p.Place(m.Q[:n])
	p.Move(full[:n], nil)
	on := [2]kinematics.Point{{Link: a.Antecedent, At: a.Placement.P}, {Link: b.Antecedent, At: b.Placement.P}}
	var j [2]kinematics.Jacobian
	var bias [2]kinematics.Twist
	for i := range on {
		j[i] = make(kinematics.Jacobian, n)
		p.Jacobian(j[i], on[i])
		bias[i] = p.Acceleration(on[i])
	}
	rows := mat.NewDense(3, n, nil)
	drift := mat.NewVecDense(3, nil)
	for x := range 3 {
		for k := range n {
			rows.Set(x, k, j[0][k].Linear[x]-j[1][k].Linear[x])
		}
		drift.SetVec(x, bias[0].Linear[x]-bias[1].Linear[x])
	}
	// Gauss' torques are affine in the accelerations: mass matrix and the rest.
	rest := Gauss(r, m.Q[:n], full[:n], make([]float64, n))
	mass := mat.NewDense(n, n, nil)
	unit := make([]float64, n)
	for k := range n {
		unit[k] = 1
		for i, v := range Gauss(r, m.Q[:n], full[:n], unit) {
			mass.Set(i, k, v-rest[i])
		}
		unit[k] = 0
	}
	off := func(weight float64) float64 {
		var lhs, at mat.Dense
		lhs.Mul(rows.T(), rows)
		lhs.Scale(weight, &lhs)
		lhs.Add(&lhs, mass)
		at.Mul(rows.T(), drift)
		rhs := mat.NewVecDense(n, nil)
		for k := range n {
			rhs.SetVec(k, tau[k]-rest[k]-weight*at.At(k, 0))
		}
		var x mat.VecDense
		if err := x.SolveVec(&lhs, rhs); err != nil {
			t.Fatal(err)
		}
		return worst(x.RawVector().Data, exact)
	}
	coarse, fine := off(1e4), off(1e6)
	if !(coarse < 1e-2) || !(fine < coarse/50) {
		t.Errorf("off by %.2g and %.2g of the accelerations", coarse, fine)
	}
	t.Logf("penalty 1e4: %.2g, 1e6: %.2g", coarse, fine)
}
