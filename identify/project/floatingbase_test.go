package project

import (
	"slices"
	"strings"
	"testing"

	"ident/datasets"
	"ident/robot"
	"ident/robot/format"
)

// Channels of a base's virtual joints that a log lacks are stood in for: no forces where it
// floats, no motion where it stands on a sensor; some of each is refused.
func TestStandIn(t *testing.T) {
	r, err := format.Read([]byte(`links:
  - {name: bus, joint: {name: base, kind: floating}}
  - {name: arm, joint: {name: j1}, origin: {xyz: [0.2, 0, 0.1]}, axis: [0, 1, 0]}
`), "yaml", "sat.yaml", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	names := JointNames(r)
	for _, c := range []struct {
		has         []string // of each virtual joint, in order
		note, fails string
		zero        string // prefix of channels that are stood in for
		still       int
	}{
		{has: []string{"q_", "q_", "q_", "q_", "q_", "q_"}, note: "no force acts on the base, which floats", zero: "tau_"},
		{has: []string{"tau_", "tau_", "tau_", "tau_", "tau_", "tau_"}, note: "stands still on a sensor", zero: "q_", still: 6},
		{has: []string{"q_", "q_", "q_", "tau_", "tau_", "tau_"}, fails: "the force of all"},
		{has: []string{"", "", "", "", "", ""}},
	} {
		channels, cols := []datasets.Channel{{Name: "t"}, {Name: "q_j1"}, {Name: "tau_j1"}}, [][]float64{{0, 1}, {1, 2}, {3, 4}}
		k := 0
		for _, name := range names {
			if name == "j1" {
				continue
			}
			if c.has[k] != "" {
				channels, cols = append(channels, datasets.Channel{Name: c.has[k] + name}), append(cols, []float64{1, 2})
			}
			k++
		}
		p := new(Settings)
		l, note, err := standIn(p, r, datasets.FromColumns("log", channels, cols, nil), names)
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%v: %v, want %q", c.has, err, c.fails)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(note, c.note) || c.note == "" && note != "" || len(p.Immobile) != c.still {
			t.Errorf("%v: note %q, still %v", c.has, note, p.Immobile)
		}
		for _, name := range names {
			if c.zero == "" || name == "j1" {
				continue
			}
			if v, err := l.Column(c.zero + name); err != nil || !slices.Equal(v, []float64{0, 0}) {
				t.Errorf("%s%s is %v, %v", c.zero, name, v, err)
			}
		}
	}
}
