package plant

import (
	"math"
	"testing"
)

// All of the work of friction becomes heat: with a joint that gives none away, C·T is the work of the drive less the kinetic energy.
// The friction at the end is that of the temperature there, by the acceleration.
func TestFrictionBecomesHeat(t *testing.T) {
	w := &Warming{Capacity: []float64{0.8}, Resistance: []float64{1e12}, Viscous: []float64{0.05}, Coulomb: []float64{0.02}}
	p := newPlant(t, slide(2, 0, 3, 4), Options{Warming: w, Stribeck: Stribeck{Torque: []float64{1}, Speed: []float64{0.02}}, Tolerance: 1e-12})
	m := p.Start(0, []float64{0}, []float64{0})
	if err := m.Advance(t.Context(), 6, Constant{9}); err != nil {
		t.Fatal(err)
	}
	x, v, warm := m.Q()[0], m.DQ()[0], m.Temperatures()[0]
	// Local errors of 1e-12 in some hundred steps.
	if work := 9*x - v*v; math.Abs(0.8*warm-work) > 1e-8*work || !(warm > 10) {
		t.Errorf("%.9g J of heat, %.9g J of work", 0.8*warm, work)
	}
	ddq, tau, friction := []float64{0}, []float64{0}, []float64{0}
	if err := m.At(Constant{9}, ddq, tau, friction); err != nil {
		t.Fatal(err)
	}
	want := 3*math.Exp(-0.05*warm)*v + 4*math.Exp(-0.02*warm)
	if math.Abs(friction[0]-want) > 1e-9 {
		t.Errorf("friction %.10g at %.3g K, want %.10g", friction[0], warm, want)
	}
	// A joint at rest cools by its time constant, R·C.
	w.Resistance[0], w.Start = 5, []float64{30}
	m = newPlant(t, slide(2, 0, 3, 4), Options{Warming: w}).Start(0, []float64{0}, []float64{0})
	if err := m.Advance(t.Context(), 7, Constant{1}); err != nil {
		t.Fatal(err)
	}
	if got, want := m.Temperatures()[0], 30*math.Exp(-7/4.); math.Abs(got-want) > 1e-7 || m.Q()[0] != 0 {
		t.Errorf("%.10g K after 7 s, want %.10g, at %g", got, want, m.Q()[0])
	}
}

// Friction by load holds a joint up to Fs + Fl·|τ|, and takes as much in motion.
func TestFrictionByLoad(t *testing.T) {
	p := newPlant(t, slide(2, 0, 0, 1), Options{Load: []float64{0.2}})
	for _, c := range []struct{ force, acceleration float64 }{{1.2, 0}, {1.3, (1.3 - 1 - 0.26) / 2}} {
		m := p.Start(0, []float64{0}, []float64{0})
		if err := m.Advance(t.Context(), 1, Constant{c.force}); err != nil {
			t.Fatal(err)
		}
		if got := m.Q()[0]; math.Abs(got-c.acceleration/2) > 1e-12 {
			t.Errorf("%g N moves it by %.14g m, want %.14g", c.force, got, c.acceleration/2)
		}
	}
}

// Nonsense is refused.
func TestWarmingRefused(t *testing.T) {
	good := func() *Warming {
		return &Warming{Capacity: []float64{1}, Resistance: []float64{1}, Viscous: []float64{0}, Coulomb: []float64{0}}
	}
	for name, opt := range map[string]Options{
		"load": {Load: []float64{1}}, "loads": {Load: []float64{0.1, 0.1}},
		"capacity":    {Warming: func() *Warming { w := good(); w.Capacity[0] = 0; return w }()},
		"coefficient": {Warming: func() *Warming { w := good(); w.Viscous[0] = -1; return w }()},
		"length":      {Warming: func() *Warming { w := good(); w.Resistance = nil; return w }()},
		"start":       {Warming: func() *Warming { w := good(); w.Start = []float64{1, 2}; return w }()},
	} {
		if _, err := New(slide(2, 0, 0, 1), opt); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if _, err := New(slide(2, 0, 0, 1), Options{Warming: good()}); err != nil {
		t.Error(err)
	}
}
