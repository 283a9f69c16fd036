package main

import "fmt"

// note prints a line for the user beside the results.
func (s streams) note(format string, args ...any) { fmt.Fprintf(s.err, "note: "+format+"\n", args...) }

func (s streams) warn(format string, args ...any) {
	fmt.Fprintf(s.err, "warning: "+format+"\n", args...)
}
