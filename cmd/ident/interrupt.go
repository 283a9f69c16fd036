package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// interruption is the cause that a signal cancels the context of a command for.
type interruption struct{ signal syscall.Signal }

func (i interruption) Error() string {
	if i.signal == syscall.SIGTERM {
		return "terminated"
	}
	return "interrupted"
}

// code is the exit code that shells give to a program that died of the signal.
func (i interruption) code() int { return 128 + int(i.signal) }

// interrupted returns the signal that cancelled ctx, or nil.
func interrupted(ctx context.Context) error {
	var stop interruption
	if errors.As(context.Cause(ctx), &stop) {
		return stop
	}
	return nil
}

// grace is the time that a command has after a signal to end by itself, with its best so far where it has
// one. Ended by force it loses nothing: files take their places when they are complete, and the next run
// removes the temporary ones.
const grace = 800 * time.Millisecond

// designGrace is that of a design, which checks its best motion at every moment before it writes it.
const designGrace = 5 * time.Second

// leftovers are what a command that is ended by force would leave behind of an output that is of no use half made.
type leftovers struct {
	lock sync.Mutex
	undo func() error
}

// of says how the output of a command is removed; nil where nothing is left to be removed.
func (l *leftovers) of(undo func() error) {
	if l == nil {
		return
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	l.undo = undo
}

// remove removes the output. The command may still be writing into it, so that its folder is not empty at once.
func (l *leftovers) remove() {
	if l == nil {
		return
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	for range 10 {
		if l.undo == nil || l.undo() == nil {
			return
		}
	}
}

// withSignals returns a context that SIGINT and SIGTERM cancel. A command that is still at work after the
// grace, or at a second signal, is ended.
func withSignals(ctx context.Context, s streams, grace time.Duration) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		stop := interruption{(<-signals).(syscall.Signal)}
		cancel(stop)
		select {
		case <-signals:
		case <-time.After(grace):
		}
		if s.terminal {
			fmt.Fprint(s.err, "\r\033[K") // the line of a progress bar
		}
		s.leftovers.remove()
		fmt.Fprintf(s.err, "ident: %v\n", stop)
		os.Exit(stop.code())
	}()
	return ctx
}
