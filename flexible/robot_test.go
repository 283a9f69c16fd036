package flexible

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// chain is a random arm of rotary joints.
func chain(rng *rand.Rand, n int) *robot.Robot {
	var frames []robot.MDHFrame
	for j := range n {
		frames = append(frames, robot.MDHFrame{Antecedent: j - 1, Kind: robot.Revolute,
			Alpha: rng.NormFloat64(), D: 0.3 + 0.5*rng.Float64(), Theta: rng.NormFloat64(), R: 0.3 * rng.NormFloat64(),
		})
	}
	r := robot.FromMDH("chain", frames)
	r.Gravity = [3]float64{rng.NormFloat64(), rng.NormFloat64(), -9}
	for j := range r.Links {
		r.Links[j].Inertial, r.Links[j].HasInertial = testrobot.Body(rng), true
	}
	return r
}

// Without modes the arm is the rigid one.
func TestRigid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		n := rapid.IntRange(1, 7).Draw(t, "joints")
		r := chain(rng, n)
		a, err := FromRobot(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := dynamics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		q, dq, ddq := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			q[i], dq[i], ddq[i] = 3*rng.NormFloat64(), 2*rng.NormFloat64(), 10*rng.NormFloat64()
		}
		got, want, size := make([]float64, n), make([]float64, n), 0.0
		a.NewWork().GeneralizedForces(got, q, dq, ddq)
		tree.InverseDynamics(want, q, dq, ddq)
		// The scale of rounding is that of the largest part, since parts may nearly cancel: gravity alone, and with velocities.
		part, zero := make([]float64, n), make([]float64, n)
		for _, motion := range [][2][]float64{{zero, zero}, {dq, zero}, {dq, ddq}} {
			tree.InverseDynamics(part, q, motion[0], motion[1])
			for _, v := range part {
				size = max(size, math.Abs(v))
			}
		}
		for i := range n {
			if math.Abs(got[i]-want[i]) > 1e-10*size {
				t.Errorf("joint %d: %.15g N·m, %.15g by dynamics", i+1, got[i], want[i])
			}
		}
	})
}

// A beam so stiff that it does not bend is the rigid link of its mass, about any axis.
func TestStiffBeam(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	r := chain(rng, 3)
	p := r.Links[1].Placement.P // of the beam of the first link
	length := math.Sqrt(p[0]*p[0] + p[1]*p[1] + p[2]*p[2])
	b := Beam{length, Uniform(Section{Mass: 2, EIy: 1e9, EIz: 1e9, GJ: 1e9}), []Mode{{Y: ClampedFree(1)}, {Z: ClampedFree(1)}}}
	name := r.Links[0].Name
	a, err := FromRobot(r, map[string]Beam{name: b})
	if err != nil {
		t.Fatal(err)
	}
	mid := [3]float64{p[0] / 2, p[1] / 2, p[2] / 2}
	var central [3][3]float64
	for i := range 3 {
		for k := range 3 {
			central[i][k] = -2 * length / 12 * p[i] * p[k]
		}
		central[i][i] += 2 * length / 12 * length * length
	}
	r.Links[0].Inertial = robot.InertialFromCentral(2*length, mid, central)
	tree, err := dynamics.New(r)
	if err != nil {
		t.Fatal(err)
	}
	z, dz, ddz := make([]float64, 5), make([]float64, 5), make([]float64, 5)
	q, dq, ddq := make([]float64, 3), make([]float64, 3), make([]float64, 3)
	for j := range 3 {
		q[j], dq[j], ddq[j] = rng.NormFloat64(), rng.NormFloat64(), 5*rng.NormFloat64()
		z[a.Joint(j)], dz[a.Joint(j)], ddz[a.Joint(j)] = q[j], dq[j], ddq[j]
	}
	got, want, forces := make([]float64, 3), make([]float64, 3), make([]float64, 5)
	a.NewWork().GeneralizedForces(forces, z, dz, ddz)
	tree.InverseDynamics(want, q, dq, ddq)
	for j := range 3 {
		got[j] = forces[a.Joint(j)]
		if math.Abs(got[j]-want[j]) > 1e-10*(1+math.Abs(want[j])) {
			t.Errorf("joint %d: %.12g N·m, %.12g by dynamics", j+1, got[j], want[j])
		}
	}
}

// Inverse dynamics of joint accelerations and forward dynamics of its torques are the same motion.
func TestInverseOfForward(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	a := spatial(t)
	w := a.NewWork()
	z, dz, ddz := state(rng, a)
	torques, back := make([]float64, a.Joints()), make([]float64, a.Size())
	if err := w.InverseDynamics(torques, ddz, z, dz); err != nil {
		t.Fatal(err)
	}
	if err := w.ForwardDynamics(back, z, dz, torques); err != nil {
		t.Fatal(err)
	}
	size := norm(ddz)
	for i := range back {
		if math.Abs(back[i]-ddz[i]) > 1e-9*size {
			t.Errorf("%s: %.12g back from %.12g", a.Coordinates()[i], back[i], ddz[i])
		}
	}
}

// Faults of a description are named.
func TestRefusals(t *testing.T) {
	uniform := Uniform(Section{Mass: 1, EIz: 1})
	_, err := Beam{1, uniform, []Mode{{Name: "first", Y: Power(2)}, {Name: "second", Y: Power(3)}, {Name: "both", Y: Func(func(x, l float64) (v, s, c float64) {
		a, b, d := Power(2).At(x, l)
		e, f, g := Power(3).At(x, l)
		return a - 2*e, b - 2*f, d - 2*g
	})}}}.Integrals()
	refused(t, err, ErrDependent, "first, second, both")
	_, err = Beam{1, uniform, []Mode{{Name: "sideways", Z: Power(2)}}}.Integrals()
	refused(t, err, ErrStiffness, "K of sideways is 0")
	g, err := Beam{1, uniform, []Mode{{Y: Power(2)}}}.Integrals()
	if err != nil {
		t.Fatal(err)
	}
	bad := g
	bad.Stiffness = nil
	refused(t, bad.Check(), ErrStiffness, "0 of 1 modes")
	bad = g
	bad.First = []Matrix{{{0, 0, 9}}}
	refused(t, bad.Check(), ErrNoMass, "mass would be negative")
	bad = g
	bad.Tip = [][6]float64{{0, 1e-3, 0, 0, 0, 2e-3}}
	if d := bad.Doubts(); len(d) != 1 || !strings.Contains(d[0], "mode 1: the tip moves 0.001") {
		t.Errorf("doubts of a tip in mm: %q", d)
	}
	if d := g.Doubts(); len(d) > 0 {
		t.Errorf("doubts of a sound mode: %q", d)
	}
	r := chain(rand.New(rand.NewPCG(1, 1)), 2)
	r.Links[1].Joint.Kind = robot.Prismatic
	_, err = FromRobot(r, nil)
	refused(t, err, ErrJoint, "lock it")
	_, err = FromRobot(chain(rand.New(rand.NewPCG(1, 1)), 2), map[string]Beam{"boom": {}})
	refused(t, err, nil, "no link boom")
	// A twist of the last link moves no mass.
	g, err = Beam{1, Uniform(Section{Mass: 1, GJ: 1}), []Mode{{Twist: Power(1)}}}.Integrals()
	if err != nil {
		t.Fatal(err)
	}
	a, err := New([]Link{{Place: identity(), Axis: [3]float64{0, 0, 1}, Integrals: g}}, [3]float64{})
	if err != nil {
		t.Fatal(err)
	}
	refused(t, a.NewWork().ForwardDynamics(make([]float64, 2), make([]float64, 2), make([]float64, 2), []float64{1}), ErrSingular, "d1_1")
	if link, angle := a.Beyond([]float64{0, 0.3}); link != "1" || angle != 0.3 {
		t.Errorf("a twist of 0.3 rad: link %q, %g rad", link, angle)
	}
}

func refused(t *testing.T, err, as error, part string) {
	t.Helper()
	if err == nil || as != nil && !errors.Is(err, as) || !strings.Contains(err.Error(), part) {
		t.Errorf("%v: want %v with %q", err, as, part)
	}
}
