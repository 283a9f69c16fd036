package baseparams

import (
	"fmt"

	"ident/regressor"
	"ident/robot"
)

// NotApplicableError says why a method cannot handle a robot. Other methods may.
type NotApplicableError struct {
	Method string // "symbolic", "null space", "QR with measured wrenches" or "QR with a floating base"
	Reason string
}

// Error returns the method and the reason.
func (e *NotApplicableError) Error() string {
	return fmt.Sprintf("the %s method does not apply: %s", e.Method, e.Reason)
}

// closedLoops returns the error of a method for trees on a robot with closed loops.
func closedLoops(method string, r *robot.Robot) error {
	return &NotApplicableError{method, fmt.Sprintf("%s, and the method is for trees", r.ClosedBy())}
}

// byRules refuses columns for which the structural methods have no rules.
func byRules(method string, cols []regressor.Column) error {
	for _, c := range cols {
		switch c.Term {
		case regressor.Links, regressor.Ia, regressor.Fv, regressor.Fs, regressor.Fo:
		default:
			return &NotApplicableError{method, fmt.Sprintf("it has no rules for %s of the term %s; use QR", c.Name, c.Term)}
		}
	}
	return nil
}
