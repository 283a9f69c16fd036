package simulate_test

import (
	"context"
	"fmt"

	"ident/robot"
	"ident/simulate"
)

// A pendulum through four poses, recorded with an encoder of 1 mrad.
func Example() {
	arm := robot.FromMDH("pendulum", []robot.MDHFrame{{Antecedent: -1}})
	arm.Gravity = [3]float64{9.81, 0, 0}
	arm.Links[0].Inertial = robot.InertialFromCentral(2, [3]float64{0.5, 0, 0}, [3][3]float64{{0.01}, {0, 0.02}, {0, 0, 0.1}})
	arm.Links[0].HasInertial = true
	rest := make([]float64, 4)
	motion, err := simulate.NewRecorded([]float64{0, 1, 2, 3}, [][]float64{{0, 1, 0.5, 0}}, [][]float64{rest}, [][]float64{rest})
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := simulate.Run(context.Background(), arm, motion, simulate.Options{Rate: 100, Encoder: []float64{1e-3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d samples; at %.1f s: %.3f rad measured, %.5f exact, %.3f N·m\n", len(run.T), run.T[60], run.Measured.Q[0][60], run.Exact.Q[0][60], run.Measured.Tau[0][60])
	// Output:
	// 301 samples; at 0.6 s: 0.683 rad measured, 0.68256 exact, 4.460 N·m
}
