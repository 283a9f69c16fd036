package experiment

import (
	"slices"
	"testing"

	"ident/robot"
	"ident/robot/format"
	"ident/simulate"
)

// Drives that a motion asks for more than they can give are named, with what it asks; those within their limits and without any are not.
func TestDrivesThatCannotFollow(t *testing.T) {
	const text = `name: lift
links:
  - {name: mast, joint: {name: z, kind: prismatic, drive: {cylinder: {area: 1e-3, modulus: 1e9, volume: 1e-3, valve_c1: 1e4, valve_gain: 1, flow_pressure: 1e-11, max_current: 0.2}}}}
  - {name: arm, joint: {name: turn, drive: {gear_ratio: 50, dc: {resistance: 1, constant: 0.1, max_voltage: 24, max_current: 8}}}}
  - {name: hand, joint: {name: free, drive: {gear_ratio: 50, dc: {resistance: 1, constant: 0.1}}}}
`
	r, err := format.Read([]byte(text), "yaml", "", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var n needed
	n.add(&simulate.Record{Current: [][]float64{{0.1, -0.1}, {3, 8}, {1, 2}}, Voltage: [][]float64{{0, 0}, {20, -23}, {90, 0}}})
	if got := n.beyond(r); len(got) > 0 {
		t.Errorf("within the limits: %q", got)
	}
	n.add(&simulate.Record{Current: [][]float64{{0.1, -0.3}, {3, 7}, {1, 2}}, Voltage: [][]float64{{0, 0}, {20, -30.5}, {0, 0}}})
	want := []string{`the drive of joint "z" cannot follow the motion: it needs a current of 0.3 A, its max_current is 0.2 A`,
		`the drive of joint "turn" cannot follow the motion: it needs a voltage of 30.5 V, its max_voltage is 24 V`}
	if got := n.beyond(r); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
