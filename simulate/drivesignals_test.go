package simulate

import (
	"math"
	"testing"

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
