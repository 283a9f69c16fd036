package robot

import (
	"fmt"
	"slices"
	"strings"
)

// KnownZero returns the kinds of the link's parameters that are known to be zero
// beside unknown ones: "XY", "Ia".
func (l *Link) KnownZero() []string {
	var out []string
	for k, zero := range l.Zero {
		if zero {
			out = append(out, InertialNames[k])
		}
	}
	if l.Joint.NoRotor {
		out = append(out, "Ia")
	}
	return out
}

// noteUnknowns says of a link without an inertial which of its parameters are
// known all the same, and which numbers of the file are not used.
func (p *parReader) noteUnknowns(l *Link, given string) {
	note := func(text string) { p.r.Notes = append(p.r.Notes, Note{fmt.Sprintf("link %q", l.Name), text}) }
	if l.Massless && l.Joint.Kind != Fixed {
		note("it has no mass: the file gives 0 for all ten of its inertial parameters")
	}
	if given != "" && !l.HasInertial {
		note("its inertial is taken as unknown, though the file gives " + given)
	}
	if zero := l.KnownZero(); len(zero) > 0 {
		note("known to be zero, for the file gives 0: " + strings.Join(zero, ", "))
	}
}

// zeros reads the list of a link's parameters that are known to be zero.
func (m yamlMap) zeros(l *Link) error {
	list, err := m.list("zero")
	if err != nil {
		return err
	}
	for _, n := range list {
		k := slices.Index(InertialNames[:], n.Value)
		switch {
		case n.Value == "Ia":
			l.Joint.NoRotor = true
		case k < 0:
			return fault(n.Line, m.where, "zero: %q is no parameter of a link; those are XX to M and Ia", n.Value)
		case m.has("inertial") || m.has("standard") || l.Massless:
			return fault(n.Line, m.where, "zero: %s is given twice; leave it out beside inertial, standard and massless", n.Value)
		default:
			l.Zero[k] = true
		}
	}
	return nil
}
