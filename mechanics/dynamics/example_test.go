package dynamics_test

import (
	"fmt"
	"math"

	"ident/mechanics/dynamics"
	"ident/robot"
)

// A pendulum of mass 2 kg at 0.5 m: τ = (I + m·l²)·q̈ + m·g·l·sin q, and forward dynamics
// finds the acceleration again.
func Example() {
	arm := robot.FromMDH("pendulum", []robot.MDHFrame{{Antecedent: -1}})
	arm.Gravity = [3]float64{9.81, 0, 0} // along x: the pendulum hangs at q = 0
	arm.Links[0].Inertial = robot.InertialFromCentral(2, [3]float64{0.5, 0, 0}, [3][3]float64{{0.01}, {0, 0.02}, {0, 0, 0.1}})
	arm.Links[0].HasInertial = true
	tree, err := dynamics.New(arm)
	if err != nil {
		fmt.Println(err)
		return
	}
	q, dq, tau, ddq := []float64{0.3}, []float64{1}, make([]float64, 1), make([]float64, 1)
	tree.InverseDynamics(tau, q, dq, []float64{4})
	if err := tree.ForwardDynamics(ddq, q, dq, tau); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("torque %.4f N·m, by hand %.4f; acceleration %.4f rad/s²\n", tau[0], (0.1+2*0.25)*4+2*9.81*0.5*math.Sin(0.3), ddq[0])
	// Output:
	// torque 5.2991 N·m, by hand 5.2991; acceleration 4.0000 rad/s²
}
