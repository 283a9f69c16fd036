package datasets

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// arraySource reads logs stored as arrays of one or several channels each: .npy, .npz and .mat. Uncompressed
// arrays are read in place, row by row; compressed ones were expanded when the log was opened.
type arraySource struct {
	path    string
	f       readerAtCloser
	files   []*tempFile
	rows    int
	blocks  []rowBlock
	columns []arrayColumn
}

// rowBlock is a run of rows of equal size.
type rowBlock struct {
	r        io.ReaderAt
	base     int64
	rowBytes int64
}

// arrayColumn is a channel: one number of each row of a block.
type arrayColumn struct {
	block  int
	offset int
	num    numberType
	name   string
	conv   conversion
	stamp  bool // time stamps, counted from origin; the least integer is a missing value
	origin int64
}

// arraysBy returns what describes a file of arrays and takes it over.
func arraysBy(read func(s *arraySource, size int64, opt Options) ([]ndarray, error)) func(string, readerAtCloser, int64, Options) (table, error) {
	return func(path string, f readerAtCloser, size int64, opt Options) (table, error) {
		s := &arraySource{path: path, f: f}
		return described(path, sourceCloser{s}, func() (table, error) {
			arrays, err := read(s, size, opt)
			if err != nil {
				return table{}, err
			}
			return s.describe(arrays, opt)
		})
	}
}

// sourceCloser closes a source.
type sourceCloser struct{ source }

// Close closes what the array was read from.
func (c sourceCloser) Close() error { return c.close() }

func (s *arraySource) locate(column string, err error) error { return located(s.path, 0, column, err) }

func (s *arraySource) describe(arrays []ndarray, opt Options) (table, error) {
	l, err := layOut(arrays, s, opt.Env)
	if err != nil {
		return table{}, err
	}
	if err := l.rename(opt.Columns); err != nil {
		return table{}, err
	}
	t := table{meta: l.meta, notes: l.notes, rows: s.rows, src: s}
	var convs []conversion
	if t.channels, convs, err = declare(s.path, l.headers, l.units, opt); err != nil {
		return table{}, err
	}
	for i := range s.columns {
		c := &s.columns[i]
		c.name, c.conv = t.channels[i].Name, convs[i]
		if c.stamp {
			c.conv, _ = conversionOf(l.units[i]) // the type determines the unit, over any declaration
			if err := s.findOrigin(c); err != nil {
				return table{}, s.locate(c.name, err)
			}
		}
	}
	return t, nil
}

// findOrigin reads the first value of a column of time stamps.
func (s *arraySource) findOrigin(c *arrayColumn) error {
	b := s.blocks[c.block]
	buf := make([]byte, c.num.size)
	for row := range s.rows {
		if err := readFull(b.r, buf, b.base+int64(row)*b.rowBytes+int64(c.offset)); err != nil {
			return err
		}
		if u := c.num.bits(buf); u != noTime {
			c.origin = int64(u)
			return nil
		}
	}
	return nil
}

// noTime is NumPy's NaT, a missing time.
const noTime = 1 << 63

// readFull reads len(b) bytes from byte at on; the end of the file is ErrTruncated.
func readFull(r io.ReaderAt, b []byte, at int64) error {
	if n, err := r.ReadAt(b, at); n < len(b) {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("%w: %d bytes at byte %d where %d are wanted", ErrTruncated, n, at, len(b))
		}
		return err
	}
	return nil
}

func (s *arraySource) close() error {
	err := closed(s.f.Close())
	for _, f := range s.files {
		err = errors.Join(err, f.close())
	}
	return err
}

func (s *arraySource) open(cols []int, first int) (cursor, error) {
	c := &arrayCursor{s: s, at: first}
	for i, k := range cols {
		block := s.columns[k].block
		g := slices.IndexFunc(c.groups, func(g blockColumns) bool { return g.block == block })
		if g < 0 {
			g = len(c.groups)
			c.groups = append(c.groups, blockColumns{block: block})
		}
		c.groups[g].dst, c.groups[g].cols = append(c.groups[g].dst, i), append(c.groups[g].cols, k)
	}
	return c, nil
}

// arrayCursor reads each block once for all of its columns.
type arrayCursor struct {
	s      *arraySource
	at     int
	groups []blockColumns
	buf    []byte
}

type blockColumns struct {
	block     int
	dst, cols []int
}

func (c *arrayCursor) close() error { return nil }

func (c *arrayCursor) read(dst [][]float64) error {
	const piece = 1 << 20 // bytes
	n := len(dst[0])
	for _, g := range c.groups {
		b := c.s.blocks[g.block]
		step := int(max(1, piece/max(b.rowBytes, 1)))
		for done := 0; done < n; done += step {
			m := min(step, n-done)
			c.buf = grown(c.buf, m*int(b.rowBytes))
			if err := readFull(b.r, c.buf, b.base+int64(c.at+done)*b.rowBytes); err != nil {
				return c.s.locate(c.s.columns[g.cols[0]].name, fmt.Errorf("at row %d: %w", c.at+done+1, err))
			}
			for i, k := range g.cols {
				c.s.columns[k].values(dst[g.dst[i]][done:done+m], c.buf, int(b.rowBytes))
			}
		}
	}
	c.at += n
	return nil
}

// values decodes a column of rows.
func (col *arrayColumn) values(d []float64, rows []byte, rowBytes int) {
	if !col.stamp {
		col.num.decode(d, rows[col.offset:], rowBytes)
		col.conv.apply(d)
		return
	}
	for i := range d {
		u := col.num.bits(rows[i*rowBytes+col.offset:])
		if d[i] = float64(int64(u) - col.origin); u == noTime {
			d[i] = math.NaN()
		}
	}
	col.conv.apply(d)
}

// grown returns a slice of length n, s itself if it is long enough.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
