package drives

import (
	"fmt"
	"math"
)

// Cylinder is a hydraulic cylinder on a sliding joint with its servo valve.
type Cylinder struct {
	Order        int     // 3, or 5 with the servo valve's dynamics
	Area         float64 // A, m²
	Modulus      float64 // β, bulk modulus of the oil, Pa
	Volume       float64 // V, of valve, cylinder and pipes, m³
	FlowPressure float64 // k_c, slope of the valve's flow over pressure, m³/(s·Pa)
	Internal     float64 // C_il, leakage between the chambers, m³/(s·Pa)
	External     float64 // C_el, leakage outward, m³/(s·Pa)
	ValveC1      float64 // c₁, 1/s²
	ValveC2      float64 // c₂, 1/s
	ValveGain    float64 // k_q, m³/(s³·A)
	MaxCurrent   float64 // A; 0 for no limit
}

// Check returns an error that names the first invalid value. If a value that Order requires is missing, the error is a *MissingError.
func (c *Cylinder) Check() error {
	if c.Order != 3 && c.Order != 5 {
		return fmt.Errorf("order %d: a cylinder has order 3, or 5 with the dynamics of its servo valve", c.Order)
	}
	need := []struct {
		name, unit string
		v          float64
	}{{"area", "m²", c.Area}, {"modulus", "Pa", c.Modulus}, {"volume", "m³", c.Volume}, {"valve_gain", "m³/(s³·A)", c.ValveGain}, {"valve_c1", "1/s²", c.ValveC1}, {"valve_c2", "1/s", c.ValveC2}}
	if c.Order == 3 {
		need = need[:5]
	}
	for _, f := range need {
		if f.v == 0 {
			return &MissingError{f.name, f.unit, c.Order}
		}
	}
	for _, f := range append(need, []struct {
		name, unit string
		v          float64
	}{{"flow_pressure", "", c.FlowPressure}, {"internal_leakage", "", c.Internal}, {"external_leakage", "", c.External}, {"max_current", "", c.MaxCurrent}, {"valve_c2", "", c.ValveC2}}...) {
		if !(f.v >= 0) || math.IsInf(f.v, 0) {
			return fmt.Errorf("%s %g: give a finite value that is not negative", f.name, f.v)
		}
	}
	if c.leak() == 0 {
		return &MissingError{"flow_pressure, or a leakage,", "m³/(s·Pa)", c.Order}
	}
	return nil
}

// leak returns the flow a pressure, k_c + C_il + C_el/2.
func (c *Cylinder) leak() float64 { return c.FlowPressure + c.Internal + c.External/2 }

// Gain returns the force a current at standstill, A·k_q/(c₁·(k_c + C_ℓ)), N/A.
func (c *Cylinder) Gain() float64 { return c.Area * c.ValveGain / (c.ValveC1 * c.leak()) }

// Damping returns the fall of the steady force with the speed, A²/(k_c + C_ℓ).
func (c *Cylinder) Damping() float64 { return c.Area * c.Area / c.leak() }

// States returns the number of states beside position and speed.
func (c *Cylinder) States() int { return c.Order - 2 }

// Loss is zero: a cylinder has no gear.
func (c *Cylinder) Loss() float64 { return 0 }

func (c *Cylinder) current(asked float64) (i float64, limited bool) {
	i = asked / c.Gain()
	if c.MaxCurrent > 0 {
		return clamp(i, -c.MaxCurrent, c.MaxCurrent)
	}
	return i, false
}

// Act returns the piston's force τ by the equations in the package's comment and stores the derivatives of z in dz. z is the
// pressure and, for order 5, the flow and its rate.
func (c *Cylinder) Act(asked, speed float64, z, dz []float64) float64 {
	u, _ := c.current(asked)
	flow := c.ValveGain / c.ValveC1 * u
	if c.Order == 5 {
		flow = z[1]
		dz[1] = z[2]
		dz[2] = -c.ValveC1*z[1] - c.ValveC2*z[2] + c.ValveGain*u
	}
	dz[0] = 4 * c.Modulus / c.Volume * (flow - c.Area*speed - c.leak()*z[0])
	return c.Area * z[0]
}

// Signals returns the valve's current and the pressure.
func (c *Cylinder) Signals(asked, _ float64, z []float64) Signals {
	u, limited := c.current(asked)
	return Signals{Current: u, Pressure: z[0], Limited: limited}
}

// Settle stores the steady pressure and flow.
func (c *Cylinder) Settle(asked, speed float64, z []float64) {
	u, _ := c.current(asked)
	flow := c.ValveGain / c.ValveC1 * u
	z[0] = (flow - c.Area*speed) / c.leak()
	if c.Order == 5 {
		z[1], z[2] = flow, 0
	}
}

// Nominal returns the current of the servo valve that moves the piston exactly, and the pressure, by the equations in the package's
// comment. force holds the piston's force τ (N) and its first three derivatives by time, speed the joint's speed (m/s), its
// acceleration and its jerk. A cylinder of order 3 uses the first derivative of the force and the speed alone.
func (c *Cylinder) Nominal(force [4]float64, speed [3]float64) (current, pressure float64) {
	flow := func(k int) float64 { // its k-th derivative
		return (c.Volume/(4*c.Modulus)*force[k+1]+c.leak()*force[k])/c.Area + c.Area*speed[k]
	}
	steady := c.ValveC1 * flow(0)
	if c.Order == 5 {
		steady += c.ValveC2*flow(1) + flow(2)
	}
	return steady / c.ValveGain, force[0] / c.Area
}
