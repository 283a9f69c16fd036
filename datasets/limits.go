package datasets

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// A file is not trusted, and a few bytes can claim to stand for any number of them. Three bounds keep
// what a reader spends in proportion to what it was given. They are generous enough for the most regular
// of real logs: a constant column compresses by thousands, which is what the floors are for.

// mostDecoded is the size in bytes up to which one piece (a page, a buffer, a chunk) of a compressed file
// of size bytes may claim to decode. It bounds what a reader holds in memory at once.
func mostDecoded(size int64) int {
	const floor, ratio, ceiling = 64 << 20, 256, 1 << 30
	return int(max(floor, min(ceiling, ratio*min(size, ceiling))))
}

// mostExpanded is the number of bytes up to which all of a compressed file of size bytes may decode. Such
// bytes go through memory in pieces, and to a temporary file beyond Options.MemoryLimit. Text of a log in
// which nothing but the clock moves compresses by about 30, hence the ratio.
func mostExpanded(size int64) int64 {
	const floor, ratio = 256 << 20, 256
	return max(floor, ratio*min(size, 1<<40))
}

// mostRows is the number of rows that a file of size bytes may announce. Run lengths make any number of
// rows out of a few bytes, and nobody waits for 10¹² of them.
func mostRows(size int64) int64 {
	const floor, ratio = 1 << 27, 1 << 10
	return max(floor, ratio*min(size, 1<<40))
}

// mostText is the longest text in bytes that is taken as one piece of metadata: a robot file with room to
// spare.
const mostText = 64 << 20

// bounded gives the bytes of a decompressor, and an error in place of those beyond its limit. What goes
// wrong within the decompressor is damage to the file; what the system says stays as it is.
type bounded struct {
	r     io.Reader
	what  string // "gzip"
	left  int64
	limit int64
}

func newBounded(r io.Reader, what string, limit int64) *bounded {
	return &bounded{r: r, what: what, left: limit, limit: limit}
}

func (b *bounded) Read(p []byte) (n int, err error) {
	err = guard(func() (err error) { n, err = b.r.Read(p); return err })
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("%w: it expands to more than %d MiB, out of all proportion to its size; if it is what it should be, decompress it first", ErrDamaged, b.limit>>20)
	}
	return n, b.explain(err)
}

func (b *bounded) explain(err error) error {
	var system *fs.PathError
	switch {
	case err == nil, err == io.EOF, errors.As(err, &system), errors.Is(err, ErrDamaged):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: the %s stream has no end", ErrTruncated, b.what)
	}
	return fmt.Errorf("%w: %s: %w", ErrDamaged, b.what, err)
}
