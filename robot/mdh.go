package robot

import (
	"fmt"
	"math"
	"strings"

	"ident/internal/angles"
	"ident/internal/spatial"
	"ident/robot/internal/words"
)

// MDHFrame is a frame in the notation of Khalil and Kleinfinger: angles in rad, lengths in m. The joint variable is
// added to Theta or R.
type MDHFrame struct {
	Antecedent                   int // index into the frames, -1 for the base
	Kind                         Kind
	Gamma, B, Alpha, D, Theta, R float64
}

// FromMDH builds a robot from a table of frames, with links L1, L2, …, joints J1, J2, …, standard gravity, and without
// inertials and limits. Every antecedent must come before its frame: otherwise it panics.
func FromMDH(name string, frames []MDHFrame) *Robot {
	r := &Robot{Name: name, Gravity: StandardGravity}
	for i, f := range frames {
		if f.Antecedent < -1 || f.Antecedent >= i {
			panic(fmt.Sprintf("robot: frame %d has antecedent %d, which does not come before it", i, f.Antecedent))
		}
		m := &MDH{Gamma: f.Gamma, B: f.B, Alpha: f.Alpha, D: f.D, Theta: f.Theta, R: f.R}
		for k, v := range m.Values() {
			m.Text[k] = words.Number(v)
		}
		r.Links = append(r.Links, Link{
			Name: fmt.Sprintf("L%d", i+1), Joint: NewJoint(fmt.Sprintf("J%d", i+1), f.Kind),
			Antecedent: f.Antecedent, Placement: m.Transform(), MDH: m, UserFrame: Identity(),
		})
	}
	return r
}

// Values returns the six parameters in the order of Text.
func (m *MDH) Values() [6]float64 { return [6]float64{m.Gamma, m.B, m.Alpha, m.D, m.Theta, m.R} }

func (m *MDH) setValues(v [6]float64) {
	m.Gamma, m.B, m.Alpha, m.D, m.Theta, m.R = v[0], v[1], v[2], v[3], v[4], v[5]
}

// MDHOf returns the six parameters of a placement, with their texts. For parallel axes, where they are not unique, it
// takes r = 0. For nearly parallel axes there are none: the error wraps ErrNotWritable.
func MDHOf(t Transform) (*MDH, error) {
	var m MDH
	sa := math.Hypot(t.R[0][2], t.R[1][2])
	if sa < 1e-13 {
		if t.R[2][2] < 0 {
			m.Alpha = math.Pi
		}
		// Rot(z,γ)·Rot(x,α)·Rot(z,θ) has γ + θ, or γ - θ, about the axis.
		turn := math.Atan2(t.R[1][0], t.R[0][0])
		if m.D = math.Hypot(t.P[0], t.P[1]); m.D > 0 {
			m.Gamma = math.Atan2(t.P[1], t.P[0])
		}
		m.Theta = math.Remainder(turn-m.Gamma, 2*math.Pi)
		if m.Alpha != 0 {
			m.Theta = -m.Theta
		}
		m.B = t.P[2]
	} else {
		// The normal is tried in both senses; the one that turns less about z
		// comes first, so that Rx(-π/2) is written as such.
		m.Gamma = math.Atan2(t.R[0][2], -t.R[1][2])
		m.Alpha = math.Atan2(sa, t.R[2][2])
		if math.Abs(m.Gamma) > math.Pi/2+1e-12 {
			m.Gamma = math.Remainder(m.Gamma+math.Pi, 2*math.Pi)
			m.Alpha = -m.Alpha
		}
		sg, cg := angles.Sincos(m.Gamma)
		// After undoing γ and α the rest is the turn θ.
		sAlpha, cAlpha := angles.Sincos(m.Alpha)
		rest := spatial.MulTVec(t.R, [3]float64{cg, sg, 0})
		m.Theta = math.Atan2(-rest[1], rest[0])
		m.D = t.P[0]*cg + t.P[1]*sg
		m.R = (t.P[0]*sg - t.P[1]*cg) / sAlpha
		m.B = t.P[2] - m.R*cAlpha
	}
	for k, v := range m.Values() {
		m.Text[k] = words.Number(v)
		if k%2 == 0 {
			m.Text[k] = AngleText(v)
		}
	}
	back := m.Transform()
	scale := 1 + spatial.Norm(t.P)
	for i := range 3 {
		worst := math.Abs(back.P[i] - t.P[i])
		for j := range 3 {
			worst = math.Max(worst, math.Abs(back.R[i][j]-t.R[i][j]))
		}
		if !(worst <= 1e-12*scale) {
			return nil, fmt.Errorf("its axis is so nearly parallel to the one before that no accurate MDH parameters exist: %w", ErrNotWritable)
		}
	}
	return &m, nil
}

// AngleText formats an angle, as a fraction of Pi if it is a multiple of π/12.
func AngleText(v float64) string {
	k := angles.Twelfth(v)
	if math.Abs(v-k*math.Pi/12) > 4e-16*math.Max(1, math.Abs(v)) {
		return words.Number(v)
	}
	return strings.Replace(piFraction(int(k)), "π", "Pi", 1)
}

func piFraction(k int) string {
	s := angles.TwelfthText(k)
	if i := strings.Index(s, "π"); i > 0 && s[i-1] != '-' {
		return s[:i] + "*" + s[i:]
	}
	return s
}
