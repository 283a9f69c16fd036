package project_test

import (
	"fmt"

	"ident/identify/project"
)

// A setting is declared once, with its key in ident.yaml and its option.
func ExampleLookup() {
	s := new(project.Settings)
	cutoff, _ := project.Lookup("cutoff")
	if err := cutoff.Set(s, "8"); err != nil {
		panic(err)
	}
	fmt.Println(cutoff.Option, *s.Cutoff)
	// Output: cutoff 8
}
