package pipe

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"
)

// tick is how often a growing file is looked at.
const tick = 20 * time.Millisecond

// maxText is how much text is gathered at most.
const maxText = 4 << 20

// gather is how long rows gather behind one that was read: to wake for each of a thousand rows a second costs more than to work on them.
const gather = 4 * time.Millisecond

// Stall is how long a stream may send nothing before Tail says so.
const Stall = time.Second

// Tail hands on the text of a reader in pieces that end with a line, the last
// excepted, as it comes: each piece is all that is there. A growing file ends when ctx is cancelled; that is not an error.
// Once a reader sends nothing for [Stall], take receives no text.
func Tail(ctx context.Context, in io.Reader, grows bool, take func(text []byte, final bool) error) error {
	blocks := make(chan []byte, maxText>>16)
	failed := make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer close(blocks)
		block := make([]byte, 1<<16)
		for {
			n, err := in.Read(block)
			if n > 0 {
				select {
				case blocks <- bytes.Clone(block[:n]):
				case <-ctx.Done():
					return
				}
				if n < len(block) && err == nil {
					time.Sleep(gather)
				}
			}
			switch {
			case err == io.EOF && grows:
				select {
				case <-time.After(tick):
				case <-ctx.Done():
					return
				}
			case err == io.EOF:
				return
			case err != nil:
				failed <- err
				return
			}
		}
	}()
	var text []byte
	handed := false
	lines := func() error {
		end := bytes.LastIndexByte(text, '\n') + 1
		if end == 0 {
			return nil
		}
		err := take(text[:end], false)
		text = append([]byte(nil), text[end:]...)
		return err
	}
	for {
		var stalled <-chan time.Time
		if handed {
			stalled = time.After(Stall)
		}
		select {
		case <-stalled:
			handed = false
			if err := take(nil, false); err != nil {
				return err
			}
		case block, ok := <-blocks:
			if !ok {
				select {
				case err := <-failed:
					return fmt.Errorf("reading the log: %w", err)
				default:
				}
				return take(text, true)
			}
			text = append(text, block...)
			if len(blocks) > 0 && len(text) < maxText {
				continue
			}
			handed = true
			if err := lines(); err != nil {
				return err
			}
		case <-ctx.Done():
			return take(nil, true)
		}
	}
}
