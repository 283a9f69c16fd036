package doctor_test

import (
	"context"
	"errors"
	"testing"

	"ident/doctor"
)

// A context that is done ends an examination with its error, and without findings.
func TestCancelled(t *testing.T) {
	e, l, roles := long(20_000)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := doctor.Check(ctx, e.robot, l, roles, e.opt); !errors.Is(err, context.Canceled) || found != nil {
		t.Errorf("%d findings, %v", len(found), err)
	}
}
