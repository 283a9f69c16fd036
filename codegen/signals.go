package codegen

import (
	"fmt"
	"slices"
	"strings"

	"ident/regressor"
	"ident/symbolic"
)

// signal is an argument of models whose friction depends on more than the motion: a temperature, or the state of a term with a memory. The
// program holds no state; whoever calls it follows the signal by the law that the program's head states.
type signal struct {
	in   symbolic.Input
	link int
	part int // the width of presliding that it belongs to
}

// signalKind is a group of signals.
type signalKind struct {
	term             regressor.Term
	group, unit, doc string
	law              string // for the head
}

// signalKinds returns the terms with signals, in the order of the arguments.
func signalKinds() [4]signalKind {
	return [...]signalKind{
		{regressor.Warming, "warm", "", "state of warming, 1 - exp(-t/T)", "warm = 1 - exp(-t/T), t the time since the robot began cold"},
		{regressor.ByHeat, "heat", "W", "mean power of the last time T", "heat += (|tau*dq| - heat)*(1 - exp(-dt/T)) every dt, from 0 with a cold robot"},
		{regressor.ByDegrees, "temp", "", "measured temperature", "temp is in the unit of the log's channel, of which the reference is taken"},
		{regressor.Presliding, "slip", "", "state of presliding, -1 to 1", "slip = min(max(slip + (change of q)/w, -1), 1) every sample, from 0"},
	}
}

// planSignals finds the signals of the columns.
func (m *maker) planSignals(terms []regressor.Term) error {
	for g, kind := range signalKinds() {
		at := slices.IndexFunc(terms, func(t regressor.Term) bool { return t.Name() == kind.term })
		if at < 0 {
			continue
		}
		about, reference, err := m.signalArgument(terms[at])
		if err != nil {
			return err
		}
		var said []string
		for i := range m.drives {
			d := &m.drives[i]
			if d.of.Term != kind.term {
				continue
			}
			link, part := m.columns[d.column].Link, 0
			if kind.term == regressor.Presliding {
				part = d.of.Param
			}
			d.reference = reference
			d.signal = slices.IndexFunc(m.signals[g], func(s signal) bool { return s.link == link && s.part == part })
			d.signals = g + 1
			if d.signal >= 0 {
				continue
			}
			d.signal = len(m.signals[g])
			name, joint := label(kind.group, link), m.r.Links[link].Joint.Name
			if kind.term == regressor.Presliding {
				name += string(rune('a' + part))
			}
			said = append(said, joint+about(link, part))
			m.signals[g] = append(m.signals[g], signal{link: link, part: part,
				in: symbolic.Input{Name: name, Kind: symbolic.State, Group: kind.group, Index: d.signal, Unit: kind.unit, Doc: kind.doc + " of " + joint + about(link, part)}})
		}
		if len(said) > 0 {
			m.laws = append(m.laws, fmt.Sprintf("%s: %s of %s", kind.group, kind.doc, strings.Join(said, ", ")), "  "+kind.law)
		}
	}
	return nil
}

// signalArgument returns, for a term with signals, the text that states the constant of each link (from the term's
// argument), and the reference that is subtracted from the signal.
func (m *maker) signalArgument(t regressor.Term) (about func(link, part int) string, reference float64, err error) {
	if t.Name() == regressor.ByDegrees {
		reference, err = regressor.ReferenceTemperature(t)
		return func(int, int) string { return fmt.Sprintf(" (reference %g)", reference) }, reference, err
	}
	of, err := regressor.StateConstants(m.r, t)
	constant := map[regressor.Term]string{regressor.Warming: "T = %g s", regressor.ByHeat: "T = %g s", regressor.Presliding: "w = %g"}[t.Name()]
	return func(link, part int) string { return " (" + fmt.Sprintf(constant, of[link][part]) + ")" }, 0, err
}

// bySignal returns a law multiplied by its signal minus the reference; it makes arguments of all signals.
func (m *maker) bySignal(d *drive, law symbolic.Node) symbolic.Node {
	m.following = true
	z := m.g.Input(m.signals[d.signals-1][d.signal].in)
	return m.g.Mul(law, m.g.Sub(z, m.g.Float(d.reference)))
}

// followed returns the arguments of a program that has signals.
func (m *maker) followed() (out []symbolic.Node) {
	if !m.following {
		return nil
	}
	for _, group := range m.signals {
		for _, s := range group {
			out = append(out, m.g.Input(s.in))
		}
	}
	return out
}
