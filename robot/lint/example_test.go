package lint_test

import (
	"fmt"

	"ident/robot/lint"
)

// The moment about y that table 5.21 of Vukobratović and Potkonjak (1985) leaves out.
func ExampleAdmissibleMoment() {
	low, high := lint.AdmissibleMoment(2.98, 3.701)
	fmt.Printf("%.3f to %.3f kg·m²\n", low, high)
	// Output: 0.721 to 6.681 kg·m²
}
