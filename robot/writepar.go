package robot

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"ident/internal/angles"
	"ident/internal/spatial"
)

// WritePar writes the robot as a SYMORO+ file of a tree: the six parameters of
// each frame as the file gave them, or computed from its placement, the ten
// standard parameters where they are known and their symbols where not, Ia, Fv
// and Fs (a symbol where nothing is known), and gravity. Frames are numbered
// as the links are; names, limits, lumped bodies apart from their link,
// couplings and the user's own frames have no place in the format. Axes that
// are nearly, but not exactly, parallel have no accurate parameters: that is an
// error that matches ErrNotWritable.
func WritePar(w io.Writer, r *Robot) error {
	if err := r.treeOnly(); err != nil {
		return err
	}
	n := len(r.Links)
	columns := map[string][]string{}
	add := func(key, text string) { columns[key] = append(columns[key], text) }
	typ := "0 (* Simple *)"
	for i := range r.Links {
		l := &r.Links[i]
		if l.Antecedent != i-1 {
			typ = "1 (* Tree *)"
		}
		text, err := l.mdhTexts(r.Symbols)
		if err != nil {
			return err
		}
		for k, key := range mdhNames {
			add(key, text[k])
		}
		add("ant", strconv.Itoa(l.Antecedent+1))
		add("sigma", strconv.Itoa(int(l.Joint.Kind)))
		mu := "1"
		if l.Joint.Passive || l.Joint.Kind == Fixed {
			mu = "0"
		}
		add("mu", mu)
		for k, name := range InertialNames {
			if l.HasInertial || l.Massless || l.Zero[k] {
				add(name, formatNumber(l.Inertial[k]))
			} else {
				add(name, ParameterName(name, i))
			}
		}
		for k, v := range [3]float64{l.Joint.Ia, l.Joint.Fv, l.Joint.Fs} {
			key := [3]string{"IA", "FV", "FS"}[k]
			if v == 0 && l.Joint.Kind != Fixed && !(k == 0 && l.Joint.NoRotor) {
				add(key, ParameterName(key, i))
			} else {
				add(key, formatNumber(v))
			}
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "(* Robotname = '%s' *)\nNF = %d\nNL = %d\nNJ = %d\nType = %s\n", parNameText(r.Name), n, n, n, typ)
	section := func(title string, keys ...string) {
		fmt.Fprintf(&b, "\n(* %s *)\n", title)
		for _, key := range keys {
			fmt.Fprintf(&b, "%s = {%s}\n", key, strings.Join(columns[key], ", "))
		}
	}
	section("Geometric parameters", "ant", "sigma", "b", "d", "r", "gamma", "alpha", "mu", "theta")
	section("Dynamic parameters", append(append([]string{}, InertialNames[:]...), "IA", "FV", "FS")...)
	b.WriteString(r.writeOutside())
	fmt.Fprintf(&b, "\n(* Acceleration of gravity *)\nG = {%s}\n\n(* End of definition *)\n", strings.ReplaceAll(spaced(r.Gravity), " ", ", "))
	_, err := b.WriteTo(w)
	return err
}

// parNameText keeps a name from ending its own comment.
func parNameText(s string) string {
	return strings.NewReplacer("'", "", "\"", "", "\n", " ", "\r", " ", "(*", "", "*)", "").Replace(s)
}

// mdhTexts returns the six parameters as text. Symbols with values go in as
// numbers, for the format has no place for both.
func (l *Link) mdhTexts(symbols map[string]float64) ([6]string, error) {
	if l.MDH == nil {
		m, err := MDHOf(l.Placement)
		if err != nil {
			return [6]string{}, fmt.Errorf("%s: %w", jointWhere(l.Joint.Name), err)
		}
		return m.Text, nil
	}
	text := l.MDH.Text
	for k, v := range l.MDH.values() {
		used := map[string]bool{}
		if e, err := parseExpr(text[k]); err == nil {
			e.symbols(used)
		}
		if text[k] == "" || len(used) > 0 && !math.IsNaN(v) {
			text[k] = formatNumber(v)
		}
	}
	return text, nil
}

// MDHOf returns the six parameters of a placement, with their texts. About a common normal they are
// unique; on parallel axes the ones with r = 0 are taken. Nearly parallel axes have none: ErrNotWritable.
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
	for k, v := range m.values() {
		m.Text[k] = formatNumber(v)
		if k%2 == 0 {
			m.Text[k] = angleText(v)
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

// angleText writes an angle as a fraction of Pi where it is a multiple of π/12.
func angleText(v float64) string {
	k := angles.Twelfth(v)
	if math.Abs(v-k*math.Pi/12) > 4e-16*math.Max(1, math.Abs(v)) {
		return formatNumber(v)
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
