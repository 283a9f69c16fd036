// Package canceltest has a context that ends at a look of a given number, for tests of functions that take one: that they
// end at every look, and look often enough.
package canceltest

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// Context is done from the look after the first n on. A look is a call of Err.
type Context struct {
	context.Context
	left, looks atomic.Int64
	done        chan struct{}
}

// After returns a context that ends after n looks.
func After(parent context.Context, n int) *Context {
	c := &Context{Context: parent, done: make(chan struct{})}
	c.left.Store(int64(n))
	if n <= 0 {
		close(c.done)
	}
	return c
}

// Err is nil for the first looks, and context.Canceled later.
func (c *Context) Err() error {
	c.looks.Add(1)
	switch left := c.left.Add(-1); {
	case left == -1:
		select {
		case <-c.done:
		default:
			close(c.done)
		}
		fallthrough
	case left < 0:
		return context.Canceled
	}
	return nil
}

// Done is closed by the look that ends the context.
func (c *Context) Done() <-chan struct{} { return c.done }

// Looks returns how often the context was asked whether it is done.
func (c *Context) Looks() int { return int(c.looks.Load()) }

// Everywhere tests that f can be cancelled. f must look at its context at least the given number of times if nothing
// ends it, and must return the context's error if the context ends at the first of these looks, the last, or some in
// between.
func Everywhere(t testing.TB, least int, f func(context.Context) error) {
	t.Helper()
	whole := After(t.Context(), 1<<40)
	if err := f(whole); err != nil {
		t.Fatal(err)
	}
	n := whole.Looks()
	if n < least {
		t.Errorf("%d looks at the context, want %d at least", n, least)
	}
	for _, k := range []int{0, 1, n / 3, n / 2, n - 1} {
		if k < 0 || k >= n {
			continue
		}
		c := After(t.Context(), k)
		if err := f(c); !errors.Is(err, context.Canceled) {
			t.Errorf("ended after %d looks of %d: %v", k, n, err)
		}
		// Whoever has seen the end passes it on: a loop that goes on would look again and again.
		if more := c.Looks() - k; more > 3 {
			t.Errorf("ended after %d looks of %d, and looked at %d times more", k, n, more)
		}
	}
}
