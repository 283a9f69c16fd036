package preset_test

import (
	"fmt"

	"ident/identify/preset"
)

func ExampleFind() {
	p, err := preset.Find("franka-csv")
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Map["tau7"], p.Units["time"])
	_, err = preset.Find("franka")
	fmt.Println(err)
	// Output:
	// state.tau_J[6] ms
	// "franka" is not one of ur-rtde, ur-rtde-torque, ur-ros2, ur-ros2-current, franka-csv, lerobot-degrees
}
