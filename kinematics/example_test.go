package kinematics_test

import (
	"fmt"
	"log"

	"ident/kinematics"
	"ident/robot"
)

// The speed of the tip of a planar arm, and the direction that a stretched arm cannot move in.
func Example() {
	arm := robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.8}})
	tree, err := kinematics.New(arm)
	if err != nil {
		log.Fatal(err)
	}
	tip := kinematics.Point{Link: 1, At: [3]float64{0.5, 0, 0}}
	pose, jacobian := tree.NewPose(), make(kinematics.Jacobian, tree.DOF())
	pose.Place([]float64{0, 0}) // stretched along x
	pose.Move([]float64{1, 2}, nil)
	fmt.Printf("tip at %.1f m moves at %.1f m/s\n", pose.Position(tip), pose.Twist(tip).Linear)
	pose.Jacobian(jacobian, tip)
	plane := kinematics.Mask{true, true}
	d := jacobian.Dexterity(plane, tree.Reach())
	fmt.Printf("rank %d of %d, %d direction lost\n", d.Rank, plane.Rows(), len(d.Lost))
	// Output:
	// tip at [1.3 0.0 0.0] m moves at [0.0 2.3 0.0] m/s
	// rank 1 of 2, 1 direction lost
}
