package pipe

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"
)

// tick is how often a growing file is looked at.
const tick = 20 * time.Millisecond

// maxText is how much text is gathered at most.
const maxText = 4 << 20

// few is the most text of one read that the reader itself hands on. Text grows beyond that only if the taker is slower than the writer.
const few = 16 << 10

// Stall is how long a stream may send nothing before Tail says so.
const Stall = time.Second

// Tail hands on the text of a reader in pieces that end with a line, the last
// excepted, as it comes: each piece is all that is there. A growing file ends when ctx is cancelled; that is not an error.
// Once a reader sends nothing for [Stall], take receives no text. Calls of take do not overlap.
//
// After each read of a slow stream Tail waits for gather before the next: rows that come one by one are then handed on
// together, later by gather at most. To be woken costs as much as to work on a row.
func Tail(ctx context.Context, in io.Reader, grows bool, gather time.Duration, take func(text []byte, final bool) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &tailed{take: take, more: make(chan struct{}, 1), ended: make(chan error, 1)}
	go t.read(ctx, in, grows, gather)
	look := time.NewTicker(Stall / 10)
	defer look.Stop()
	for {
		select {
		case <-t.more:
			t.working.Lock()
			t.lines()
			t.working.Unlock()
		case <-look.C:
			t.look()
		case err := <-t.ended:
			return err
		case <-ctx.Done():
			t.working.Lock()
			defer t.working.Unlock()
			if t.over {
				return <-t.ended
			}
			t.over = true
			return take(nil, true)
		}
	}
}

// tailed is the text that has come and is not handed on yet.
type tailed struct {
	take  func(text []byte, final bool) error
	more  chan struct{} // holds one where the reader left lines to [Tail]
	ended chan error    // of the end

	gathering sync.Mutex
	text      []byte
	last      time.Time // when text came

	working sync.Mutex // held while take runs
	over    bool       // take must not be called again
	handed  bool       // lines have been handed on since the last stall
}

// read reads to the end. Where it keeps up it hands the lines on itself: to wake another goroutine for each row costs as much as to work on it.
func (t *tailed) read(ctx context.Context, in io.Reader, grows bool, gather time.Duration) {
	block := make([]byte, 1<<16)
	for ctx.Err() == nil {
		n, err := in.Read(block)
		if n > 0 {
			t.gathering.Lock()
			t.text, t.last = append(t.text, block[:n]...), time.Now()
			full := len(t.text) > maxText
			t.gathering.Unlock()
			if full {
				t.working.Lock()
			}
			if full || n <= few && t.working.TryLock() {
				t.lines()
				t.working.Unlock()
			} else {
				select {
				case t.more <- struct{}{}:
				default:
				}
			}
		}
		switch {
		case err == io.EOF && grows:
			select {
			case <-time.After(tick):
			case <-ctx.Done():
			}
		case err != nil:
			t.working.Lock()
			defer t.working.Unlock()
			t.lines()
			if err != io.EOF {
				t.end(fmt.Errorf("reading the log: %w", err))
			} else if !t.over {
				t.end(t.take(t.text, true))
			}
			return
		case n <= few && gather > 0:
			time.Sleep(gather)
		}
	}
}

// end ends the calls of take.
func (t *tailed) end(err error) {
	if !t.over {
		t.over = true
		t.ended <- err
	}
}

// lines hands on the whole lines that are there.
func (t *tailed) lines() {
	t.gathering.Lock()
	end := bytes.LastIndexByte(t.text, '\n') + 1
	lines := t.text[:end]
	t.text = bytes.Clone(t.text[end:])
	t.gathering.Unlock()
	if end == 0 || t.over {
		return
	}
	t.handed = true
	if err := t.take(lines, false); err != nil {
		t.end(err)
	}
}

// look says where nothing has come for long.
func (t *tailed) look() {
	t.gathering.Lock()
	silent := time.Since(t.last)
	t.gathering.Unlock()
	if silent < Stall || !t.working.TryLock() {
		return
	}
	defer t.working.Unlock()
	if t.handed && !t.over {
		t.handed = false
		if err := t.take(nil, false); err != nil {
			t.end(err)
		}
	}
}
