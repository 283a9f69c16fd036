package regressor_test

import (
	"fmt"

	"ident/mechanics/dynamics"
	"ident/regressor"
	"ident/robot"
)

// The identity of the package: the regressor times the standard parameters is the torque
// of the inverse dynamics.
func Example() {
	arm := robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.5}})
	for j := range arm.Links {
		arm.Links[j].Inertial = robot.InertialFromCentral(3, [3]float64{0.2, 0.05, 0}, [3][3]float64{{0.02}, {0, 0.03}, {0, 0, 0.04}})
		arm.Links[j].HasInertial = true
	}
	model, err := regressor.NewDynamic(arm, []regressor.Term{regressor.Links})
	if err != nil {
		fmt.Println(err)
		return
	}
	tree, err := dynamics.New(arm)
	if err != nil {
		fmt.Println(err)
		return
	}
	chi := make([]float64, len(model.Columns()))
	for k, c := range model.Columns() {
		chi[k], _ = regressor.ValueOf(arm, c)
	}
	// One sample; every slice has one entry a joint, and each of those one a sample.
	block := model.NewBlock(1)
	model.Eval(block, [][]float64{{0.4}, {-1.1}}, [][]float64{{0.5}, {2}}, [][]float64{{1}, {-3}}, model.NewWorkspace())
	predicted := [][]float64{{0}, {0}}
	model.Predict(predicted, block, chi)
	torque := make([]float64, 2)
	tree.InverseDynamics(torque, []float64{0.4, -1.1}, []float64{0.5, 2}, []float64{1, -3})
	for j := range torque {
		fmt.Printf("joint %d: %d columns, Y·χ = %.6f, τ = %.6f N·m\n", j+1, len(model.Mask(j)), predicted[j][0], torque[j])
	}
	// Output:
	// joint 1: 20 columns, Y·χ = 1.779636, τ = 1.779636 N·m
	// joint 2: 10 columns, Y·χ = -0.190416, τ = -0.190416 N·m
}
