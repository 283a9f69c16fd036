package datasets

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrowSource reads Arrow IPC files and streams, one record batch at a time.
type arrowSource struct {
	path    string
	f       readerAtCloser
	head    []arrowMessage // the schema and the dictionaries of text columns
	batches []arrowMessage
	starts  []int // first row of each batch, and the number of all rows
	columns []arrowColumn
	limit   int // of one buffer in memory
}

type arrowColumn struct {
	index  int
	name   string
	conv   conversion
	stamp  bool
	origin int64
}

// openArrow describes a file or stream and takes it over.
func openArrow(path string, f readerAtCloser, size int64, opt Options) (table, error) {
	s := &arrowSource{path: path, f: f}
	return described(path, f, func() (table, error) { return s.describe(size, opt) })
}

func (s *arrowSource) locate(batch int, column string, err error) error {
	return located(s.path, batch, column, err)
}

func (s *arrowSource) describe(size int64, opt Options) (table, error) {
	msgs, err := walkArrow(s.f, size)
	if err != nil {
		return table{}, err
	}
	s.limit = mostDecoded(size)
	rows := 0
	s.starts = []int{0}
	for _, m := range msgs {
		if m.kind != messageBatch {
			s.head = append(s.head, m)
			continue
		}
		rows += int(m.rows)
		s.batches = append(s.batches, m)
		s.starts = append(s.starts, rows)
	}
	if most := mostRows(size); int64(rows) > most {
		return table{}, fmt.Errorf("%w: %d rows in a file of %d bytes", ErrDamaged, rows, size)
	}
	schema, err := s.schema(msgs[0])
	if err != nil {
		return table{}, err
	}
	t := table{meta: map[string]string{}, rows: rows, src: s}
	for i, k := range schema.Metadata().Keys() {
		t.meta[k] = schema.Metadata().Values()[i]
	}
	var headers, units []string
	for i, f := range schema.Fields() {
		unit, col, why := arrowScalar(f)
		if why != "" {
			t.notes = append(t.notes, Note{Channel: f.Name, Text: "skipped: " + why})
			continue
		}
		col.index = i
		s.columns = append(s.columns, col)
		headers, units = append(headers, f.Name), append(units, unit)
	}
	var convs []conversion
	if t.channels, convs, err = declareAll(s.path, headers, units, t.meta, opt); err != nil {
		return table{}, err
	}
	for i := range s.columns {
		c := &s.columns[i]
		c.name = t.channels[i].Name
		if !c.stamp {
			c.conv = convs[i]
		}
	}
	return t, s.findOrigins()
}

func (s *arrowSource) schema(m arrowMessage) (*arrow.Schema, error) {
	r, err := ipc.NewReader(m.open(s.f))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer r.Release()
	return r.Schema(), nil
}

// arrowScalar returns the unit and the conversion of a scalar numeric field, or the reason to skip it.
func arrowScalar(f arrow.Field) (unit string, col arrowColumn, why string) {
	names := map[arrow.TimeUnit]string{arrow.Second: "s", arrow.Millisecond: "ms", arrow.Microsecond: "us", arrow.Nanosecond: "ns"}
	if i := f.Metadata.FindKey("unit"); i >= 0 {
		unit = f.Metadata.Values()[i]
	}
	switch d := f.Type.(type) {
	case *arrow.BooleanType, *arrow.Float16Type, *arrow.Float32Type, *arrow.Float64Type,
		*arrow.Int8Type, *arrow.Int16Type, *arrow.Int32Type, *arrow.Int64Type,
		*arrow.Uint8Type, *arrow.Uint16Type, *arrow.Uint32Type, *arrow.Uint64Type:
		return unit, col, ""
	case *arrow.TimestampType:
		col.stamp = true
		unit = names[d.Unit]
		col.conv, _ = conversionOf(unit)
		return unit, col, ""
	case *arrow.DurationType:
		return names[d.Unit], col, ""
	case *arrow.Time32Type:
		return names[d.Unit], col, ""
	case *arrow.Time64Type:
		return names[d.Unit], col, ""
	}
	return "", col, "values of type " + f.Type.String() + " are no numbers"
}

// findOrigins reads the first value of each column of time stamps.
func (s *arrowSource) findOrigins() error {
	if !slices.ContainsFunc(s.columns, func(c arrowColumn) bool { return c.stamp }) {
		return nil
	}
	missing := make(map[int]bool)
	for i, c := range s.columns {
		if c.stamp {
			missing[i] = true
		}
	}
	cur := &arrowCursor{s: s}
	defer cur.close()
	for range s.batches {
		if err := cur.nextBatch(); err != nil {
			return err
		}
		for i := range missing {
			a, ok := cur.rec.Column(s.columns[i].index).(*array.Timestamp)
			if !ok {
				return s.locate(cur.batch, s.columns[i].name, ErrDamaged)
			}
			for k := range a.Len() {
				if a.IsValid(k) {
					s.columns[i].origin = int64(a.Value(k))
					delete(missing, i)
					break
				}
			}
		}
		if len(missing) == 0 {
			break
		}
	}
	return nil
}

func (s *arrowSource) close() error { return closed(s.f.Close()) }

func (s *arrowSource) open(cols []int, first int) (cursor, error) {
	c := &arrowCursor{s: s, cols: slices.Clone(cols)}
	for c.batch+1 < len(s.batches) && s.starts[c.batch+1] <= first {
		c.batch++
	}
	c.skip = first - s.starts[c.batch]
	return c, nil
}

type arrowCursor struct {
	s     *arrowSource
	cols  []int
	batch int // batches opened or skipped so far
	skip  int // rows to skip in the next batch
	r     *ipc.Reader
	rec   arrow.RecordBatch
	at    int // row of rec
}

func (c *arrowCursor) close() error {
	return guard(func() error {
		if c.r != nil {
			c.r.Release()
			c.r = nil
		}
		return nil
	})
}

// nextBatch decodes the next record batch.
func (c *arrowCursor) nextBatch() error {
	s := c.s
	if c.batch >= len(s.batches) {
		return s.locate(0, "", fmt.Errorf("%w: fewer rows than announced", ErrDamaged))
	}
	err := guard(func() error {
		if c.r == nil {
			stream := io.MultiReader(sections(s.f, s.head), sections(s.f, s.batches[c.batch:]))
			var err error
			c.r, err = ipc.NewReader(bufio.NewReaderSize(stream, 64<<10), ipc.WithAllocator(&cappedAllocator{limit: s.limit}))
			if err != nil {
				return fmt.Errorf("%w: %w", ErrDamaged, err)
			}
		}
		rec, err := c.r.Read()
		if err != nil {
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if rec.NumRows() != s.batches[c.batch].rows {
			return fmt.Errorf("%w: %d rows instead of %d", ErrDamaged, rec.NumRows(), s.batches[c.batch].rows)
		}
		c.rec = rec
		return nil
	})
	c.batch++
	if err != nil {
		return s.locate(c.batch, "", err)
	}
	c.at, c.skip = c.skip, 0
	return nil
}

func (c *arrowCursor) read(dst [][]float64) error {
	n := len(dst[0])
	for done := 0; done < n; {
		for c.rec == nil || c.at >= int(c.rec.NumRows()) {
			if err := c.nextBatch(); err != nil {
				return err
			}
		}
		m := min(n-done, int(c.rec.NumRows())-c.at)
		for i, k := range c.cols {
			col := c.s.columns[k]
			err := guard(func() error { return col.values(dst[i][done:done+m], c.rec.Column(col.index), c.at) })
			if err != nil {
				return c.s.locate(c.batch, col.name, err)
			}
		}
		done += m
		c.at += m
	}
	return nil
}

// values stores rows from at on in d.
func (col *arrowColumn) values(d []float64, a arrow.Array, at int) error {
	to := at + len(d)
	if a.Len() < to {
		return fmt.Errorf("%w: %d values, fewer than the record batch has rows", ErrDamaged, a.Len())
	}
	switch a := a.(type) {
	case *array.Float64:
		copy(d, a.Float64Values()[at:to])
	case *array.Float32:
		widen(d, a.Float32Values()[at:to])
	case *array.Float16:
		for i, v := range a.Values()[at:to] {
			d[i] = float64(v.Float32())
		}
	case *array.Int8:
		widen(d, a.Int8Values()[at:to])
	case *array.Int16:
		widen(d, a.Int16Values()[at:to])
	case *array.Int32:
		widen(d, a.Int32Values()[at:to])
	case *array.Int64:
		widen(d, a.Int64Values()[at:to])
	case *array.Uint8:
		widen(d, a.Uint8Values()[at:to])
	case *array.Uint16:
		widen(d, a.Uint16Values()[at:to])
	case *array.Uint32:
		widen(d, a.Uint32Values()[at:to])
	case *array.Uint64:
		widen(d, a.Uint64Values()[at:to])
	case *array.Timestamp:
		for i, v := range a.TimestampValues()[at:to] {
			d[i] = float64(int64(v) - col.origin)
		}
	case *array.Duration:
		for i, v := range a.DurationValues()[at:to] {
			d[i] = float64(v)
		}
	case *array.Time32:
		for i, v := range a.Time32Values()[at:to] {
			d[i] = float64(v)
		}
	case *array.Time64:
		for i, v := range a.Time64Values()[at:to] {
			d[i] = float64(v)
		}
	case *array.Boolean:
		for i := range d {
			d[i] = 0
			if a.Value(at + i) {
				d[i] = 1
			}
		}
	default:
		return fmt.Errorf("%w: values of type %v", ErrDamaged, a.DataType())
	}
	col.conv.apply(d)
	if a.NullN() > 0 {
		for i := range d {
			if a.IsNull(at + i) {
				d[i] = math.NaN()
			}
		}
	}
	return nil
}

// cappedAllocator refuses allocations beyond a plausible record batch: the decoder allocates the claimed
// length of a compressed buffer. The refusal is a panic, which guard turns into an error.
type cappedAllocator struct {
	memory.GoAllocator
	limit int
}

func (c *cappedAllocator) check(size int) {
	if size < 0 || size > c.limit {
		panic(fmt.Sprintf("a buffer of %d bytes in so small a file", size))
	}
}

func (c *cappedAllocator) Allocate(size int) []byte {
	c.check(size)
	return c.GoAllocator.Allocate(size)
}

func (c *cappedAllocator) Reallocate(size int, b []byte) []byte {
	c.check(size)
	return c.GoAllocator.Reallocate(size, b)
}

func widen[T float32 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](d []float64, s []T) {
	for i, v := range s {
		d[i] = float64(v)
	}
}
