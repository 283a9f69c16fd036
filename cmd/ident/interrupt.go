package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"ident/cmd/ident/internal/interrupt"
	"ident/internal/output"
)

// callerVariable is the environment variable by which a program that calls this one says "stdin": that standard input holds
// nothing, and is a pipe that ends with the caller.
const callerVariable = "IDENT_CALLER"

// grace is the time that a command has after a signal to end by itself, with its best so far if it has one. Being killed
// loses nothing: files are moved into place when complete, and the next run removes temporary ones.
const grace = 800 * time.Millisecond

// designGrace is the grace of a design, which makes the final check of its best motion before writing it.
const designGrace = 5 * time.Second

// withCaller takes standard input as the pipe of a caller if the caller says so. Commands then find standard input empty.
func (s streams) withCaller() streams {
	if os.Getenv(callerVariable) == "stdin" {
		s.caller, s.in = s.in, strings.NewReader("")
	}
	return s
}

// withSignals returns a context that SIGINT, SIGTERM and the end of the caller cancel. If the command then takes too long to end, it
// is killed.
func withSignals(ctx context.Context, s streams, grace time.Duration) context.Context {
	return interrupt.WithSignals(ctx, s.caller, grace, s.leftovers, func(by interrupt.By) {
		if s.terminal {
			fmt.Fprint(s.err, "\r\033[K") // the line of a progress bar
		}
		fmt.Fprintf(s.err, "ident: %v\n", by)
		s.afterCaller()
	})
}

// afterCaller removes the temporary folders that a caller left behind if it was killed. Those of a caller that lives are locked.
func (s streams) afterCaller() {
	if s.caller != nil {
		output.RemoveStale(os.TempDir())
	}
}
