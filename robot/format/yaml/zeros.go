package yaml

import (
	"slices"

	"ident/robot"
)

// zeros reads the list of a link's parameters that are known to be zero.
func (m yamlMap) zeros(l *robot.Link) error {
	list, err := m.list("zero")
	if err != nil {
		return err
	}
	for _, n := range list {
		k := slices.Index(robot.InertialNames[:], n.Value)
		switch {
		case n.Value == "Ia":
			l.Joint.NoRotor = true
		case k < 0:
			return robot.Fault(n.Line, m.where, "zero: %q is no parameter of a link; those are XX to M and Ia", n.Value)
		case m.has("inertial") || m.has("standard") || l.Massless:
			return robot.Fault(n.Line, m.where, "zero: %s is given twice; leave it out beside inertial, standard and massless", n.Value)
		default:
			l.Zero[k] = true
		}
	}
	return nil
}
