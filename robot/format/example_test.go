package format_test

import (
	"fmt"

	"ident/robot"
	"ident/robot/format"
)

// A URDF file in, its links and their antecedents out; a fixed tool is lumped into the
// link that carries it.
func Example() {
	arm, err := format.Open("../../datasets/example/puma560.urdf", robot.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for j, l := range arm.Links[:3] {
		fmt.Printf("%d %-9s after %2d, %s %s, %.2f kg\n", j, l.Name, l.Antecedent, l.Joint.Kind, l.Joint.Name, l.Inertial[robot.M])
	}
	fmt.Println(arm.Lumped[0].Name, "is part of", arm.Links[arm.Lumped[0].Into].Name)
	// Output:
	// 0 trunk     after -1, revolute waist, 13.00 kg
	// 1 upper_arm after  0, revolute shoulder, 17.40 kg
	// 2 forearm   after  1, revolute elbow, 4.80 kg
	// gripper is part of flange
}
