package excite_test

import (
	"bytes"
	"fmt"
	"log"
	"strings"

	"ident/excite"
)

// A motion of one joint, from rest to rest in two seconds, as a message of ROS 2.
func ExampleWriteProgram() {
	rest := [][]float64{{0, 0}}
	m, err := excite.Through([]string{"elbow"}, []float64{0, 2}, [][]float64{{0.1, 1}}, rest, rest)
	if err != nil {
		log.Fatal(err)
	}
	limits := []excite.Limits{{Joint: "elbow", Lower: -3, Upper: 3, Velocity: 2, Accel: 8}}
	ros2, _ := excite.FindProgramLanguage("ros2")
	var out bytes.Buffer
	if err := excite.WriteProgram(&out, ros2, m, excite.ProgramOptions{Limits: limits, Rate: 50}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(out.String(), "elbow"), strings.Contains(out.String(), "tried on a robot"))
	// Output: true true
}
