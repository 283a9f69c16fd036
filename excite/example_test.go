package excite_test

import (
	"context"
	"fmt"
	"math"

	"ident/baseparams"
	"ident/excite"
	"ident/regressor"
	"ident/robot"
)

// A periodic motion of two joints with the smallest condition number within their limits.
func Example() {
	arm := robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.5}})
	arm.Gravity = [3]float64{0, -9.81, 0}
	limits := make([]excite.Limits, 2)
	for j := range limits {
		limits[j] = excite.Limits{Joint: arm.Links[j].Joint.Name, Lower: -2, Upper: 2, Velocity: 3, Accel: 10, Jerk: math.NaN(), Effort: math.NaN(), Power: math.NaN()}
	}
	full, err := regressor.NewDynamic(arm, regressor.DefaultTerms())
	if err != nil {
		fmt.Println(err)
		return
	}
	model := full.Select(baseparams.QR(full, baseparams.Options{}).Base)
	design, err := excite.Design(context.Background(), excite.Problem{Model: model, Limits: limits, Period: 5, Starts: 1, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d base parameters, condition number below 30: %t, violations: %d\n", len(model.Columns()), design.ConditionScaled < 30, design.Violations)
	// Output:
	// 13 base parameters, condition number below 30: true, violations: 0
}
