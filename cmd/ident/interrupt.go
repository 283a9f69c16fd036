package main

import (
	"context"
	"fmt"
	"time"

	"ident/cmd/ident/internal/interrupt"
)

// grace is the time that a command has after a signal to end by itself, with its best so far where it has
// one. Ended by force it loses nothing: files take their places when they are complete, and the next run
// removes the temporary ones.
const grace = 800 * time.Millisecond

// designGrace is that of a design, which checks its best motion at every moment before it writes it.
const designGrace = 5 * time.Second

// withSignals returns a context that SIGINT and SIGTERM cancel, and ends the command where that takes too long.
func withSignals(ctx context.Context, s streams, grace time.Duration) context.Context {
	return interrupt.WithSignals(ctx, grace, s.leftovers, func(by interrupt.By) {
		if s.terminal {
			fmt.Fprint(s.err, "\r\033[K") // the line of a progress bar
		}
		fmt.Fprintf(s.err, "ident: %v\n", by)
	})
}
