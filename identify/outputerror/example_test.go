package outputerror_test

import (
	"fmt"

	"ident/identify/outputerror"
	"ident/simulate/servo"
)

// The unknowns of a law as a user writes it: one gain is known, so that the scale of all is.
func ExampleLawOf() {
	spec, err := servo.ParseOpenSpec("pd kp=500,? kd=? delay=?", 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	law, _, _, err := outputerror.LawOf(spec, 0.001)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("known:", law.P)
	for _, g := range law.Gains {
		fmt.Println("unknown:", g.Name)
	}
	fmt.Println("delay unknown:", law.Late)
	// Output:
	// known: [500 0]
	// unknown: kd1
	// unknown: kp2
	// unknown: kd2
	// delay unknown: true
}
