//go:build !unix

package main

import (
	"context"
	"errors"

	"ident/identify"
)

// serveStates is not available: the package of Python evaluates each call by a process of its own here.
func (s streams) serveStates(context.Context, *identify.Evaluator, string) error {
	return errors.ErrUnsupported
}
