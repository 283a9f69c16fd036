package baseparams

import "fmt"

// NotApplicableError says why a method cannot treat a robot. Other methods may.
type NotApplicableError struct {
	Method string // "symbolic" or "null space"
	Reason string
}

func (e *NotApplicableError) Error() string {
	return fmt.Sprintf("the %s method does not apply: %s", e.Method, e.Reason)
}
