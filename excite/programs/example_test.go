package programs_test

import (
	"bytes"
	"fmt"
	"log"
	"strings"

	"ident/excite"
	"ident/excite/programs"
)

// A motion of one joint, from rest to rest in two seconds, as a message of ROS 2.
func ExampleWrite() {
	rest := [][]float64{{0, 0}}
	m, err := excite.Through([]string{"elbow"}, []float64{0, 2}, [][]float64{{0.1, 1}}, rest, rest)
	if err != nil {
		log.Fatal(err)
	}
	limits := []excite.Limits{{Joint: "elbow", Lower: -3, Upper: 3, Velocity: 2, Accel: 8}}
	ros2, _ := programs.Find("ros2")
	var out bytes.Buffer
	if err := programs.Write(&out, ros2, m, programs.Options{Limits: limits, Rate: 50}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Contains(out.String(), "elbow"), strings.Contains(out.String(), "tried on a robot"))
	// Output: true true
}
