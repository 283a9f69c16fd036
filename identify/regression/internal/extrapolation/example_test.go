package extrapolation_test

import (
	"fmt"
	"math"

	"ident/identify/regression/internal/extrapolation"
	"ident/observation"
	"ident/regressor"
	"ident/robot"
)

// A drive whose inertia of 2 kg·m² is known to 0.02: on any other motion its torque is known to 1 %.
func Example() {
	r := robot.FromMDH("drive", []robot.MDHFrame{{Antecedent: -1, Kind: robot.Revolute}})
	full, err := regressor.NewDynamic(r, []regressor.Term{regressor.Ia})
	if err != nil {
		fmt.Println(err)
		return
	}
	v := observation.Observation{Motion: observation.Motion{Q: [][]float64{{0, 1}}, DQ: [][]float64{{1, -1}}, DDQ: [][]float64{{3, -3}}}, Extent: observation.Extent{Hi: 2}}
	motion := extrapolation.Of(&v)
	e := extrapolation.ExpectedError(full, 1, r, &motion, []float64{2}, [][]float64{{0.02 * 0.02}})
	fmt.Printf("%.2f %%\n", math.Abs(e.Stacked))
	// Output: 1.00 %
}
