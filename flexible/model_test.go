package flexible

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
)

// Natural frequencies of one beam, m, EI and length one, with powers as modes; the last, of the beam itself.
func TestFrequenciesOfBeam(t *testing.T) {
	for _, c := range []struct {
		powers          []int
		clamped, pinned []float64
	}{
		{[]int{2}, []float64{4.472136}, []float64{17.88854}},
		{[]int{2, 3}, []float64{3.532732, 34.80689}, []float64{17.54438, 70.08705}},
		{[]int{2, 3, 4, 5}, []float64{3.516021, 22.15783}, []float64{15.4451, 51.20627}},
		{[]int{2, 3, 4, 5, 6, 7}, []float64{3.516015, 22.0348}, []float64{15.41822, 49.97421}},
	} {
		var modes []Mode
		for _, p := range c.powers {
			modes = append(modes, Mode{Y: Power(p)})
		}
		w := oneBeam(t, modes).NewWork()
		z := make([]float64, 1+len(modes))
		clamped, err := w.Frequencies(z, true)
		if err != nil {
			t.Fatal(err)
		}
		pinned, err := w.Frequencies(z, false)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.clamped {
			if math.Abs(clamped[i]-want) > 5e-7*want {
				t.Errorf("powers %v: %.8g clamped, want %.8g", c.powers, clamped[i], want)
			}
		}
		for i, want := range c.pinned {
			if math.Abs(pinned[i+1]-want) > 5e-7*want {
				t.Errorf("powers %v: %.8g pinned, want %.8g", c.powers, pinned[i+1], want)
			}
		}
	}
	// The clamped-free modes are the beam's own: frequencies are the squares of the roots of 1 + cos b·cosh b.
	var modes []Mode
	for n := 1; n <= 12; n++ {
		modes = append(modes, Mode{Y: ClampedFree(n)})
	}
	w := oneBeam(t, modes).NewWork()
	got, err := w.Frequencies(make([]float64, 13), true)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 12 {
		b := clampedFreeRoot(n + 1)
		if math.Abs(got[n]-b*b) > 1e-9*b*b {
			t.Errorf("mode %d: %.12g, want %.12g", n+1, got[n], b*b)
		}
	}
	if math.Abs(got[0]-3.516015) > 1e-6 || math.Abs(got[1]-22.03449) > 1e-5 {
		t.Errorf("%.7g and %.7g", got[0], got[1])
	}
}

func oneBeam(t testing.TB, modes []Mode) *Arm {
	t.Helper()
	g, err := Beam{1, Uniform(Section{Mass: 1, EIz: 1}), modes}.Integrals()
	if err != nil {
		t.Fatal(err)
	}
	a, err := New([]Link{{Place: identity(), Axis: [3]float64{0, 0, 1}, Integrals: g}}, [3]float64{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Without torques the exact variant keeps its energy over five seconds; the printed one, which is no Lagrangian's, does not.
func TestEnergyKept(t *testing.T) {
	long.Only(t, "moves for seconds of simulated time")
	for name, a := range map[string]*Arm{"two links": twoLinks(t), "spatial": spatial(t)} {
		w := a.NewWork()
		z, dz := make([]float64, a.Size()), make([]float64, a.Size())
		rng := rand.New(rand.NewPCG(5, 5))
		for j := range a.Joints() {
			z[a.Joint(j)], dz[a.Joint(j)] = 0.3*rng.NormFloat64(), 1
		}
		z[1], dz[1] = 0.02, 0.3
		seconds := float64(long.Draws(50, 20, 1)) / 10
		var first, largest, drift float64
		err := a.Simulate(context.Background(), Run{Z: z, DZ: dz, Rate: 20, Rows: int(20*seconds) + 1, Tolerance: 1e-13}, func(r Row) error {
			kinetic, potential := w.Energy(r.Z, r.DZ)
			if r.Time == 0 {
				first = kinetic + potential
			}
			largest = max(largest, kinetic)
			drift = max(drift, math.Abs(kinetic+potential-first))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.2g of the largest kinetic energy in %g s", name, drift/largest, seconds)
		if drift > 1e-9*largest {
			t.Errorf("%s: energy changes by %.3g of %.3g J", name, drift, largest)
		}
	}
}

// Ranks of the planar arm: a slender one determines 12 of 14 parameters, a general one 20 of 29 that move anything of 58.
func TestBase(t *testing.T) {
	a := twoLinks(t)
	if got := a.SlenderParameters(); len(got) != 14 {
		t.Errorf("%d slender parameters: %v", len(got), got)
	}
	slender := a.Base(a.SlenderParameters())
	if len(slender.Columns) != 12 {
		t.Errorf("rank %d, want 12", len(slender.Columns))
	}
	all := a.Parameters()
	general := a.Base(all)
	if len(all) != 58 || general.Moving != 29 || len(general.Columns) != 20 {
		t.Errorf("%d parameters, %d move something, %d are determined; want 58, 29, 20", len(all), general.Moving, len(general.Columns))
	}
	// Regrouped values give the torques of the whole set.
	w := a.NewWork()
	rng := rand.New(rand.NewPCG(1, 7))
	z, dz, ddz := state(rng, a)
	rows := make([]float64, a.Size()*len(all))
	w.Regressor(rows, all, z, dz, ddz)
	chi := a.Values(all)
	for i := range chi {
		chi[i] += rng.NormFloat64() // any parameters, of no body
	}
	base := general.Values(chi)
	for s := range a.Size() {
		whole, part, size := 0.0, 0.0, 0.0
		for i, c := range chi {
			whole += rows[s*len(all)+i] * c
			size += math.Abs(rows[s*len(all)+i] * c)
		}
		for k, i := range general.Columns {
			part += rows[s*len(all)+i] * base[k]
		}
		if math.Abs(whole-part) > 1e-9*size {
			t.Errorf("row %d: %g by the base parameters, %g by all", s, part, whole)
		}
	}
}

// The mass of the second link acts through the first: the regrouping relations of the planar arm in closed form.
func TestRegroupedMass(t *testing.T) {
	a := twoLinks(t)
	p := a.SlenderParameters()
	b := a.Base(p)
	l, tip := a.links[0].Length, a.links[0].Tip[0][1]
	want := map[string]float64{"∫x_1": l, "∫xx_1": l * l, "∫φy1_1": tip, "∫xφy1_1": l * tip, "∫φy1·φy1_1": tip * tip}
	for i := range p {
		if p[i].String() != "∫dm_2" {
			continue
		}
		for k, column := range b.Columns {
			if name := p[column].String(); math.Abs(b.Regroup[i][k]-want[name]) > 1e-9 {
				t.Errorf("a kilogram of link 2 is %.12g of %s, want %g", b.Regroup[i][k], name, want[name])
			}
		}
	}
}

// Book's polynomial, and the operations of this program beside it.
func TestComplexity(t *testing.T) {
	products, sums := Complexity(6, 2, 3)
	if products != 11361 || sums != 11273 {
		t.Errorf("%g products, %g sums; want 11361 and 11273", products, sums)
	}
	// Six joints of which the first two links have three modes. Book's transforms know their zeros, ours the top row only.
	w := armOf(t, 6, 2, 3).NewWork()
	w.Equations(make([]float64, 144), make([]float64, 12), make([]float64, 12), make([]float64, 12))
	ours, adds := w.Operations()
	t.Logf("%d products, %d sums: %.2f and %.2f of the polynomials", ours, adds, float64(ours)/products, float64(adds)/sums)
	if float64(ours) > 2*products || float64(adds) > 2*sums {
		t.Errorf("%d products and %d sums", ours, adds)
	}
}

// armOf has n joints, the first links with modes.
func armOf(t testing.TB, n, bend, modes int) *Arm {
	t.Helper()
	var links []Link
	for j := range n {
		b := Beam{Length: 0.5, Section: Uniform(Section{Mass: 2, EIy: 100, EIz: 100, GJ: 100})}
		if j < bend {
			for k := range modes {
				b.Modes = append(b.Modes, Mode{Y: ClampedFree(k + 1), Z: Power(k + 2)})
			}
		}
		g, err := b.Integrals()
		if err != nil {
			t.Fatal(err)
		}
		links = append(links, Link{Place: identity(), Axis: [3]float64{0, float64(j % 2), float64(1 - j%2)}, Integrals: g})
	}
	a, err := New(links, [3]float64{0, 0, -9.81})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func BenchmarkForwardDynamics(b *testing.B) {
	a := armOf(b, 6, 2, 3)
	w := a.NewWork()
	z, ddz, torques := make([]float64, a.Size()), make([]float64, a.Size()), make([]float64, 6)
	for i := range z {
		z[i] = 0.01 * float64(i)
	}
	if err := w.ForwardDynamics(ddz, z, z, torques); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := w.ForwardDynamics(ddz, z, z, torques); err != nil {
			b.Fatal(err)
		}
	}
}
