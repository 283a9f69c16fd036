package loops_test

import (
	"fmt"
	"math"

	"ident/mechanics/loops"
	"ident/robot"
)

// A parallelogram: the crank drives it, the coupler turns back as far as the crank
// turns, the rocker turns along.
func Example() {
	r := robot.FromMDH("parallelogram", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.3}, {Antecedent: -1, D: 0.5}})
	r.Links[1].Joint.Passive, r.Links[2].Joint.Passive = true, true
	r.Extra = []robot.ExtraFrame{ // both ends of the joint that was cut
		{Name: "cut", Antecedent: 1, Placement: robot.MDH{D: 0.5}.Transform()},
		{Name: "met", Antecedent: 2, Kind: robot.Fixed, Placement: robot.MDH{D: 0.3}.Transform()},
	}
	r.Loops = []robot.Loop{{Frame: 0, Meets: 1}}
	closure, err := loops.NewClosure(r)
	if err != nil {
		fmt.Println(err)
		return
	}
	state, err := closure.Close([]float64{0.7, -0.6, 0.6, 0}, closure.Active())
	if err != nil {
		fmt.Println(err)
		return
	}
	motion, err := closure.Motion(state)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mobility %d\n", motion.Mobility)
	for k, name := range closure.Joints()[:closure.DOF()] {
		fmt.Printf("%s %.3f rad, dq/dq_a %.0f\n", name, math.Round(1e3*state[k])/1e3, motion.G.At(k, 0))
	}
	// Output:
	// mobility 1
	// J1 0.700 rad, dq/dq_a 1
	// J2 -0.700 rad, dq/dq_a -1
	// J3 0.700 rad, dq/dq_a 1
}
