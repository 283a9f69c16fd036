package doctor_test

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"ident/doctor"
	draws "ident/internal/long"
)

// countdown is a context that is cancelled at a call of Err.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// At whatever moment its context is cancelled, an examination ends with that error and without findings. It
// looks at the context some forty times on a log of twenty seconds with one torque too large, so no
// stage is left alone.
func TestCancelled(t *testing.T) {
	draws.Only(t, "cmd/ident.TestCancelledCommands ends a check by its context")
	e, _, _ := long(20_000)
	for k := range e.tau[1] {
		e.tau[1][k] *= 1.5
	}
	l, roles := e.log()
	never := countdown{Context: t.Context()}
	never.left.Store(math.MaxInt64)
	if _, err := doctor.Check(&never, e.robot, l, roles, e.opt); err != nil {
		t.Fatal(err)
	}
	looks := math.MaxInt64 - never.left.Load()
	t.Logf("looks at its context %d times", looks)
	if looks < 35 {
		t.Errorf("looks at its context %d times", looks)
	}
	for _, after := range []int64{0, 1, looks / 4, looks - 1, looks / 2}[:draws.Of(5, 3)] {
		ctx := countdown{Context: t.Context()}
		ctx.left.Store(after)
		if found, err := doctor.Check(&ctx, e.robot, l, roles, e.opt); !errors.Is(err, context.Canceled) || found != nil {
			t.Errorf("cancelled at look %d of %d: %d findings, %v", after, looks, len(found), err)
		}
	}
}
