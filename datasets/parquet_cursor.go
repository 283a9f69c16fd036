package datasets

import (
	"github.com/apache/arrow-go/v18/parquet/file"

	"ident/internal/together"
)

// parquetCursor reads the row groups in order, with one reader for each column.
type parquetCursor struct {
	s      *parquetSource
	cols   []int
	group  int // row group that is open, or to be opened next
	skip   int // rows of it to skip first
	left   int // unread rows of the open group
	opened bool
	r      *file.Reader
	chunks []*parquetChunk    // of scalar columns in the open group, nil for the others
	lists  map[int]*listBlock // of columns of lists, by the column in the file
}

// blockRows are the rows of a block where lists are read, or rows are passed over.
const blockRows = 4096

// maxPages bounds the memory in bytes that the pages of all columns that are read take at a time.
const maxPages = 1 << 30

func (c *parquetCursor) close() error {
	return guard(func() error {
		for _, k := range c.chunks {
			if k != nil {
				k.r.Close()
			}
		}
		for _, b := range c.lists {
			b.chunk.r.Close()
		}
		c.chunks, c.lists = nil, nil
		return nil
	})
}

func (c *parquetCursor) read(dst [][]float64) error {
	n := len(dst[0])
	for done := 0; done < n; {
		for c.left == 0 {
			if err := c.nextGroup(); err != nil {
				return err
			}
		}
		m := min(n-done, c.left)
		if len(c.lists) > 0 {
			m = min(m, blockRows)
		}
		if err := c.rows(m, func(i int) []float64 { return dst[i][done : done+m] }); err != nil {
			return err
		}
		done += m
	}
	return nil
}

// rows reads the next n rows of the open group, in SI, to the memory of each column. Scalar columns are decoded at once on all cores.
func (c *parquetCursor) rows(n int, to func(i int) []float64) error {
	for _, b := range c.lists {
		b.fresh = false
	}
	errs := make([]error, len(c.cols))
	column := func(i int) { errs[i] = c.column(i, to(i)) }
	if len(c.lists) > 0 || c.skip > 0 || n*len(c.cols) < manyValues { // rows to skip have one memory
		for i := range c.cols {
			column(i)
		}
	} else {
		together.Do(len(c.cols), column)
	}
	for _, err := range errs {
		if err != nil {
			return err // of the first column, whichever was first in time
		}
	}
	c.left -= n
	return nil
}

// manyValues are worth a goroutine: to decode them takes a hundred times as long as to start one.
const manyValues = 1 << 14

// column reads the next rows of column i in SI.
func (c *parquetCursor) column(i int, dst []float64) error {
	col := &c.s.columns[c.cols[i]]
	if err := guard(func() error {
		if col.width > 0 {
			return c.lists[col.index].entry(dst, col)
		}
		return c.chunks[i].read(dst)
	}); err != nil {
		return c.s.locate(c.group+1, col.name, err)
	}
	col.conv.apply(dst)
	return nil
}

func (c *parquetCursor) nextGroup() error {
	if err := c.close(); err != nil {
		return c.s.locate(c.group+1, "", err)
	}
	if c.opened {
		c.group++
	}
	if c.group+1 >= len(c.s.groups) {
		return c.s.locate(0, "", damage("fewer rows than announced"))
	}
	c.opened = true
	if c.r == nil {
		var err error
		if c.r, err = c.s.reader(); err != nil {
			return c.s.locate(c.group+1, "", err)
		}
	}
	if err := c.openColumns(); err != nil {
		return err
	}
	c.left = c.s.groups[c.group+1] - c.s.groups[c.group]
	scratch := make([]float64, min(c.skip, blockRows))
	for c.skip > 0 {
		// The library's own way to skip rows never returns from some damaged pages.
		m := min(c.skip, blockRows)
		if err := c.rows(m, func(int) []float64 { return scratch[:m] }); err != nil {
			return err
		}
		c.skip -= m
	}
	return nil
}

// openColumns begins the columns of the row group.
func (c *parquetCursor) openColumns() error {
	c.chunks, c.lists = make([]*parquetChunk, len(c.cols)), map[int]*listBlock{}
	memory, read := int64(0), 0
	for i, n := range c.cols {
		col := &c.s.columns[n]
		if col.width > 0 && c.lists[col.index] != nil {
			continue
		}
		err := guard(func() error {
			k, err := c.s.chunk(c.r, c.group, col)
			switch {
			case err != nil:
				return err
			case col.width > 0:
				c.lists[col.index] = newListBlock(k)
			default:
				c.chunks[i] = k
			}
			memory, read = memory+k.memory, read+1
			return nil
		})
		if err != nil {
			return c.s.locate(c.group+1, col.name, err)
		}
	}
	if memory > maxPages {
		return c.s.locate(c.group+1, "", foreign("the pages of its %d columns take %d MiB of memory at a time; read fewer channels, or write it again with pages of 1 MiB", read, memory>>20))
	}
	return nil
}
