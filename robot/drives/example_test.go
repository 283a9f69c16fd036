package drives_test

import (
	"fmt"
	"math"

	"ident/robot/drives"
)

// A motor as the entry of a joint in a robot file, behind a gear of 100.
func Example() {
	d, err := drives.Parse("{dc: {resistance: 0.6, constant: 0.05, max_voltage: 24, max_current: 4}}", 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	m := d.(*drives.Motor)
	fmt.Printf("%.1f N·m at standstill, %.2f rad/s without a load\n", m.Stall(), m.NoLoad())
	s := m.Signals(15, 2, nil) // 15 N·m asked of the joint at 2 rad/s
	fmt.Printf("%.2f V, %.2f A, at a limit: %t\n", s.Voltage, s.Current, s.Limited)
	// Output:
	// 20.0 N·m at standstill, 4.80 rad/s without a load
	// 7.60 V, -4.00 A, at a limit: true
}

// The constants of a motor's circuit and rotor from a log of the joint: voltages, currents, speeds and accelerations.
func ExampleFitElectrical() {
	var voltage, current, rate, speed, acceleration, load []float64
	for k := range 200 {
		t := float64(k) / 100
		i, di := math.Sin(9*t), 9*math.Cos(9*t)
		v, dv := math.Sin(4*t), 4*math.Cos(4*t)
		voltage = append(voltage, 0.6*i+5*v+0.002*di)
		load = append(load, 5*i-0.8*dv-0.1*v) // N·m, asked by the robot
		current, rate, speed, acceleration = append(current, i), append(rate, di), append(speed, v), append(acceleration, dv)
	}
	e, err := drives.FitElectrical(voltage, current, rate, speed)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := drives.FitMechanical(load, current, acceleration, speed)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("R = %.2f Ω, E = %.2f V·s/rad, L = %.1f mH\n", e.Resistance, e.EMF, 1000*e.Inductance)
	fmt.Printf("G = %.2f N·m/A, Ia = %.2f kg·m², Fv = %.2f N·m·s/rad\n", m.Gain, m.Ia, m.Fv)
	// A motor of second order, which has no inductance, as ddq = α·dq + β·u + γ·P.
	for k := range voltage {
		voltage[k] -= 0.002 * rate[k]
	}
	l, _, err := drives.FitLinear(acceleration, speed, voltage, load)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("β/γ = %.3f A/V·N·m/A, of G/R = %.3f\n", -l.Beta/l.Gamma, 5/0.6)
	// Output:
	// R = 0.60 Ω, E = 5.00 V·s/rad, L = 2.0 mH
	// G = 5.00 N·m/A, Ia = 0.80 kg·m², Fv = 0.10 N·m·s/rad
	// β/γ = 8.333 A/V·N·m/A, of G/R = 8.333
}
