package main

import (
	"context"
	"fmt"
	"time"

	"ident/cmd/ident/internal/interrupt"
)

// grace is the time that a command has after a signal to end by itself, with its best so far if it has one. Being killed
// loses nothing: files are moved into place when complete, and the next run removes temporary ones.
const grace = 800 * time.Millisecond

// designGrace is the grace of a design, which makes the final check of its best motion before writing it.
const designGrace = 5 * time.Second

// withSignals returns a context that SIGINT and SIGTERM cancel. If the command then takes too long to end, it is killed.
func withSignals(ctx context.Context, s streams, grace time.Duration) context.Context {
	return interrupt.WithSignals(ctx, grace, s.leftovers, func(by interrupt.By) {
		if s.terminal {
			fmt.Fprint(s.err, "\r\033[K") // the line of a progress bar
		}
		fmt.Fprintf(s.err, "ident: %v\n", by)
	})
}
