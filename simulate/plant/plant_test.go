package plant

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/testrobot"
	"ident/robot"
)

// planarArm is the worked example of the source text (chapter 13, examples 1 and 2): two
// links in a vertical plane, 10 and 20 kg, centroidal inertias 4 and 9 kg·m², lengths 0.8
// and 0.5 m, mass centres at 0.4 and 0.3 m, g = 10 m/s².
func planarArm() *robot.Robot {
	r := robot.FromMDH("planar arm", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.8}})
	r.Gravity = [3]float64{0, -10, 0}
	for i, b := range []struct{ m, l, i float64 }{{10, 0.4, 4}, {20, 0.3, 9}} {
		r.Links[i].Inertial = robot.InertialFromCentral(b.m, [3]float64{b.l, 0, 0}, [3][3]float64{{0.1}, {0, b.i}, {0, 0, b.i}})
		r.Links[i].HasInertial = true
	}
	return r
}

func newPlant(t testing.TB, r *robot.Robot, opt Options) *Plant {
	t.Helper()
	p, err := New(r, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func rad(deg float64) float64 { return deg * math.Pi / 180 }

// A second of free fall from rest at 30° and -10°: values computed by the classical
// Runge-Kutta method with steps of 0.5 ms, independently of this package.
func TestFreeFallOfPlanarArm(t *testing.T) {
	p := newPlant(t, planarArm(), Options{Tolerance: 1e-12})
	start := []float64{rad(30), rad(-10)}
	m := p.Start(0, start, []float64{0, 0})
	before := p.Energy(start, []float64{0, 0})
	if math.Abs(before-120.5212086) > 1e-7 {
		t.Errorf("energy %.7f J, want 120.5212086", before)
	}
	if err := m.Advance(t.Context(), 1, Constant{0, 0}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-2.4992958767, 0.2687723165, -0.3807341904, -6.7406616625} {
		if got := m.x[i]; math.Abs(got-want) > 1e-8 {
			t.Errorf("coordinate %d of the state is %.10f, want %.10f", i, got, want)
		}
	}
	if drift := p.Energy(m.Q(), m.DQ()) - before; math.Abs(drift) > 3e-10 {
		t.Errorf("energy drifts by %.2g J", drift)
	}
	t.Logf("%+v", m.Stats())
}

// A robot without friction keeps its energy: 1e-9 of the largest kinetic energy over ten
// seconds, which a local error of 1e-13 a step allows some thousand steps.
func TestEnergyIsKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for k := range 3 {
		r := testrobot.Random(rng, 3+2*k, false)
		for j := range r.Links {
			n := &r.Links[j].Joint
			n.Fv, n.Fs, n.Fo = 0, 0, 0
			n.Ia = max(n.Ia, 0.05)
		}
		p := newPlant(t, r, Options{Tolerance: 1e-13})
		n := len(p.joints)
		q := make([]float64, n)
		for i := range q {
			q[i] = rng.NormFloat64()
		}
		m := p.Start(0, q, make([]float64, n))
		before, kinetic := p.Energy(m.Q(), m.DQ()), 0.0
		for i := range 100 {
			if err := m.Advance(t.Context(), float64(i+1)/10, Constant(make([]float64, n))); err != nil {
				t.Fatal(err)
			}
			kinetic = max(kinetic, p.body.tree.KineticEnergy(m.Q(), m.DQ()))
		}
		drift := math.Abs(p.Energy(m.Q(), m.DQ())-before) / kinetic
		if drift > 1e-9 {
			t.Errorf("robot %d: energy drifts by %.2g of the largest kinetic energy", k, drift)
		}
		t.Logf("%d joints: drift %.2g, %+v", n, drift, m.Stats())
	}
}
