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
const maxText = 16 << 20

// gather is the least time from piece to piece, a row at 250 Hz: to open a piece takes as long as to work on five rows of seven joints.
const gather = 4 * time.Millisecond

// Tail hands on the text of a reader in pieces that end with a line, the last
// excepted, as it comes: each piece is all that is there. A growing file ends when ctx is cancelled; that is not an error.
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
	var handed time.Time
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
		select {
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
			if wait := gather - time.Since(handed); wait > 0 && len(text) < maxText {
				time.Sleep(wait)
			}
			if len(blocks) > 0 && len(text) < maxText {
				continue
			}
			handed = time.Now()
			if err := lines(); err != nil {
				return err
			}
		case <-ctx.Done():
			return take(nil, true)
		}
	}
}
