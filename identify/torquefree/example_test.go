package torquefree_test

import (
	"fmt"

	"ident/datasets"
	"ident/identify/torquefree"
)

// A log of commands and positions gets torques of zero first, so that its joints are found.
func ExampleBlank() {
	l := datasets.FromColumns("log", []datasets.Channel{{Name: "t"}, {Name: "q1"}, {Name: "q_ref1"}}, [][]float64{{0, 0.01}, {0, 0}, {0, 0.1}}, nil)
	logs, mapped := torquefree.Blank([]*datasets.Log{l}, []datasets.Roles{{T: "t", Q: []string{"q1"}}}, nil)
	fmt.Println(logs[0].Names(), mapped)
	// Output: [t q1 q_ref1 law_torque1] map[tau1:law_torque1]
}
