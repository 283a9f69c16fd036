package flexible

import (
	"math"
	"math/rand/v2"
	"testing"
)

// twoLinks is the planar arm of the reference figures: EI 50 and 20 N·m², one quadratic mode a link.
func twoLinks(t testing.TB) *Arm {
	t.Helper()
	var links []Link
	place := identity()
	for _, b := range []struct{ length, mass, ei float64 }{{1, 2, 50}, {0.8, 1.5, 20}} {
		g, err := Beam{b.length, Uniform(Section{Mass: b.mass, EIz: b.ei}), []Mode{{Y: Power(2)}}}.Integrals()
		if err != nil {
			t.Fatal(err)
		}
		links = append(links, Link{Place: place, Axis: [3]float64{0, 0, 1}, Integrals: g})
	}
	a, err := New(links, [3]float64{0, -9.81, 0})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Figures of an independent evaluation, in the order q1 δ1 q2 δ2.
func TestTwoLinks(t *testing.T) {
	a := twoLinks(t)
	w := a.NewWork()
	z, dz := []float64{0.3, 0.02, -0.5, -0.01}, []float64{1.2, 0.3, -0.7, 0.5}
	inertia, bias, ddz := make([]float64, 16), make([]float64, 4), make([]float64, 4)
	for _, c := range []struct {
		variant   Variant
		inertia   []float64 // upper triangle
		rest, ddz []float64
	}{
		{Exact, []float64{2.97240046, 3.47001378, 0.680763715, 0.595533255, 4.30138371, 0.940715311, 0.838511833, 0.256433638, 0.240384, 0.240384},
			[]float64{-25.1207737, -30.0071931, -4.17459554, -1.93380027}, []float64{905.258608, -1142.89297, 2829.42411, -1093.51874}},
		{Printed, []float64{2.97221642, 3.46996578, 0.680739677, 0.595533255, 4.30128771, 0.940667311, 0.838511833, 0.2564096, 0.240384, 0.24},
			[]float64{-25.1207731, -30.0071936, -4.17459496, -1.93380027}, []float64{913.65606, -1154.6751, 2889.25325, -1134.8662}},
	} {
		w.Variant = c.variant
		w.Equations(inertia, bias, z, dz)
		i := 0
		for r := range 4 {
			for k := r; k < 4; k++ {
				near(t, inertia[4*r+k], c.inertia[i], "J")
				near(t, inertia[4*k+r], c.inertia[i], "J")
				i++
			}
			near(t, -bias[r], c.rest[r], "R")
		}
		if err := w.ForwardDynamics(ddz, z, dz, []float64{25, 8}); err != nil {
			t.Fatal(err)
		}
		for r := range 4 {
			near(t, ddz[r], c.ddz[r], "accelerations")
		}
	}
}

// near holds a number to the nine digits that its reference has.
func near(t *testing.T, got, want float64, what string) {
	t.Helper()
	if math.Abs(got-want) > 5e-9*math.Abs(want) {
		t.Errorf("%s: %.9g, want %.9g", what, got, want)
	}
}

// The regressor, which shares no formula with the recursion, gives its forces.
func TestRegressor(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 2))
	for _, a := range []*Arm{twoLinks(t), spatial(t)} {
		w := a.NewWork()
		n := a.Size()
		p := a.Parameters()
		chi := a.Values(p)
		rows, forces := make([]float64, n*len(p)), make([]float64, n)
		for range 20 {
			z, dz, ddz := state(rng, a)
			w.GeneralizedForces(forces, z, dz, ddz)
			w.Regressor(rows, p, z, dz, ddz)
			for s := range n {
				sum, size := 0.0, 0.0
				for i, c := range chi {
					sum += rows[s*len(p)+i] * c
					size += math.Abs(rows[s*len(p)+i] * c)
				}
				if math.Abs(sum-forces[s]) > 1e-12*size {
					t.Errorf("%s: %.15g by the regressor, %.15g by the recursion", a.Coordinates()[s], sum, forces[s])
				}
			}
		}
	}
}

// state is a random one with deflections of some centimetres.
func state(rng *rand.Rand, a *Arm) (z, dz, ddz []float64) {
	for i := range a.Size() {
		small := 0.03
		for j := range a.Joints() {
			if a.Joint(j) == i {
				small = 1
			}
		}
		z, dz, ddz = append(z, small*rng.NormFloat64()), append(dz, small*3*rng.NormFloat64()), append(ddz, small*10*rng.NormFloat64())
	}
	return z, dz, ddz
}

// spatial has three links that twist and bend both ways, with 2, 3 and 2 modes, and bodies off their axes.
func spatial(t testing.TB) *Arm {
	t.Helper()
	section := func(x float64) Section {
		return Section{Mass: 2 - x, EIy: 40 - 10*x, EIz: 60 - 20*x, GJ: 30}
	}
	modes := [][]Mode{
		{{Y: Power(2)}, {Z: Power(3), Twist: Power(1)}},
		{{Y: ClampedFree(1), Z: Power(2)}, {Z: ClampedFree(2)}, {Y: Power(4)}},
		{{Z: Power(2)}, {Y: ClampedFree(1)}},
	}
	places := []Matrix{
		{{1}, {0.1, 1}, {0.2, 0, 0.6, -0.8}, {0.3, 0, 0.8, 0.6}},
		{{1}, {0, 0.6, -0.8}, {0.05, 0.8, 0.6}, {0, 0, 0, 1}},
		{{1}, {0.02, 0, 0, 1}, {0, 1}, {0, 0, 1}},
	}
	axes := [][3]float64{{0, 0, 1}, {0, 1, 1}, {1, 2, -1}}
	var links []Link
	for j := range modes {
		g, err := Beam{0.7 + 0.1*float64(j), section, modes[j]}.Integrals()
		if err != nil {
			t.Fatal(err)
		}
		// A body that does not deflect, beside the axis.
		outer(&g.Rigid, 0.4, &[4]float64{1, 0.1, -0.05, 0.03}, &[4]float64{1, 0.1, -0.05, 0.03})
		links = append(links, Link{Place: places[j], Axis: axes[j], Integrals: g})
	}
	a, err := New(links, [3]float64{1, -2, -9})
	if err != nil {
		t.Fatal(err)
	}
	return a
}
