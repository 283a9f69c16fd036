package robot_test

import (
	"fmt"
	"math"

	"ident/robot"
)

// An arm of two joints by its table of frames: the second axis lies level, half a metre up.
func ExampleFromMDH() {
	r := robot.FromMDH("arm", []robot.MDHFrame{
		{Antecedent: -1, Kind: robot.Revolute},
		{Antecedent: 0, Kind: robot.Revolute, Alpha: math.Pi / 2, B: 0.5},
	})
	for j, l := range r.Links {
		fmt.Printf("%s turns about z of frame %d, which lies at %.1f m\n", l.Joint.Name, j+1, l.Placement.P)
	}
	// Output:
	// J1 turns about z of frame 1, which lies at [0.0 0.0 0.0] m
	// J2 turns about z of frame 2, which lies at [0.0 0.0 0.5] m
}
