// Package experiment holds the parts of ident simulate that stand between its options and the
// room simulate: the controller, the sensors with their faults, the sums of a run.
package experiment

import "fmt"

// WrongCall is an error of the options, for which a command ends with the code of wrong usage.
type WrongCall struct{ error }

// Unwrap returns the error.
func (e WrongCall) Unwrap() error { return e.error }

func wrongf(format string, args ...any) error { return WrongCall{fmt.Errorf(format, args...)} }
