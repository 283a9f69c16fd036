package physical_test

import (
	"fmt"

	"ident/physical"
	"ident/robot"
)

// Ten numbers are a body if its pseudo-inertia is positive definite; here the moments
// of inertia break the triangle inequality.
func Example() {
	possible := robot.InertialFromCentral(2, [3]float64{0.1, 0, 0}, [3][3]float64{{0.02}, {0, 0.03}, {0, 0, 0.04}})
	flat := possible
	flat[robot.ZZ] = 0.2
	for _, body := range []robot.Inertial{possible, flat} {
		least := physical.LeastEigenvalue(body)
		fmt.Printf("smallest eigenvalue %.4f\n", least)
		if least < 0 {
			fmt.Println(physical.WhyImpossible(body))
		}
	}
	// Output:
	// smallest eigenvalue 0.0050
	// smallest eigenvalue -0.0650
	// principal inertias 0.02, 0.03, 0.18 kg·m² break the triangle inequality
}
