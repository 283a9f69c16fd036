package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/robot"
	"ident/robot/drives"
)

// The voltage of a motor with an inductance along an exact motion drives the motor's own equation to the current of that motion: the
// integral of the current by Heun's method, from the first sample on, keeps to it.
func TestVoltageOfThirdOrder(t *testing.T) {
	r := robot.FromMDH("pendulum", []robot.MDHFrame{{Antecedent: -1}})
	r.Gravity = [3]float64{0, -9.81, 0}
	r.Links[0].Inertial = robot.InertialFromCentral(2, [3]float64{0.3}, [3][3]float64{{0.01}, {0, 0.01}, {0, 0, 0.01}})
	r.Links[0].HasInertial = true
	r.Links[0].Joint.GearRatio = 50
	r.Links[0].Joint.Actuator = "{dc: {order: 3, resistance: 0.6, inductance: 0.02, constant: 0.05}}"
	const rate = 20000
	e, err := Run(t.Context(), r, wave(1), Options{Rate: rate, Measure: []string{torqueSignal, currentSignal, voltageSignal}})
	if err != nil {
		t.Fatal(err)
	}
	list, err := drives.Of(r, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	m := list[0].(*drives.Motor)
	i, most, inductive := e.Current[0][0], 0.0, 0.0
	slope := func(u, speed, i float64) float64 { return (u - m.EMF()*speed - m.Resistance*i) / m.Inductance }
	for k := range len(e.T) - 1 {
		a := slope(e.Voltage[0][k], e.Exact.DQ[0][k], i)
		b := slope(e.Voltage[0][k+1], e.Exact.DQ[0][k+1], i+a/rate)
		i += (a + b) / (2 * rate)
		most = math.Max(most, math.Abs(i-e.Current[0][k+1]))
		inductive = math.Max(inductive, math.Abs(e.Voltage[0][k]-m.Voltage(e.Exact.Tau[0][k], 0, e.Exact.DQ[0][k])))
	}
	if scale := math.Abs(e.Current[0][len(e.T)/3]); most > 1e-6*scale {
		t.Errorf("the current is %.3g A off, of %.3g A", most, scale)
	}
	if inductive < 1e-3 {
		t.Errorf("the inductance takes %.3g V: too little to show", inductive)
	}
	t.Logf("%.2g A off; the inductance takes up to %.3g V", most, inductive)
}

// The differences are exact for polynomials of their degree, wherever their points lie.
func TestDifferencesOfPolynomials(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for range 50 {
		n := 4 + rng.IntN(6)
		first, step := float64(-rng.IntN(12)+2), 0.1+rng.Float64()
		c := make([]float64, n)
		for i := range c {
			c[i] = rng.NormFloat64()
		}
		derivative := 1.0
		for k, w := range differences(first, n, 3, step) {
			derivative *= float64(k + 1)
			sum, size := 0.0, 0.0
			for i, v := range w {
				x, value := (first+float64(i))*step, 0.0
				for j := n - 1; j >= 0; j-- {
					value = value*x + c[j]
				}
				sum += v * value
				size += math.Abs(v * value)
			}
			if want := derivative * c[k+1]; !(math.Abs(sum-want) < 1e-13*size) {
				t.Fatalf("derivative %d of %d points from %g: %g, want %g", k+1, n, first, sum, want)
			}
		}
	}
}

// piston is a mass on a slide, tilted against gravity, with a hydraulic cylinder.
func piston(order int, fs float64, rng *rand.Rand) *robot.Robot {
	r := robot.FromMDH("press", []robot.MDHFrame{{Antecedent: -1, Alpha: 0.4, Kind: robot.Prismatic}})
	r.Links[0].Inertial = robot.InertialFromCentral(20+30*rng.Float64(), [3]float64{}, [3][3]float64{{0.01}, {0, 0.01}, {0, 0, 0.01}})
	r.Links[0].HasInertial = true
	r.Links[0].Joint.Fv, r.Links[0].Joint.Fs, r.Links[0].Joint.Ia = 300*rng.Float64(), fs, 4*rng.Float64()
	r.Links[0].Joint.Actuator = fmt.Sprintf("{cylinder: {order: %d, area: %g, modulus: 6.9e8, volume: %g, flow_pressure: %g, internal_leakage: 2e-12, external_leakage: 1e-12, valve_c1: %g, valve_c2: %g, valve_gain: %g}}",
		order, 1e-3*(1+rng.Float64()), 2e-4*(1+rng.Float64()), 1e-11*(1+rng.Float64()), 1e5*(1+rng.Float64()), 400*(1+rng.Float64()), 5e2*(1+rng.Float64()))
	return r
}

// The nominal current of a cylinder along an exact motion moves the cylinder's own equations (3.9.8) to the force of that motion: their
// integral by the method of Runge and Kutta from the first sample on keeps to the pressure, in both orders.
func TestNominalCurrentOfCylinders(t *testing.T) {
	for _, order := range []int{3, 5} {
		worst := 0.0
		for seed := range uint64(long.Of(6, 1)) {
			r := piston(order, 0, rand.New(rand.NewPCG(seed, 1)))
			const rate = 5000
			e, err := Run(t.Context(), r, wave(1), Options{Rate: rate, Measure: []string{torqueSignal, currentSignal, pressureSignal}})
			if err != nil {
				t.Fatal(err)
			}
			list, err := drives.Of(r, []int{0})
			if err != nil {
				t.Fatal(err)
			}
			c := list[0].(*drives.Cylinder)
			leak := c.FlowPressure + c.Internal + c.External/2
			slope := func(z [3]float64, k int) [3]float64 {
				u, v := e.Current[0][k], e.Exact.DQ[0][k]
				if order == 3 {
					return [3]float64{4 * c.Modulus / c.Volume * (c.ValveGain/c.ValveC1*u - c.Area*v - leak*z[0])}
				}
				return [3]float64{4 * c.Modulus / c.Volume * (z[1] - c.Area*v - leak*z[0]), z[2], -c.ValveC1*z[1] - c.ValveC2*z[2] + c.ValveGain*u}
			}
			add := func(z, d [3]float64, h float64) [3]float64 {
				return [3]float64{z[0] + h*d[0], z[1] + h*d[1], z[2] + h*d[2]}
			}
			// The flow at the start follows from the pressure's rate there, by differences of the record.
			p := e.Pressure[0]
			rateOf := func(k int) float64 { return (p[k-2] - 8*p[k-1] + 8*p[k+1] - p[k+2]) * rate / 12 }
			flow := func(k int) float64 { return c.Volume/(4*c.Modulus)*rateOf(k) + c.Area*e.Exact.DQ[0][k] + leak*p[k] }
			const first = 10
			z := [3]float64{p[first], flow(first), (flow(first+2) - flow(first-2)) * rate / 4}
			most, scale := 0.0, 0.0
			for k := first; k+2 < len(e.T); k += 2 { // a step of two samples has its middle on one
				const h = 2. / rate
				a := slope(z, k)
				b := slope(add(z, a, h/2), k+1)
				d := slope(add(z, b, h/2), k+1)
				f := slope(add(z, d, h), k+2)
				for i := range z {
					z[i] += h / 6 * (a[i] + 2*b[i] + 2*d[i] + f[i])
				}
				if e.T[k] > 0.3*e.T[len(e.T)-1] { // the start's own differences have died out
					most = max(most, math.Abs(z[0]-p[k+2]))
				}
				scale = max(scale, math.Abs(p[k+2]))
				if force := c.Area * p[k]; math.Abs(force-e.Exact.Tau[0][k]) > 1e-12*math.Abs(force) {
					t.Fatalf("a pressure of %g Pa for %g N", p[k], e.Exact.Tau[0][k])
				}
			}
			worst = max(worst, most/scale)
		}
		if worst > 1e-6 {
			t.Errorf("order %d: the pressure is off by %.2g of the largest", order, worst)
		}
		t.Logf("order %d: %.2g of the largest pressure", order, worst)
	}
}

// Dry friction adds its own pressure, whose leak the current feeds, and no more, up to the very reversals.
func TestNominalCurrentUnderDryFriction(t *testing.T) {
	const fs = 150.0
	for _, order := range []int{3, 5} {
		record := func(fs float64) (*Record, *drives.Cylinder) {
			r := piston(order, fs, rand.New(rand.NewPCG(5, 1)))
			e, err := Run(t.Context(), r, wave(1), Options{Rate: 2000, Measure: []string{currentSignal}})
			if err != nil {
				t.Fatal(err)
			}
			list, err := drives.Of(r, []int{0})
			if err != nil {
				t.Fatal(err)
			}
			return e, list[0].(*drives.Cylinder)
		}
		dry, c := record(fs)
		smooth, _ := record(0)
		reversals := 0
		for k, v := range dry.Exact.DQ[0] {
			if k > 0 && v*dry.Exact.DQ[0][k-1] < 0 {
				reversals++
			}
			if v == 0 {
				continue
			}
			want := c.ValveC1 / c.ValveGain * (c.FlowPressure + c.Internal + c.External/2) * math.Copysign(fs, v) / c.Area
			if got := dry.Current[0][k] - smooth.Current[0][k]; math.Abs(got-want) > 1e-4*math.Abs(want) {
				t.Fatalf("order %d, at %g s: friction takes %g A, want %g", order, dry.T[k], got, want)
			}
		}
		if reversals < 2 {
			t.Errorf("%d reversals", reversals)
		}
	}
}
