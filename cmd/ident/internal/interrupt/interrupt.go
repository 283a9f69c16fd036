// Package interrupt ends a program by SIGINT and SIGTERM, and with the program that called it: by the cancellation of its
// context, and by force where that takes too long.
package interrupt

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// By is the cause that a signal cancels a context for.
type By struct{ Signal syscall.Signal }

func (b By) Error() string {
	if b.Signal == syscall.SIGTERM {
		return "terminated"
	}
	return "interrupted"
}

// Code returns the exit code that shells give to a program that died of the signal.
func (b By) Code() int { return 128 + int(b.Signal) }

// Cause returns the signal that cancelled ctx, a By, or nil.
func Cause(ctx context.Context) error {
	var by By
	if errors.As(context.Cause(ctx), &by) {
		return by
	}
	return nil
}

// WithSignals returns a context that SIGINT and SIGTERM cancel, and the end of caller as SIGTERM does. A caller holds the other
// end of this pipe for as long as it lives, whatever ends it; nil stands for none. A program that is still at work after the grace,
// or at a second signal, is ended: its leftovers are removed, last is called, and it exits by the code of the first
// signal.
func WithSignals(ctx context.Context, caller io.Reader, grace time.Duration, l *Leftovers, last func(By)) context.Context {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	if caller != nil {
		go func() {
			_, _ = io.Copy(io.Discard, caller)
			signals <- syscall.SIGTERM
		}()
	}
	go func() {
		by := By{(<-signals).(syscall.Signal)}
		cancel(by)
		select {
		case <-signals:
		case <-time.After(grace):
		}
		l.remove()
		last(by)
		os.Exit(by.Code())
	}()
	return ctx
}

// Leftovers lists the unfinished outputs that must be removed if the program is ended by force.
// The nil value holds nothing.
type Leftovers struct {
	lock sync.Mutex
	undo func() error
}

// Of returns a function that removes the output, nil if there is nothing to remove.
func (l *Leftovers) Of(undo func() error) {
	if l == nil {
		return
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	l.undo = undo
}

// remove removes the output. The program may still be writing into it, so that its folder is not empty at once.
func (l *Leftovers) remove() {
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
