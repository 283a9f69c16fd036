package shapes_test

import (
	"fmt"

	"ident/robot"
	"ident/robot/shapes"
)

// A steel tube of 1.14 m, whose axis is z, has its frame at its centre.
func ExamplePart_Inertial() {
	guide := shapes.Part{Solid: shapes.Tube{Outer: 0.025, Inner: 0.02, Length: 1.14}, At: robot.Identity(), Density: 7850}
	p, err := guide.Inertial()
	fmt.Printf("%.4f kg, %.4f kg·m² across, %.5f along, %v\n", p.Mass(), p[robot.XX], p[robot.ZZ], err)
	// Output: 6.3257 kg, 0.6867 kg·m² across, 0.00324 along, <nil>
}
