package plant

import (
	"fmt"
	"math"
)

// Warming lets the friction of joints fall as it heats them. With T the rise of a joint's temperature over the surroundings, and P the
// power of its friction,
//
//	C·dT/dt = P − T/R,   Fv(T) = Fv·exp(−κv·T),   Fs(T) = Fs·exp(−κs·T)
//
// one lump of heat per joint, and the exponential law of a lubricant's viscosity near one temperature (Reynolds 1886), of which
// Coulomb's and Stribeck's friction have a coefficient of their own. Slices have one entry for each coordinate.
type Warming struct {
	Capacity   []float64 // C, J/K
	Resistance []float64 // R, K/W
	Viscous    []float64 // κv, relative fall of viscous friction per kelvin, 1/K, zero or more
	Coulomb    []float64 // κs, relative fall of Coulomb friction per kelvin, 1/K, zero or more
	Start      []float64 // T at the start, K; nil for zero
}

// check refuses values that no joint has.
func (w *Warming) check(n int) error {
	for name, list := range map[string][]float64{"capacities": w.Capacity, "resistances": w.Resistance, "coefficients of viscous friction": w.Viscous, "coefficients of Coulomb friction": w.Coulomb} {
		if len(list) != n {
			return fmt.Errorf("warming: there are %d %s, but %d joints", len(list), name, n)
		}
	}
	if w.Start != nil && len(w.Start) != n {
		return fmt.Errorf("warming: %d temperatures for %d joints", len(w.Start), n)
	}
	for i := range n {
		if !(w.Capacity[i] > 0) || !(w.Resistance[i] > 0) || !(w.Viscous[i] >= 0) || !(w.Coulomb[i] >= 0) ||
			!finite([]float64{w.Capacity[i], w.Resistance[i], w.Viscous[i], w.Coulomb[i]}) {
			return fmt.Errorf("warming of joint %d: capacity %g J/K, resistance %g K/W, coefficients %g and %g 1/K: give positive ones, coefficients of zero or more", i+1, w.Capacity[i], w.Resistance[i], w.Viscous[i], w.Coulomb[i])
		}
	}
	return nil
}

// warm sets the friction of a state to its temperatures.
func (m *Motion) warm(x []float64) {
	w := m.p.opt.Warming
	if w == nil {
		return
	}
	for i := range m.friction {
		f, own := &m.friction[i], &m.p.friction[i]
		t := x[m.heat+i]
		thin := math.Exp(-w.Coulomb[i] * t)
		f.viscous, f.coulomb, f.stribeck = own.viscous*math.Exp(-w.Viscous[i]*t), own.coulomb*thin, own.stribeck*thin
	}
}

// heated stores the rates of the temperatures of a state whose forces are known.
func (m *Motion) heated(x, k []float64) {
	w := m.p.opt.Warming
	if w == nil {
		return
	}
	for i := range m.friction {
		power := 0.0
		if m.sign[i] != 0 {
			power = m.sliding(i, x) * x[m.n+i]
		}
		k[m.heat+i] = (power - x[m.heat+i]/w.Resistance[i]) / w.Capacity[i]
	}
}

// Temperatures returns the rises of the joints' temperatures, K, nil without Warming. They are the motion's own and
// change with it; the caller must not change them.
func (m *Motion) Temperatures() []float64 {
	if m.p.opt.Warming == nil {
		return nil
	}
	return m.x[m.heat:]
}
