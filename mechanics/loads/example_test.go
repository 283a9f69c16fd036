package loads_test

import (
	"context"
	"fmt"
	"math"

	"ident/mechanics/loads"
	"ident/robot"
)

// A pendulum of 2 kg at 0.5 m swings to and fro once.
func ExampleOf() {
	r := robot.FromMDH("pendulum", []robot.MDHFrame{{Antecedent: -1, Alpha: math.Pi / 2}})
	r.Links[0].Inertial, r.Links[0].HasInertial = robot.InertialFromCentral(2, [3]float64{0, -0.5, 0}, [3][3]float64{}), true
	s := loads.Series{Q: [][]float64{nil}, DQ: [][]float64{nil}, DDQ: [][]float64{nil}}
	for k := range 1001 {
		t := float64(k) / 1000
		sin, cos := math.Sincos(2 * math.Pi * t)
		s.T = append(s.T, t)
		s.Q[0], s.DQ[0], s.DDQ[0] = append(s.Q[0], sin), append(s.DQ[0], 2*math.Pi*cos), append(s.DDQ[0], -4*math.Pi*math.Pi*sin)
	}
	out, err := loads.Of(context.Background(), r, s, loads.Options{})
	if err != nil {
		panic(err)
	}
	d, b := out.Drives[0], out.Bearings[0]
	fmt.Printf("torque %.2f N·m at %.3f s, rms %.2f N·m\n", d.Torque.Value, d.Torque.At, d.RMS)
	fmt.Printf("bearing %.1f N across the axis\n", b.Radial.Value)
	fmt.Printf("energy %.2f J without regeneration, %.2f J net\n", out.Energy.Without, math.Abs(out.Energy.Net))
	// Output:
	// torque -11.48 N·m at 0.250 s, rms 7.86 N·m
	// bearing 59.1 N across the axis
	// energy 10.72 J without regeneration, 0.00 J net
}
