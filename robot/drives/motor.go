package drives

import (
	"fmt"
	"math"
)

// Motor is a direct-current motor with its gear and amplifier. Zero limits are none.
type Motor struct {
	Order      int     // 2 or 3
	Resistance float64 // R, Ω
	Inductance float64 // L, H; third order only
	Constant   float64 // k, N·m/A at the motor
	BackEMF    float64 // k_e, V·s/rad at the motor
	Ratio      float64 // N, motor turns per joint turn, or rad/m of a sliding joint
	Efficiency float64 // η of the gear, above 0 up to 1
	MaxVoltage float64 // V
	MaxCurrent float64 // A
	ByCurrent  bool    // the amplifier is commanded by current, else by voltage
	Bandwidth  float64 // ω, bandwidth of the current loop, rad/s; used for third order commanded by current
}

// MissingError names a value without which a drive of its order has no equations.
type MissingError struct {
	Name, Unit string
	Order      int
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("a drive of order %d needs %s, %s: give it, or take a lower order", e.Order, e.Name, e.Unit)
}

// Check returns an error that names the first invalid value. If the order needs a value that is missing, the error is a *MissingError.
func (m *Motor) Check() error {
	if m.Order != 2 && m.Order != 3 {
		return fmt.Errorf("order %d: a motor has order 2, or 3 with its inductance", m.Order)
	}
	for _, f := range []struct {
		name, unit string
		v          float64
	}{{"resistance", "Ω", m.Resistance}, {"constant", "N·m/A", m.Constant}} {
		if f.v == 0 {
			return &MissingError{f.name, f.unit, m.Order}
		}
	}
	if m.Order == 3 && m.Inductance == 0 {
		return &MissingError{"inductance", "H", 3}
	}
	if m.Order == 3 && m.ByCurrent && m.Bandwidth == 0 {
		return &MissingError{"bandwidth of its current loop", "Hz", 3}
	}
	if m.Ratio == 0 {
		return fmt.Errorf("gear ratio 0: give gear_ratio, 1 for a motor without a gear")
	}
	for _, f := range []struct {
		name string
		v    float64
	}{{"resistance", m.Resistance}, {"inductance", m.Inductance}, {"constant", m.Constant}, {"back_emf", m.BackEMF}, {"efficiency", m.Efficiency},
		{"max_voltage", m.MaxVoltage}, {"max_current", m.MaxCurrent}, {"bandwidth", m.Bandwidth}, {"gear ratio", math.Abs(m.Ratio)}} {
		if !(f.v >= 0) || math.IsInf(f.v, 0) {
			return fmt.Errorf("%s %g: give a finite value that is not negative", f.name, f.v)
		}
	}
	if !(m.Efficiency > 0 && m.Efficiency <= 1) {
		return fmt.Errorf("efficiency %g: give a value above 0, up to 1", m.Efficiency)
	}
	return nil
}

// States is 1 of the third order, its current.
func (m *Motor) States() int { return m.Order - 2 }

// Gain returns the torque on the joint a current, N·k, N·m/A or N/A.
func (m *Motor) Gain() float64 { return m.Ratio * m.Constant }

// VoltageGain returns the torque on the joint a volt at standstill, N·k/R.
func (m *Motor) VoltageGain() float64 { return m.Gain() / m.Resistance }

// EMF returns the back-EMF per joint speed, N·k_e, V·s/rad or V·s/m.
func (m *Motor) EMF() float64 { return m.Ratio * m.BackEMF }

// Damping is N²·k·k_e/R where the amplifier is commanded by voltage.
func (m *Motor) Damping() float64 {
	if m.ByCurrent {
		return 0
	}
	return m.VoltageGain() * m.EMF()
}

// ThroughGear returns the torque of a drive before its gear's losses, for a torque that the joint needs at a rate: the
// gear takes loss, 1 − η, of the drive's torque against the motion. At rest it returns the joint's torque, without
// losses.
func ThroughGear(torque, rate, loss float64) float64 {
	switch power := torque * rate; {
	case power > 0:
		return torque / (1 - loss)
	case power < 0:
		return torque / (1 + loss)
	}
	return torque
}

// Loss is 1 − η.
func (m *Motor) Loss() float64 { return 1 - m.Efficiency }

// Stall returns the largest torque on the joint at rest before the gear's losses, +Inf without limits.
func (m *Motor) Stall() float64 {
	i := math.Inf(1)
	if m.MaxVoltage > 0 {
		i = m.MaxVoltage / m.Resistance
	}
	if m.MaxCurrent > 0 {
		i = min(i, m.MaxCurrent)
	}
	return i * math.Abs(m.Gain())
}

// NoLoad returns the joint's speed at the largest voltage without a torque, +Inf without one.
func (m *Motor) NoLoad() float64 {
	if m.MaxVoltage == 0 || m.BackEMF == 0 {
		return math.Inf(1)
	}
	return m.MaxVoltage / math.Abs(m.EMF())
}

// voltage returns that at the terminals: the commanded one within the limits.
func (m *Motor) voltage(asked, emf, i float64) (u float64, limited bool) {
	u = m.Resistance * asked / m.Gain()
	if m.ByCurrent {
		want := asked / m.Gain()
		u += emf
		if m.Order == 3 {
			u = m.Resistance*i + emf + m.Inductance*m.Bandwidth*(want-i)
		}
	}
	var by [2]bool
	if m.MaxCurrent > 0 {
		u, by[0] = clamp(u, emf-m.Resistance*m.MaxCurrent, emf+m.Resistance*m.MaxCurrent)
	}
	if m.MaxVoltage > 0 {
		u, by[1] = clamp(u, -m.MaxVoltage, m.MaxVoltage)
	}
	return u, by[0] || by[1]
}

// Act returns the drive's torque τ, before the gear's losses, by the equations in the package's comment. For order 3 z is the
// current, and Act stores its derivative in dz.
func (m *Motor) Act(asked, speed float64, z, dz []float64) float64 {
	emf := m.EMF() * speed
	if m.Order == 2 {
		u, _ := m.voltage(asked, emf, 0)
		return m.Gain() * (u - emf) / m.Resistance
	}
	u, _ := m.voltage(asked, emf, z[0])
	dz[0] = (u - emf - m.Resistance*z[0]) / m.Inductance
	return m.Gain() * z[0]
}

// Signals are voltage and current.
func (m *Motor) Signals(asked, speed float64, z []float64) Signals {
	emf := m.EMF() * speed
	i := 0.0
	if m.Order == 3 {
		i = z[0]
	}
	u, limited := m.voltage(asked, emf, i)
	if m.Order == 2 {
		i = (u - emf) / m.Resistance
	}
	return Signals{Voltage: u, Current: i, Limited: limited}
}

// Settle stores the current under which di/dt is zero.
func (m *Motor) Settle(asked, speed float64, z []float64) {
	if m.Order == 3 {
		second := *m
		second.Order = 2
		z[0] = second.Signals(asked, speed, nil).Current
	}
}

// Voltage returns the voltage that a motion needs. Its arguments are the torque on the joint before the gear's losses
// and its rate (N·m and N·m/s), and the joint's speed. A motor of second order ignores the rate.
func (m *Motor) Voltage(torque, rate, speed float64) float64 {
	u := m.Resistance*torque/m.Gain() + m.EMF()*speed
	if m.Order == 3 {
		u += m.Inductance * rate / m.Gain()
	}
	return u
}
