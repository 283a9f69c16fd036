package excite

import (
	"fmt"

	"ident/mechanics/kinematics"
	"ident/robot"
)

// steady is a motion whose joints turn at 2 rad/s at most, at a steady rate.
type steady struct{}

func (steady) Bound(_, order int) float64 {
	if order == 1 {
		return 2
	}
	return 0
}

// The second link's frame is half a metre from the axis of the first: its origin moves at 1 m/s at most.
func Example_linkBounds() {
	r := robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.5}})
	tree, err := kinematics.New(r)
	if err != nil {
		panic(err)
	}
	all := boundLinks(tree, [3]float64{}, steady{}, func(int) float64 { return 3 })
	fmt.Println(all[1].V[0], "m/s,", all[1].W[0], "rad/s")
	// Output: 1 m/s, 4 rad/s
}
