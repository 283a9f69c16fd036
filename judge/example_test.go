package judge_test

import (
	"fmt"

	"ident/judge"
)

// A cause that is the best of a list is not attested if much stays above the floor of a joint.
func ExampleReference_Attest() {
	// What a fit leaves of two joints, as parts of their torques' variances, and the floors by differences.
	r := judge.Reference{Squares: []float64{0.1, 0.01}, Floor: []float64{0.001, 0.009}, Independent: []float64{60, 60}}
	for _, left := range [][]float64{{0.0011, 0.009}, {0.04, 0.009}} {
		v := r.Attest(left)
		fmt.Printf("attested %v, worst joint %d: ln S/F %.1f before, %.1f after\n", v.Attested, v.Worst+1, v.Before, v.After)
	}
	// Output:
	// attested true, worst joint 1: ln S/F 4.6 before, 0.1 after
	// attested false, worst joint 1: ln S/F 4.6 before, 3.7 after
}
