package datasets

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"ident/internal/textfile"
)

// OpenContext is Open for a caller that may give up: once ctx is done, the opening of the log and every later
// reading of its rows end with the error of ctx, at the next block of the file or of rows.
func OpenContext(ctx context.Context, path string, opt Options) (*Log, error) {
	opt.ctx = ctx
	l, err := Open(path, opt)
	if gone := ctx.Err(); gone != nil {
		if err == nil {
			l.Close()
		}
		return nil, gone
	}
	if err != nil {
		return nil, err
	}
	l.ctx = ctx
	return l, nil
}

// live returns the error of the context that the log was opened with.
func (t *table) live() error {
	if t.ctx == nil {
		return nil
	}
	return t.ctx.Err()
}

// readableFile is a file with both ways to read.
type readableFile interface {
	io.Reader
	readerAtCloser
}

// liveFile is a file that is read as long as its context lasts.
type liveFile struct {
	*os.File
	ctx  context.Context
	stop func() bool // of the deadline of a pipe
}

// Read reads from the file. It returns the error of the context once that has ended.
func (f liveFile) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}

// ReadAt reads from the file at an offset. It returns the error of the context once that has ended.
func (f liveFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p, off)
}

// Close closes the file and ends the watch over its context.
func (f liveFile) Close() error {
	f.stop()
	return f.File.Close()
}

// opened opens a file of a format and returns its size. A stream is refused unless the format is text, which alone is read
// from front to back. The end of the context also ends a read that waits for the writer of a pipe.
func (o Options) opened(path string, of format) (readableFile, int64, error) {
	if !of.text() {
		if err := textfile.Regular(path); errors.Is(err, textfile.ErrNotRegular) {
			return nil, 0, &FileError{Path: path, Err: err}
		}
	}
	f, size, err := openSized(path)
	if err != nil || o.ctx == nil {
		return f, size, err
	}
	live := liveFile{f, o.ctx, func() bool { return false }}
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		live.stop = context.AfterFunc(o.ctx, func() { f.SetReadDeadline(time.Unix(1, 0)) })
	}
	return live, size, nil
}
