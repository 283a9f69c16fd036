package poses_test

import (
	"context"
	"fmt"
	"math"

	"ident/baseparams"
	"ident/excite"
	"ident/excite/poses"
	"ident/regressor"
	"ident/robot"
)

// Ten poses of an arm of two joints that tell its first moments and offsets, passed slowly in both directions.
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
	space, err := excite.NewSpace(excite.Problem{Model: model, Limits: limits, Robot: arm})
	if err != nil {
		fmt.Println(err)
		return
	}
	design, err := poses.Choose(context.Background(), poses.Problem{Space: space, Model: model, Count: 10, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d parameters at rest, condition number below 2: %t, violations: %d\n", len(design.Columns), design.Condition < 2, space.Check(design.Motion).Violations)
	// Output:
	// 6 parameters at rest, condition number below 2: true, violations: 0
}
