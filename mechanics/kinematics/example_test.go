package kinematics_test

import (
	"fmt"
	"log"
	"math"

	"ident/mechanics/kinematics"
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

// The coupler of a parallelogram, which the crank swings without turning it.
func ExampleClosed() {
	r := robot.FromMDH("parallelogram", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.3}, {Antecedent: -1, D: 0.5}})
	r.Links[1].Joint.Passive, r.Links[2].Joint.Passive = true, true
	r.Extra = []robot.ExtraFrame{ // both ends of the joint that was cut
		{Name: "cut", Antecedent: 1, Placement: robot.MDH{D: 0.5}.Transform()},
		{Name: "met", Antecedent: 2, Kind: robot.Fixed, Placement: robot.MDH{D: 0.3}.Transform()},
	}
	r.Loops = []robot.Loop{{Frame: 0, Meets: 1}}
	c, err := kinematics.NewClosed(r)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := c.Place([]float64{math.Pi / 2}, []float64{1.5, -1.5, 1.5, 0}); err != nil {
		log.Fatal(err)
	}
	c.Move([]float64{2}, nil) // rad/s, steadily
	middle := kinematics.Point{Link: 1, At: [3]float64{0.25, 0, 0}}
	velocity, rate := make(kinematics.Jacobian, c.ActiveJoints()), make(kinematics.Jacobian, c.ActiveJoints())
	c.Jacobian(velocity, middle)
	c.JacobianRate(rate, middle)
	fmt.Printf("%.2f m/s along x, %.2f m/s² along y, %.1f rad/s\n", 2*velocity[0].Linear[0], 2*rate[0].Linear[1], math.Abs(2*velocity[0].Angular[2]))
	// Output:
	// -0.60 m/s along x, -1.20 m/s² along y, 0.0 rad/s
}
