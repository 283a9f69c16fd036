package elastic

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ident/codegen"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// The direct model of links and motors as a program gives the accelerations of the equations (Khalil and Dombre 2002, 5.7.5; Spong 1987),
//
//	M(q)·q̈ = K(θ−q) + D(θ̇−q̇) + Kc(θ−q)³ − H(q, q̇),   Ia·θ̈ = τ − Fv·θ̇ − Fs·sign θ̇ − Fo − K(θ−q) − D(θ̇−q̇) − Kc(θ−q)³
//
// with the recursion of the links alone; the inverse model as a program gives the torques back, and none on the links.
func TestGeneratedModels(t *testing.T) {
	two := twoAxis()
	for j := range two.Links {
		two.Links[j].Joint.Elasticity.Cubic = 4e5
	}
	partly := testrobot.SevenElastic(8000, 4, 2, 4)
	for name, r := range map[string]*robot.Robot{"two": two, "seven": sevenJoints(), "two of seven": partly} {
		m, err := New(r)
		if err != nil {
			t.Fatal(err)
		}
		terms := []regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs, regressor.Fo, regressor.Elastic, regressor.Cubic}
		opt := codegen.Options{Terms: terms}
		direct, err := codegen.Build(context.Background(), codegen.ForwardDynamics, m.Extended, opt)
		if err != nil {
			t.Fatal(err)
		}
		inverse, err := codegen.Build(context.Background(), codegen.InverseDynamics, m.Extended, opt)
		if err != nil {
			t.Fatal(err)
		}
		model, err := regressor.NewDynamic(m.Extended, terms)
		if err != nil {
			t.Fatal(err)
		}
		var chi []float64
		for _, c := range model.Columns() {
			v, _ := m.ValueOf(c)
			chi = append(chi, v)
		}
		tree, err := m.tree()
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(5, 8))
		n, links := m.Coordinates(), m.Links
		for range 5 {
			x, dx, tau := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range links {
				x[i], dx[i] = rng.NormFloat64(), 2*rng.NormFloat64()
				tau[i] = 30 * rng.NormFloat64()
			}
			for _, s := range m.Springs {
				x[s.Motor], dx[s.Motor] = x[s.Q]+0.01*rng.NormFloat64(), dx[s.Q]+0.3*rng.NormFloat64()
				tau[s.Motor], tau[s.Q] = 30*rng.NormFloat64(), 0
			}
			want := make([]float64, n)
			right, zero := make([]float64, links), make([]float64, links)
			tree.InverseDynamics(right, x[:links], dx[:links], zero)
			for i := range right {
				right[i] = tau[i] - right[i]
			}
			for i, l := range r.Moving() { // friction of joints that are not elastic
				if j := &m.Extended.Links[l].Joint; m.DriveOf(i) == i {
					right[i] -= j.Fv*dx[i] + math.Copysign(j.Fs, dx[i]) + j.Fo
				}
			}
			for _, s := range m.Springs {
				d, rate := x[s.Motor]-x[s.Q], dx[s.Motor]-dx[s.Q]
				spring := s.Stiffness*d + s.Damping*rate + s.Cubic*d*d*d
				right[s.Q] += spring
				j := &r.Links[s.Link].Joint
				want[s.Motor] = (tau[s.Motor] - spring - j.Fv*dx[s.Motor] - math.Copysign(j.Fs, dx[s.Motor]) - j.Fo) / j.Ia
			}
			mass := make([]float64, links*links)
			tree.InertiaMatrix(mass, x[:links])
			var solved mat.VecDense
			if err := solved.SolveVec(mat.NewDense(links, links, mass), mat.NewVecDense(links, right)); err != nil {
				t.Fatal(err)
			}
			copy(want, solved.RawVector().Data)
			in := append(append(append(append([]float64{}, x...), dx...), tau...), chi...)
			got := direct.Eval(in)[0]
			size := 0.0
			for i := range want {
				size = math.Max(size, math.Abs(want[i]))
			}
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-10*size {
					t.Fatalf("%s: acceleration %d is %.12g, want %.12g", name, i+1, got[i], want[i])
				}
			}
			in = append(append(append(append([]float64{}, x...), dx...), got...), chi...)
			for i, v := range inverse.Eval(in)[0] {
				if math.Abs(v-tau[i]) > 1e-9*(100+math.Abs(tau[i])) {
					t.Fatalf("%s: torque %d is %.12g, want %.12g", name, i+1, v, tau[i])
				}
			}
		}
		t.Logf("%s: direct model %+v", name, direct.Counts())
	}
}
