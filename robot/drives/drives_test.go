package drives

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// motorOfBook is the motor of joints 1 and 2 of the source's manipulator UMS-1, all at the
// joint's side: C_M 4.31, C_E 7, R_r 2.45; its J_r 1.52 and B_C 1.5 are the joint's.
func motorOfBook() *Motor {
	return &Motor{Order: 2, Resistance: 2.45, Constant: 4.31, BackEMF: 7, Ratio: 1, Efficiency: 1, MaxVoltage: 24}
}

// near compares to a part of the wanted value.
func near(t *testing.T, name string, got, want, part float64) {
	t.Helper()
	if math.Abs(got-want) > part*math.Abs(want) {
		t.Errorf("%s is %.9g, want %.9g", name, got, want)
	}
}

// The figures follow from the printed data by hand, to all digits given.
func TestMotorOfUMS1(t *testing.T) {
	m := motorOfBook()
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	l := m.Linear(1.52, 0)
	near(t, "α", l.Alpha, -8.101504, 1e-6)
	near(t, "β", l.Beta, 1.157358, 1e-6)
	near(t, "γ", l.Gamma, -0.657895, 1e-6)
	near(t, "speed without load at 24 V", m.FreeSpeed(24, 1.5), 3.056286, 1e-6)
	near(t, "stall torque", m.Stall(), 42.220408, 1e-7)
	// The table of the same manipulator: γ agrees to its two digits, α and β do not.
	apart := l.Disagreements(Linear{-10.8, 1.42, -0.66}, 0.01)
	if len(apart) != 2 || !strings.HasPrefix(apart[0], "α is -8.102 in one data set and -10.8") || !strings.HasPrefix(apart[1], "β") {
		t.Errorf("disagreements %q, want those of α and β", apart)
	}
}

// The constants of table 3.13.16 come back from samples with half a per cent of noise in every
// channel. Errors of 4000 samples: 0.005/√4000 of a column times a condition number below ten,
// 8e-4; the attenuation by noise in the columns is 0.005² times its square, 2.5e-3.
func TestLinearFromSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for _, want := range []Linear{{-10.8, 1.42, -0.66}, {-15.2, 10.7, -30}} {
		const n = 4000
		var c [4][]float64 // acceleration, speed, voltage, load
		dq := 0.0
		for k := range n {
			at := float64(k) * 1e-3
			u, p := 12*math.Sin(3*at)+8*math.Sin(17*at), 6*math.Cos(7*at)+4*math.Sin(29*at)
			ddq := want.Alpha*dq + want.Beta*u + want.Gamma*p
			for i, v := range []float64{ddq, dq, u, p} {
				c[i] = append(c[i], v)
			}
			dq += 1e-3 * ddq // any motion will do: the equation holds at every sample
		}
		for i := range c {
			noisy(rng, c[i], 0.005)
		}
		got, sigma, err := FitLinear(c[0], c[1], c[2], c[3])
		if err != nil {
			t.Fatal(err)
		}
		near(t, "α", got.Alpha, want.Alpha, 0.01)
		near(t, "β", got.Beta, want.Beta, 0.01)
		near(t, "γ", got.Gamma, want.Gamma, 0.01)
		t.Logf("%.4f ± %.4f", got, sigma)
	}
}

// noisy adds Gaussian noise of a part of the root mean square.
func noisy(rng *rand.Rand, x []float64, part float64) {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	sigma := part * math.Sqrt(sum/float64(len(x)))
	for k := range x {
		x[k] += sigma * rng.NormFloat64()
	}
}

// The six constants of a motor of third order from voltage, current, its rate, speed,
// acceleration and load with half a per cent of noise. The inductance is ours, 0.02 H: the
// source prints none.
func TestThirdOrderFromSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	m := motorOfBook()
	m.Order, m.Inductance, m.MaxVoltage = 3, 0.02, 0
	const n, j, b = 8000, 1.52, 1.5
	var c [6][]float64 // voltage, current, rate, speed, acceleration, load
	for k := range n {
		// A current and a motion, from which voltage and load follow exactly.
		at := float64(k) * 1e-3
		i := 3*math.Sin(40*at) + 2*math.Sin(150*at)
		di := 120*math.Cos(40*at) + 300*math.Cos(150*at)
		dq, ddq := 0.5*math.Sin(9*at)+0.2*math.Sin(2*at), 4.5*math.Cos(9*at)+0.4*math.Cos(2*at)
		u := m.Voltage(m.Gain()*i, m.Gain()*di, dq)
		for col, v := range []float64{u, i, di, dq, ddq, m.Gain()*i - j*ddq - b*dq} {
			c[col] = append(c[col], v)
		}
	}
	for i := range c {
		noisy(rng, c[i], 0.005)
	}
	e, err := FitElectrical(c[0], c[1], c[2], c[3])
	if err != nil {
		t.Fatal(err)
	}
	near(t, "R", e.Resistance, 2.45, 0.01)
	near(t, "C_E", e.EMF, 7, 0.01)
	near(t, "L", e.Inductance, 0.02, 0.01)
	r, err := FitMechanical(c[5], c[1], c[4], c[3])
	if err != nil {
		t.Fatal(err)
	}
	near(t, "C_M", r.Gain, 4.31, 0.01)
	near(t, "J", r.Ia, j, 0.01)
	// The viscous torque is a twentieth of that of the current: its share of the noise is as much larger.
	near(t, "B", r.Fv, b, 0.01)
	t.Logf("%+v %+v", e, r)
	if _, err := FitElectrical(c[0], c[1], c[1], c[3]); err == nil {
		t.Error("a column twice is fitted")
	}
}

// Without an inductance, a third order is refused and the value named, never invented.
func TestMissing(t *testing.T) {
	for entry, want := range map[string]string{
		"{dc: {order: 3, resistance: 1, constant: 0.1}}":                                                                     "needs inductance, H",
		"{dc: {resistance: 1}}":                                                                                              "needs constant, N·m/A",
		"{dc: {inductance: 1e-3, resistance: 1, constant: 0.1, command: current}}":                                           "needs bandwidth of its current loop, Hz",
		"{cylinder: {area: 1e-3, modulus: 1e9, volume: 1e-3, valve_c1: 1e4, flow_pressure: 1e-11}}":                          "needs valve_gain, m³/(s³·A)",
		"{cylinder: {area: 1e-3, volume: 1e-3, valve_c1: 1e4, valve_gain: 1, flow_pressure: 1e-11}}":                         "needs modulus, Pa",
		"{cylinder: {area: 1e-3, modulus: 1e9, volume: 1e-3, valve_c1: 1e4, valve_gain: 1}}":                                 "needs flow_pressure, or a leakage",
		"{cylinder: {order: 5, area: 1e-3, modulus: 1e9, volume: 1e-3, valve_c1: 1e4, valve_gain: 1, flow_pressure: 1e-11}}": "needs valve_c2, 1/s",
	} {
		_, err := Parse(entry, 50)
		var missing *MissingError
		if !errors.As(err, &missing) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", entry, err, want)
		}
	}
	for entry, want := range map[string]string{
		"{dc: {resistance: 1, constant: 0.1, efficiency: 1.2}}":                                                   "efficiency 1.2",
		"{dc: {resistance: -1, constant: 0.1}}":                                                                   "resistance -1",
		"{dc: {resistance: 1, constant: 0.1, command: torque}}":                                                   `command "torque"`,
		"{dc: {resistance: 1, constant: 0.1, volts: 3}}":                                                          "volts",
		"{dc: {resistance: one, constant: 0.1}}":                                                                  "one",
		"{cylinder: {area: 1e-3, modulus: -1, volume: 1e-3, valve_c1: 1e4, valve_gain: 1, flow_pressure: 1e-11}}": "modulus -1",
	} {
		if _, err := Parse(entry, 50); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", entry, err, want)
		}
	}
	if _, err := Parse("{dc: {resistance: 1, constant: 0.1}}", 0); err == nil || !strings.Contains(err.Error(), "gear ratio 0") {
		t.Errorf("a motor without a gear ratio: %v", err)
	}
}

// A drive of second order is the settled one of third order, within all limits, and no current or
// voltage leaves its limits whatever is asked.
func TestLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 200 {
		m := &Motor{Order: 2, Resistance: 0.5 + rng.Float64(), Constant: 0.1, BackEMF: 0.1, Ratio: 50, Efficiency: 1, MaxVoltage: 24, MaxCurrent: 8, ByCurrent: rng.IntN(2) == 0, Bandwidth: 3000}
		third := *m
		third.Order, third.Inductance = 3, 1e-3
		asked, speed := 200*rng.NormFloat64(), 3*rng.NormFloat64()
		z, dz := []float64{0}, []float64{0}
		third.Settle(asked, speed, z)
		two, three := m.Act(asked, speed, nil, nil), third.Act(asked, speed, z, dz)
		if math.Abs(two-three) > 1e-12*(1+math.Abs(two)) || math.Abs(dz[0]) > 1e-9*(1+math.Abs(z[0]))/third.Inductance {
			t.Fatalf("second order %g N·m, third %g with di/dt %g A/s", two, three, dz[0])
		}
		// From any current within the limit: the rate at the limit does not lead out of it, unless
		// the back-EMF is beyond the voltage, which no amplifier helps.
		s := third.Signals(asked, speed, z)
		if math.Abs(s.Voltage) > 24*(1+1e-15) {
			t.Fatalf("%g V", s.Voltage)
		}
		if math.Abs(third.EMF()*speed) < 24 {
			z[0] = 8
			if third.Act(asked, speed, z, dz); dz[0] > 1e-9 {
				t.Fatalf("at 8 A the current still rises by %g A/s", dz[0])
			}
		}
	}
}
