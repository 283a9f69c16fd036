package elastic_test

import (
	"context"
	"fmt"

	"ident/identify/elastic"
	"ident/robot"
	"ident/robot/format"
)

// A pendulum behind an elastic gear has six base parameters beside the friction of its motor: inertia and
// first moments of its link, stiffness and damping, and the rotor's inertia.
func Example() {
	r, err := format.Read([]byte(`
gravity: [0, -9.81, 0]
links:
  - name: arm
    joint: {name: shoulder, elastic: true, stiffness: 2000, damping: 1, drive: {ia: 0.2}}
    inertial: {mass: 2, com: [0.3, 0, 0], inertia: {ixx: 0.01, ixy: 0, ixz: 0, iyy: 0.02, iyz: 0, izz: 0.02}}
`), "yaml", "pendulum", robot.ReadOptions{})
	if err != nil {
		panic(err)
	}
	m, err := elastic.New(r)
	if err != nil {
		panic(err)
	}
	_, set, err := m.Base(context.Background(), elastic.Terms{Frictionless: true})
	if err != nil {
		panic(err)
	}
	fmt.Println(set.Names())
	// Output: [ZZ1 MX1 MY1 K1 D1 Ia1]
}
