package judge_test

import (
	"fmt"

	"ident/judge"
)

// A cause that is the best of a list is not attested if much stays above the floor of a joint.
func ExampleReference_Attest() {
	// What a fit leaves of two joints, the floors by differences, and what a flexible model removes, in ln S.
	r := judge.Reference{Squares: []float64{0.1, 0.01}, Floor: []float64{0.001, 0.009}, Flexible: []float64{4.4, 0.1}, Independent: []float64{60, 60}}
	for _, left := range [][]float64{{0.0011, 0.009}, {0.04, 0.009}} {
		v := r.Attest(left)
		fmt.Printf("attested %v, explains %.0f %%\n", v.Attested, 100*v.Explains)
	}
	// Output:
	// attested true, explains 100 %
	// attested false, explains 21 %
}
