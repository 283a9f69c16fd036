package report_test

import (
	"fmt"
	"strings"

	"ident/report"
	"ident/result"
)

// The summary that the command line prints, of a result by hand.
func Example() {
	res := result.Result{Schema: result.Schema, Model: "dynamic", Estimator: "wls", Robot: result.RobotInfo{Name: "rotor", DOF: 1},
		Joints: []string{"spin"}, JointUnits: []string{"N·m"}}
	res.Fit.RelativeError = result.Relative{Stacked: 3.2, Joints: []float64{3.2}}
	var text strings.Builder
	report.Text(&text, &res, 0)
	line, _, _ := strings.Cut(text.String(), "\n")
	fmt.Println(line)
	// Output:
	// rotor: 0 base parameters of 1 joint
}
