package datasets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// spool stores the rows of a decoded text file or recording as blocks of columns, in memory up to a limit
// and in a temporary file beyond. Block b has column c at [(b·ncols + c)·block, +block); the last block may
// be partly filled.
type spool struct {
	ncols, block int
	rows         int
	convs        []conversion
	room         *int64 // memory left, bytes, shared with other spools of the log
	dir          string

	cur    []float64 // current block
	fill   int       // rows of cur
	blocks [][]float64

	file    *tempFile
	written int // blocks in the file
	bytes   []byte
}

// newSpool makes a spool of columns for a text of a size in bytes, 0 where it is unknown. Several spools may share room, which is
// Options.room.
func newSpool(convs []conversion, size int64, room *int64, dir string) *spool {
	const target = 1 << 17 // values in a block: 1 MiB
	n := len(convs)
	s := &spool{ncols: n, convs: convs, room: room, dir: dir}
	s.block = min(max(target/max(n, 1), 64), 8192)
	if size > 0 { // a value takes a byte at least, its separator
		s.block = int(min(int64(s.block), size/int64(max(n, 1))+1))
	}
	s.cur = make([]float64, n*s.block)
	return s
}

// room returns the memory for a log's values, bytes.
func (o Options) room() *int64 {
	room := o.MemoryLimit
	if room == 0 {
		room = 256 << 20
	}
	return &room
}

// advance ends the row at s.fill of every column of s.cur.
func (s *spool) advance() error {
	s.fill++
	s.rows++
	if s.fill < s.block {
		return nil
	}
	return s.flush(true)
}

// append adds rows, given as columns.
func (s *spool) append(cols [][]float64) error {
	if len(cols) == 0 {
		return nil
	}
	for at, n := 0, len(cols[0]); at < n; {
		m := min(n-at, s.block-s.fill)
		for i, c := range cols {
			copy(s.cur[i*s.block+s.fill:], c[at:at+m])
		}
		at += m
		s.fill += m
		s.rows += m
		if s.fill == s.block {
			if err := s.flush(true); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush ends a block, and begins another where there are more rows.
func (s *spool) flush(more bool) error {
	for c, conv := range s.convs {
		conv.apply(s.cur[c*s.block:][:s.fill])
	}
	s.fill = 0
	if *s.room -= int64(len(s.cur)) * 8; s.file == nil && *s.room >= 0 {
		s.blocks = append(s.blocks, s.cur)
		if more {
			s.cur = make([]float64, len(s.cur))
		}
		return nil
	}
	if s.file == nil {
		var err error
		if s.file, err = newTempFile(s.dir); err != nil {
			return err
		}
		for _, b := range s.blocks {
			if err := s.write(b); err != nil {
				return err
			}
		}
		s.blocks = nil
	}
	return s.write(s.cur)
}

func (s *spool) write(b []float64) error {
	s.bytes = s.bytes[:0]
	for _, v := range b {
		s.bytes = binary.LittleEndian.AppendUint64(s.bytes, math.Float64bits(v))
	}
	if _, err := s.file.f.WriteAt(s.bytes, int64(s.written)*int64(len(b))*8); err != nil {
		return fmt.Errorf("writing the temporary file of a log larger than the memory limit: %w", err)
	}
	s.written++
	return nil
}

// finish ends the writing; the spool is then the source of its rows.
func (s *spool) finish() (source, error) {
	if s.fill == s.rows {
		s.shrink()
	}
	if s.fill > 0 {
		if err := s.flush(false); err != nil {
			return nil, errors.Join(err, s.close())
		}
	}
	s.cur, s.bytes = nil, nil
	return s, nil
}

// shrink gives a short log, whose rows fill no block, a block of its own size: of a thousand of them the rest
// would be a gigabyte.
func (s *spool) shrink() {
	small := make([]float64, s.ncols*s.fill)
	for c := range s.ncols {
		copy(small[c*s.fill:], s.cur[c*s.block:][:s.fill])
	}
	s.cur, s.block = small, s.fill
}

func (s *spool) close() error { return s.file.close() }

func (s *spool) open(cols []int, first int) (cursor, error) {
	return &spoolCursor{s: s, cols: slices.Clone(cols), at: first}, nil
}

type spoolCursor struct {
	s     *spool
	cols  []int
	at    int
	bytes []byte
}

func (c *spoolCursor) close() error { return nil }

func (c *spoolCursor) read(dst [][]float64) error {
	s, n := c.s, len(dst[0])
	for done := 0; done < n; {
		b, r := c.at/s.block, c.at%s.block
		m := min(n-done, s.block-r)
		for i, col := range c.cols {
			d := dst[i][done : done+m]
			if s.file == nil {
				copy(d, s.blocks[b][col*s.block+r:])
				continue
			}
			c.bytes = slices.Grow(c.bytes[:0], m*8)[:m*8]
			if _, err := s.file.f.ReadAt(c.bytes, ((int64(b)*int64(s.ncols)+int64(col))*int64(s.block)+int64(r))*8); err != nil {
				return fmt.Errorf("reading the temporary file of a log: %w", err)
			}
			for k := range d {
				d[k] = math.Float64frombits(binary.LittleEndian.Uint64(c.bytes[8*k:]))
			}
		}
		c.at += m
		done += m
	}
	return nil
}
