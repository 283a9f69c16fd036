package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// A file is not trusted, and a few bytes can claim to expand to any number. Three bounds keep the cost of a
// reader in proportion to the size of its file. They are generous enough for the most regular of real logs:
// a constant column compresses by thousands, hence the floors.

// maxDecoded returns the largest decoded size, in bytes, of one piece (a page, a buffer, a chunk) of a
// compressed file of size bytes. It bounds a reader's memory.
func maxDecoded(size int64) int {
	const floor, ratio, ceiling = 64 << 20, 256, 1 << 30
	return int(max(floor, min(ceiling, ratio*min(size, ceiling))))
}

// maxExpanded returns the largest expanded size, in bytes, of a whole compressed file of size bytes. Such bytes
// pass through memory in pieces, and to a temporary file beyond Options.MemoryLimit. The text of a log in
// which nothing but the clock moves compresses by about 30, hence the ratio.
func maxExpanded(size int64) int64 {
	const floor, ratio = 256 << 20, 256
	return max(floor, ratio*min(size, 1<<40))
}

// maxRows returns the largest number of rows of a file of size bytes: run lengths encode any number of rows in
// a few bytes, and reading 10¹² of them would not end.
func maxRows(size int64) int64 {
	const floor, ratio = 1 << 27, 1 << 10
	return max(floor, ratio*min(size, 1<<40))
}

// maxChannels is the largest number of channels of a log. Each has buffers of its own, and no robot has as
// many signals.
const maxChannels = 20_000

// checkChannels refuses more channels than a log can have.
func checkChannels(n int) error {
	if n > maxChannels {
		return fmt.Errorf("%w: it has %d channels, a log at most %d; leave out those that are not needed", ErrFormat, n, maxChannels)
	}
	return nil
}

// maxText is the longest text, in bytes, of one piece of metadata, well above the size of a robot file.
const maxText = 64 << 20

// bounded limits the output of a decompressor: an error replaces the bytes beyond. Errors of the
// decompressor count as damage to the file; errors of the system pass unchanged.
type bounded struct {
	r     io.Reader
	kind  string // "gzip"
	left  int64
	limit int64
}

func newBounded(r io.Reader, kind string, limit int64) *bounded {
	return &bounded{r: r, kind: kind, left: limit, limit: limit}
}

// Read returns an error that wraps ErrDamaged if the reader has given more than the limit; a library that panics on damaged input gives an error, too.
func (b *bounded) Read(p []byte) (n int, err error) {
	err = guard(func() (err error) { n, err = b.r.Read(p); return err })
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("%w: it expands to more than %d MiB, out of all proportion to its size; if the file is genuine, decompress it first", ErrDamaged, b.limit>>20)
	}
	return n, b.explain(err)
}

func (b *bounded) explain(err error) error {
	var system *fs.PathError
	switch {
	case err == nil, err == io.EOF, errors.As(err, &system), errors.Is(err, ErrDamaged), errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: the %s stream is cut off before its end", ErrTruncated, b.kind)
	}
	return fmt.Errorf("%w: %s: %w", ErrDamaged, b.kind, err)
}
