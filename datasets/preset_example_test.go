package datasets_test

import (
	"fmt"

	"ident/datasets"
)

func ExampleFindPreset() {
	p, err := datasets.FindPreset("franka-csv")
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Map["tau7"], p.Units["time"])
	_, err = datasets.FindPreset("franka")
	fmt.Println(err)
	// Output:
	// state.tau_J[6] ms
	// "franka" is not one of ur-rtde, ur-rtde-torque, ur-ros2, ur-ros2-current, franka-csv, lerobot-degrees
}
