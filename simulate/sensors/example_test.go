package sensors_test

import (
	"fmt"

	"ident/simulate/sensors"
)

// The faults of a class of arms, and one more of the second joint.
func Example() {
	p, err := sensors.PresetOf("hobby-servo")
	if err != nil {
		fmt.Println(err)
		return
	}
	list, err := sensors.Parse(p.Faults+",zero:elbow=0.02", []string{"shoulder", "elbow"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%g Hz, %d faults, the last %s\n", p.Rate, len(list), list[len(list)-1])
	// Output: 100 Hz, 7 faults, the last zero:2=0.02
}
