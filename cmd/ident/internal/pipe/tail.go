package pipe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// tick is how often a growing file is looked at.
const tick = 20 * time.Millisecond

// maxText is how much text is gathered at most.
const maxText = 4 << 20

// MaxLine is how many bytes of a line are handed on at most: the end of a longer one is thrown away, so that a stream without line ends needs no more
// memory. Readers must refuse lines of more than 1 MiB.
const MaxLine = 1<<20 + 2

// few is the most text of one read that the reader itself hands on. Text grows beyond that only if the taker is slower than the writer.
const few = 16 << 10

// Stall is how long a stream may send nothing before Tail says so.
const Stall = time.Second

// Taker takes the text of a stream.
type Taker interface {
	// Take receives text that ends with a line, the last excepted, and none where the stream sends nothing.
	Take(ctx context.Context, text []byte, final bool) error
	// Again says that the next text is the beginning of a file.
	Again()
}

// Tail hands on the text of a reader in pieces that end with a line, the last
// excepted, as it comes: each piece is all that is there. A growing file ends when ctx is cancelled; that is not an error. Where it is a [Growing], the
// taker hears of a further file before its text.
// Once a reader sends nothing for [Stall], take receives no text. Calls of take do not overlap.
//
// After each read of a slow stream Tail waits for gather before the next: rows that come one by one are then handed on
// together, later by gather at most. To be woken costs as much as to work on a row.
func Tail(ctx context.Context, in io.Reader, grows bool, gather time.Duration, taker Taker) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &tailed{taker: taker, take: func(text []byte, final bool) error { return taker.Take(ctx, text, final) },
		last: time.Now(), handed: true, more: make(chan struct{}, 1), ended: make(chan error, 1)}
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
			return taker.Take(context.WithoutCancel(ctx), nil, true)
		}
	}
}

// tailed is the text that has come and is not handed on yet.
type tailed struct {
	taker Taker
	take  func(text []byte, final bool) error
	more  chan struct{} // holds one where the reader left lines to [Tail]
	ended chan error    // of the end

	gathering sync.Mutex
	text      []byte
	whole     int       // bytes of text up to its last line end
	last      time.Time // when text came

	working sync.Mutex // held while take runs
	over    bool       // take must not be called again
	handed  bool       // lines have been handed on since the last stall
}

// add takes in what was read.
func (t *tailed) add(block []byte) {
	for len(block) > 0 {
		end := bytes.LastIndexByte(block, '\n') + 1
		if end == 0 {
			// The line goes on: no more of it than MaxLine.
			t.text = append(t.text, block[:min(len(block), max(0, MaxLine-(len(t.text)-t.whole)))]...)
			return
		}
		first := bytes.IndexByte(block, '\n')
		t.text = append(t.text, block[:min(first, max(0, MaxLine-(len(t.text)-t.whole)))]...)
		t.text = append(t.text, block[first:end]...)
		t.whole, block = len(t.text), block[end:]
	}
}

// read reads to the end. Where it keeps up it hands the lines on itself: to wake another goroutine for each row costs as much as to work on it.
func (t *tailed) read(ctx context.Context, in io.Reader, grows bool, gather time.Duration) {
	block := make([]byte, 1<<16)
	for ctx.Err() == nil {
		n, err := in.Read(block)
		if n > 0 {
			t.gathering.Lock()
			t.add(block[:n])
			t.last = time.Now()
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
		case errors.Is(err, errAnother):
			t.another()
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

// another hands on the end of a file, and says that another begins.
func (t *tailed) another() {
	t.working.Lock()
	defer t.working.Unlock()
	t.gathering.Lock()
	if t.whole < len(t.text) {
		t.text = append(t.text, '\n')
		t.whole = len(t.text)
	}
	t.gathering.Unlock()
	t.lines()
	if !t.over {
		t.taker.Again()
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
	lines := t.text[:t.whole]
	if t.whole > 0 {
		t.text, t.whole = bytes.Clone(t.text[t.whole:]), 0
	}
	t.gathering.Unlock()
	if len(lines) == 0 || t.over {
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
