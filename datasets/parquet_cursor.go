package datasets

import (
	"fmt"

	"ident/internal/parquet"
)

// parquetCursor reads the row groups in order, with one chunk reader a column.
type parquetCursor struct {
	s      *parquetSource
	cols   []int
	group  int // row group that is open, or to be opened next
	skip   int // rows of it to skip first
	left   int // unread rows of the open group
	opened bool
	chunks []*parquet.ChunkReader // of the columns in the open group
	lists  *lists                 // nil where none is read
}

func (c *parquetCursor) close() error { return nil }

func (c *parquetCursor) read(dst [][]float64) error {
	n := len(dst[0])
	for done := 0; done < n; {
		for c.left == 0 {
			if err := c.nextGroup(); err != nil {
				return err
			}
		}
		m := min(n-done, c.left)
		if c.lists != nil {
			m = min(m, blockRows)
			c.lists.next(m)
		}
		for i := range c.chunks {
			if err := c.column(i, dst[i][done:done+m]); err != nil {
				return err
			}
		}
		done += m
		c.left -= m
	}
	return nil
}

// column reads the next rows of one column of the open group, in SI.
func (c *parquetCursor) column(i int, dst []float64) error {
	col := &c.s.columns[c.cols[i]]
	if err := guard(func() error {
		if col.width > 0 {
			return c.lists.entry(dst, col)
		}
		return c.chunks[i].Read(dst)
	}); err != nil {
		return c.s.locate(c.group+1, col.name, err)
	}
	col.conv.apply(dst)
	return nil
}

func (c *parquetCursor) nextGroup() error {
	if c.opened {
		c.group++
	}
	if c.group+1 >= len(c.s.groups) {
		return c.s.locate(0, "", fmt.Errorf("%w: fewer rows than announced", ErrDamaged))
	}
	c.opened = true
	if c.chunks == nil {
		c.chunks = make([]*parquet.ChunkReader, len(c.cols))
	}
	for i, k := range c.cols {
		col := &c.s.columns[k]
		if col.width > 0 {
			if c.lists.readers[col.index] == nil || !c.lists.readers[col.index].opened(c.group) {
				if err := c.lists.open(c.group, col); err != nil {
					return c.s.locate(c.group+1, col.name, err)
				}
			}
			continue
		}
		r, err := c.s.file.Chunk(c.group, col.index)
		if err != nil {
			return c.s.locate(c.group+1, col.name, err)
		}
		r.Origin = col.origin
		r.Reuse(c.chunks[i])
		c.chunks[i] = r
		if err := c.pass(i, c.skip); err != nil {
			return err
		}
	}
	if err := c.passLists(c.skip); err != nil {
		return err
	}
	c.left = c.s.groups[c.group+1] - c.s.groups[c.group] - c.skip
	c.skip = 0
	return nil
}

// pass reads n rows of a column and forgets them.
func (c *parquetCursor) pass(i, n int) error {
	scratch := make([]float64, min(n, DefaultBatch))
	for n > 0 {
		m := min(n, len(scratch))
		if err := c.column(i, scratch[:m]); err != nil {
			return err
		}
		n -= m
	}
	return nil
}

// passLists reads n rows of the columns of lists and forgets them.
func (c *parquetCursor) passLists(n int) error {
	if c.lists == nil {
		return nil
	}
	scratch := make([]float64, min(n, blockRows))
	for n > 0 {
		m := min(n, blockRows)
		c.lists.next(m)
		for i, k := range c.cols {
			if c.s.columns[k].width == 0 {
				continue
			}
			if err := c.column(i, scratch[:m]); err != nil {
				return err
			}
		}
		n -= m
	}
	return nil
}
