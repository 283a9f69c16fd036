package datasets

import (
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/parquet/file"
)

// parquetCursor reads the row groups in order, with one chunk reader a column.
type parquetCursor struct {
	s      *parquetSource
	cols   []int
	group  int // row group that is open, or to be opened next
	skip   int // rows of it to skip first
	left   int // unread rows of the open group
	opened bool
	r      *file.Reader
	chunks []*chunkReader
}

func (c *parquetCursor) close() error {
	return guard(func() error {
		for _, k := range c.chunks {
			k.r.Close()
		}
		c.chunks = nil
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
		for i, k := range c.chunks {
			if err := guard(func() error { return k.read(dst[i][done : done+m]) }); err != nil {
				return c.s.locate(c.group+1, k.col.name, err)
			}
		}
		done += m
		c.left -= m
	}
	return nil
}

func (c *parquetCursor) nextGroup() error {
	if c.opened {
		c.group++
		if err := c.close(); err != nil {
			return c.s.locate(c.group, "", err)
		}
	}
	if c.group+1 >= len(c.s.groups) {
		return c.s.locate(0, "", fmt.Errorf("%w: fewer rows than announced", ErrDamaged))
	}
	c.opened = true
	err := guard(func() error {
		var err error
		if c.r == nil {
			if c.r, err = c.s.reader(); err != nil {
				return err
			}
		}
		rg := c.r.RowGroup(c.group)
		for _, i := range c.cols {
			col := c.s.columns[i]
			k := &chunkReader{col: col}
			err := guard(func() (err error) {
				if k.r, err = rg.Column(col.index); err != nil {
					return fmt.Errorf("%w: %w", ErrDamaged, err)
				}
				c.chunks = append(c.chunks, k)
				return k.skip(c.skip)
			})
			if err != nil {
				return c.s.locate(c.group+1, col.name, err)
			}
		}
		return nil
	})
	if err != nil {
		return c.s.locate(c.group+1, "", err)
	}
	c.left = c.s.groups[c.group+1] - c.s.groups[c.group] - c.skip
	c.skip = 0
	return nil
}

// chunkReader decodes one column of one row group to float64.
type chunkReader struct {
	col    parquetColumn
	r      file.ColumnChunkReader
	levels []int16 // 1 where there is a value, nil in a column without nulls
	f32    []float32
	i32    []int32
	i64    []int64
	bits   []bool
}

// skip reads and discards n rows: the library's own Skip never returns from some damaged pages.
func (k *chunkReader) skip(n int) error {
	if n == 0 {
		return nil
	}
	scratch := make([]float64, min(n, DefaultBatch))
	for n > 0 {
		m := min(n, len(scratch))
		if err := k.read(scratch[:m]); err != nil {
			return err
		}
		n -= m
	}
	return nil
}

// read fills dst.
func (k *chunkReader) read(dst []float64) error {
	nullable := k.r.Descriptor().MaxDefinitionLevel() > 0
	for done := 0; done < len(dst); {
		d := dst[done:]
		var levels []int16
		if nullable {
			k.levels = grown(k.levels, len(d))
			levels = k.levels
		}
		total, values, err := k.batch(d, levels)
		if err == nil && (total == 0 || total > int64(len(d)) || values > int(total) || !nullable && values != int(total)) {
			if err = k.r.Err(); err == nil {
				err = fmt.Errorf("%d values missing", len(d))
			}
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if nullable {
			if err := spread(d[:total], values, levels[:total]); err != nil {
				return err
			}
		}
		done += int(total)
	}
	return nil
}

// batch reads up to len(d) rows of one page, the values to the front of d, without gaps for nulls. (Over
// several pages, the library would never return from a damaged one.)
func (k *chunkReader) batch(d []float64, levels []int16) (total int64, values int, err error) {
	n := int64(len(d))
	switch r := k.r.(type) {
	case *file.Float64ColumnChunkReader:
		total, values, err = r.ReadBatchInPage(n, d, levels, nil)
	case *file.Float32ColumnChunkReader:
		k.f32 = grown(k.f32, len(d))
		total, values, err = r.ReadBatchInPage(n, k.f32, levels, nil)
		widen(d, k.f32[:min(values, len(d))])
	case *file.Int32ColumnChunkReader:
		k.i32 = grown(k.i32, len(d))
		total, values, err = r.ReadBatchInPage(n, k.i32, levels, nil)
		if !k.col.signed {
			for i, v := range k.i32[:min(values, len(d))] {
				d[i] = float64(uint32(v))
			}
			break
		}
		widen(d, k.i32[:min(values, len(d))])
	case *file.Int64ColumnChunkReader:
		k.i64 = grown(k.i64, len(d))
		total, values, err = r.ReadBatchInPage(n, k.i64, levels, nil)
		vs := k.i64[:min(values, len(d))]
		switch {
		case k.col.stamp:
			for i, v := range vs {
				d[i] = float64(v - k.col.origin)
			}
		case !k.col.signed:
			for i, v := range vs {
				d[i] = float64(uint64(v))
			}
		default:
			widen(d, vs)
		}
	case *file.BooleanColumnChunkReader:
		k.bits = grown(k.bits, len(d))
		total, values, err = r.ReadBatchInPage(n, k.bits, levels, nil)
		for i, v := range k.bits[:min(values, len(d))] {
			d[i] = 0
			if v {
				d[i] = 1
			}
		}
	default:
		return 0, 0, fmt.Errorf("no reader for values of type %v", k.r.Type())
	}
	k.col.conv.apply(d[:min(values, len(d))])
	return total, values, err
}

// spread moves the values to their rows, last first, and sets the others to NaN.
func spread(d []float64, values int, levels []int16) error {
	for i := len(d) - 1; i >= 0; i-- {
		switch {
		case levels[i] == 0:
			d[i] = math.NaN()
		case values == 0:
			return fmt.Errorf("%w: fewer values than the levels say", ErrDamaged)
		default:
			values--
			d[i] = d[values]
		}
	}
	if values != 0 {
		return fmt.Errorf("%w: more values than the levels say", ErrDamaged)
	}
	return nil
}

func widen[T float32 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](d []float64, s []T) {
	for i, v := range s {
		d[i] = float64(v)
	}
}

// grown returns a slice of length n, s itself if it is long enough.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
