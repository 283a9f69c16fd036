package project

import (
	"strings"
	"testing"

	"ident/datasets"
	"ident/robot"
)

// Units of another quantity are refused for every role, with units of its own; counts and numbers without a unit may be anything.
func TestQuantitiesOfUnits(t *testing.T) {
	r := robot.FromMDH("two", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Kind: robot.Prismatic}})
	names := r.JointNames()
	var channels []datasets.Channel
	var cols [][]float64
	for _, name := range []string{"t", "q1", "q2", "dq1", "dq2", "tau1", "tau2"} {
		channels, cols = append(channels, datasets.Channel{Name: name}), append(cols, make([]float64, 3))
	}
	l := datasets.FromColumns("log", channels, cols, nil)
	for _, c := range []struct{ channel, unit, use string }{
		{"q1", "Nm", "deg"}, {"q1", "mm", "deg"}, {"q1", "s", "deg"}, {"q1", "deg", ""}, {"q1", "counts", ""}, {"q1", "", ""}, {"q1", "%", ""},
		{"q2", "deg", "mm"}, {"q2", "cm", ""}, {"dq1", "deg", "rpm"}, {"dq1", "rpm", ""}, {"dq2", "rpm", "mm/s"}, {"tau1", "rad", "N.mm"},
		{"tau1", "kgf.m", ""}, {"tau1", "mA", ""}, {"tau2", "kN", ""}, {"tau2", "mm", "N.mm"}, {"t", "deg", "ms"}, {"t", "us", ""},
	} {
		roles, _, err := datasets.MapChannels(l, names, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = checkQuantities(&Settings{Units: map[string]string{c.channel: c.unit}}, r, l, names, roles)
		if c.use == "" && err != nil || c.use != "" && (err == nil || !strings.Contains(err.Error(), c.use)) {
			t.Errorf("%s=%s: %v", c.channel, c.unit, err)
		}
	}
}
