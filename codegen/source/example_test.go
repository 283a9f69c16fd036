package source_test

import (
	"fmt"

	"ident/codegen/source"
)

// The languages, and names that all of them accept.
func Example() {
	fmt.Println(source.Languages())
	fmt.Println(source.Identifier("Puma 560"))
	// Output:
	// [c c-batch cpp fortran go julia listing matlab python]
	// puma_560
}
