package standing_test

import (
	"fmt"

	"ident/identify/standing"
)

// The low-passes fit a sway of frequencies up to 1 Hz.
func ExampleDefaultSettings() {
	s := standing.DefaultSettings()
	fmt.Printf("motion %g Hz, both sides %g Hz\n", s.MotionCutoff, s.Cutoff)
	// Output: motion 10 Hz, both sides 5 Hz
}
