package project

import (
	"fmt"
	"math"

	"ident/identify"
)

// modelsOf reads --model.
func ModelsOf(p *Settings) ([]identify.Kind, error) {
	kinds, err := identify.ParseKinds(p.Model)
	if err != nil {
		return nil, UsageError{Err: fmt.Errorf("--model: %w", err)}
	}
	if p.Window < 0 || math.IsNaN(p.Window) || math.IsInf(p.Window, 0) {
		return nil, usagef("--window %g: it is a length of time in seconds", p.Window)
	}
	return kinds, nil
}

// usageError is a wrong call rather than a failure.
type UsageError struct{ Err error }

func (e UsageError) Error() string { return e.Err.Error() }

func (e UsageError) Unwrap() error { return e.Err }

func usagef(format string, args ...any) error { return UsageError{Err: fmt.Errorf(format, args...)} }
