package robot

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// MDHFrame is a frame in the notation of Khalil and Kleinfinger: angles in rad
// and lengths in m, the joint variable being added to Theta or R.
type MDHFrame struct {
	Antecedent                   int // index into the frames, -1 for the base
	Kind                         Kind
	Gamma, B, Alpha, D, Theta, R float64
}

// FromMDH builds a robot from a table of frames, with links L1, L2, …, joints
// J1, J2, …, no inertials, no limits and standard gravity. It panics where an
// antecedent does not come before its frame.
func FromMDH(name string, frames []MDHFrame) *Robot {
	r := &Robot{Name: name, Gravity: StandardGravity}
	for i, f := range frames {
		if f.Antecedent < -1 || f.Antecedent >= i {
			panic(fmt.Sprintf("robot: frame %d has antecedent %d, which does not come before it", i, f.Antecedent))
		}
		m := &MDH{Gamma: f.Gamma, B: f.B, Alpha: f.Alpha, D: f.D, Theta: f.Theta, R: f.R}
		for k, v := range m.values() {
			m.Text[k] = formatNumber(v)
		}
		r.Links = append(r.Links, Link{
			Name: fmt.Sprintf("L%d", i+1), Joint: noLimits(fmt.Sprintf("J%d", i+1), f.Kind),
			Antecedent: f.Antecedent, Placement: m.Transform(), MDH: m, UserFrame: Identity(),
		})
	}
	return r
}

// values returns the six parameters in the order of Text.
func (m *MDH) values() [6]float64 { return [6]float64{m.Gamma, m.B, m.Alpha, m.D, m.Theta, m.R} }

func (m *MDH) setValues(v [6]float64) {
	m.Gamma, m.B, m.Alpha, m.D, m.Theta, m.R = v[0], v[1], v[2], v[3], v[4], v[5]
}

// parAssignment is how a line of a SYMORO+ file begins.
var parAssignment = regexp.MustCompile(`(?im)^\s*(NL|NJ|NF|ant|sigma)\s*=`)

func quoteList(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(q, ", ")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// formatNumber writes a number in its shortest form that reads back the same.
func formatNumber(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }
