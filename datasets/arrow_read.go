package datasets

import (
	"errors"
	"fmt"
	"slices"

	"ident/internal/arrow"
)

// arrowSource reads Arrow IPC files and streams, one record batch at a time.
type arrowSource struct {
	path    string
	f       readerAtCloser
	file    *arrow.File
	starts  []int // first row of each batch, and the number of all rows
	columns []arrowColumn
}

type arrowColumn struct {
	index  int // in the file's schema
	name   string
	conv   conversion
	stamp  bool // time stamps, counted from origin
	origin int64
}

// openArrow describes a file or stream and takes it over.
func openArrow(path string, f readerAtCloser, size int64, opt Options) (table, error) {
	s := &arrowSource{path: path, f: f}
	return described(path, f, func() (table, error) { return s.describe(size, opt) })
}

// locate adds the place to an error, and its kind.
func (s *arrowSource) locate(batch int, column string, err error) error {
	var damage arrow.Damage
	var cut arrow.Truncation
	var foreign arrow.Foreign
	switch {
	case errors.As(err, &damage):
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	case errors.As(err, &cut):
		err = fmt.Errorf("%w: %w", ErrTruncated, err)
	case errors.As(err, &foreign):
		err = fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return located(s.path, batch, column, err)
}

func (s *arrowSource) describe(size int64, opt Options) (t table, err error) {
	if s.file, err = arrow.Open(s.f, size, mostDecoded(size)); err != nil {
		return table{}, s.locate(0, "", err)
	}
	rows := 0
	s.starts = []int{0}
	for _, n := range s.file.Rows {
		rows += int(n)
		s.starts = append(s.starts, rows)
	}
	if most := mostRows(size); int64(rows) > most {
		return table{}, fmt.Errorf("%w: %d rows in a file of %d bytes", ErrDamaged, rows, size)
	}
	t = table{meta: map[string]string{}, rows: rows, src: s}
	for _, kv := range s.file.Meta {
		t.meta[kv.Key] = kv.Value
	}
	var headers, units []string
	for i, c := range s.file.Columns {
		if c.Kind == arrow.Other {
			t.notes = append(t.notes, Note{Channel: c.Name, Text: "skipped: values of type " + c.Type + " are no numbers"})
			continue
		}
		s.columns = append(s.columns, arrowColumn{index: i, stamp: c.Kind == arrow.Timestamp})
		unit := c.Unit
		if at := slices.IndexFunc(c.Meta, func(kv arrow.KeyValue) bool { return kv.Key == "unit" }); at >= 0 && unit == "" {
			unit = c.Meta[at].Value
		}
		headers, units = append(headers, c.Name), append(units, unit)
	}
	var convs []conversion
	if t.channels, convs, err = declareAll(s.path, headers, units, t.meta, opt); err != nil {
		return table{}, err
	}
	for i := range s.columns {
		c := &s.columns[i]
		c.name, c.conv = t.channels[i].Name, convs[i]
		if c.stamp { // the type determines the unit, over any declaration
			c.conv, _ = conversionOf(s.file.Columns[c.index].Unit)
		}
	}
	return t, s.findOrigins()
}

// findOrigins reads the first value of each column of time stamps, the origin of its seconds.
func (s *arrowSource) findOrigins() error {
	var missing []int
	for i, c := range s.columns {
		if c.stamp {
			missing = append(missing, i)
		}
	}
	for n := 0; n < len(s.file.Rows) && len(missing) > 0; n++ {
		b, err := s.file.Batch(n)
		if err != nil {
			return s.locate(n+1, "", err)
		}
		var left []int
		for _, i := range missing {
			c := &s.columns[i]
			v, err := b.Column(c.index)
			found := false
			if err == nil {
				c.origin, found, err = v.First()
			}
			if err != nil {
				return s.locate(n+1, c.name, err)
			}
			if !found {
				left = append(left, i)
			}
		}
		missing = left
	}
	return nil
}

func (s *arrowSource) close() error { return closed(s.f.Close()) }

func (s *arrowSource) open(cols []int, first int) (cursor, error) {
	c := &arrowCursor{s: s, cols: slices.Clone(cols)}
	for c.batch+1 < len(s.file.Rows) && s.starts[c.batch+1] <= first {
		c.batch++
	}
	c.skip = first - s.starts[c.batch]
	return c, nil
}

// arrowCursor reads the record batches in order.
type arrowCursor struct {
	s      *arrowSource
	cols   []int
	batch  int // batches opened or skipped so far
	skip   int // rows to skip in the next batch
	values []*arrow.Values
	at     int // row of the open batch
	rows   int // of it
}

func (c *arrowCursor) close() error { return nil }

// nextBatch finds the columns of the next record batch.
func (c *arrowCursor) nextBatch() error {
	s := c.s
	if c.batch >= len(s.file.Rows) {
		return s.locate(0, "", fmt.Errorf("%w: fewer rows than announced", ErrDamaged))
	}
	b, err := s.file.Batch(c.batch)
	c.batch++
	if err != nil {
		return s.locate(c.batch, "", err)
	}
	c.values = c.values[:0]
	for _, k := range c.cols {
		col := &s.columns[k]
		v, err := b.Column(col.index)
		if err != nil {
			return s.locate(c.batch, col.name, err)
		}
		v.Origin = col.origin
		c.values = append(c.values, v)
	}
	c.rows = int(s.file.Rows[c.batch-1])
	c.at, c.skip = c.skip, 0
	return nil
}

func (c *arrowCursor) read(dst [][]float64) error {
	n := len(dst[0])
	for done := 0; done < n; {
		for c.at >= c.rows {
			if err := c.nextBatch(); err != nil {
				return err
			}
		}
		m := min(n-done, c.rows-c.at)
		for i, k := range c.cols {
			d := dst[i][done : done+m]
			if err := c.values[i].Read(d, c.at); err != nil {
				return c.s.locate(c.batch, c.s.columns[k].name, err)
			}
			c.s.columns[k].conv.apply(d)
		}
		done += m
		c.at += m
	}
	return nil
}
