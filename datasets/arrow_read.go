package datasets

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/endian"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrowSource reads Arrow IPC files and streams, one record batch at a time. Apache Arrow's library decodes the schema, after
// its lengths have been checked. Buffers are read here: the library would decompress those of all columns, by lengths that
// nobody has compared with the file, and would not compare the checksums of Zstandard.
type arrowSource struct {
	path    string
	f       readerAtCloser
	most    int // bytes that a buffer may expand to
	version int
	batches []arrowMessage
	starts  []int // first row of each batch, and the number of all rows
	columns []arrowColumn
}

type arrowColumn struct {
	top    int // field of the schema
	levels []arrowLevel
	number numberType
	bits   int // of a number, 1 for truth values
	name   string
	conv   conversion
	stamp  bool // time stamps, counted from origin
	origin int64
	width  int // of a list, 0 for a scalar
	entry  int // of the list, from 0
}

// openArrow describes a file or stream and takes it over.
func openArrow(path string, f readerAtCloser, size int64, opt Options) (table, error) {
	s := &arrowSource{path: path, f: f}
	return described(path, f, func() (table, error) { return s.describe(size, opt) })
}

// locate adds the place to an error.
func (s *arrowSource) locate(batch int, column string, err error) error {
	return located(s.path, batch, column, err)
}

func (s *arrowSource) describe(size int64, opt Options) (t table, err error) {
	l, err := walkArrow(s.f, size)
	if err != nil {
		return table{}, err
	}
	s.most, s.version, s.batches, s.starts = maxDecoded(size), l.version, l.batches, []int{0}
	rows := 0
	for _, m := range s.batches {
		rows += int(m.rows)
		s.starts = append(s.starts, rows)
	}
	if most := maxRows(size); int64(rows) > most {
		return table{}, damage("it claims %d rows, more than a file of %d bytes can have", rows, size)
	}
	schema, err := readSchema(l.schema)
	if err != nil {
		return table{}, err
	}
	t = table{meta: map[string]string{}, rows: rows, src: s}
	for i, k := range schema.Metadata().Keys() {
		t.meta[k] = schema.Metadata().Values()[i]
	}
	if err := s.checkOurs(schema, &l, t.meta); err != nil {
		return table{}, err
	}
	headers, units := s.describeColumns(schema, &t)
	var convs []conversion
	if t.channels, convs, err = declareAll(s.path, headers, units, t.meta, opt); err != nil {
		return table{}, err
	}
	for i := range s.columns {
		c := &s.columns[i]
		if c.name = t.channels[i].Name; !c.stamp { // the type of a stamp determines the unit, over any declaration
			c.conv = convs[i]
		}
	}
	return t, s.findOrigins()
}

// schemaMessage gives the library a message with a schema.
type schemaMessage struct{ m *ipc.Message }

// Message returns the schema of the file.
func (s schemaMessage) Message() (*ipc.Message, error) { return s.m, nil }

// Retain does nothing: the collector has the memory.
func (schemaMessage) Retain() {}

// Release does nothing, as Retain does.
func (schemaMessage) Release() {}

// readSchema decodes a message with a schema, whose lengths have been checked.
func readSchema(message []byte) (schema *arrow.Schema, err error) {
	err = guard(func() error {
		m := ipc.NewMessage(memory.NewBufferBytes(message), memory.NewBufferBytes(nil))
		r, err := ipc.NewReaderFromMessageReader(schemaMessage{m}, ipc.WithEnsureNativeEndian(false))
		if err != nil {
			return damage("%w", err)
		}
		schema = r.Schema()
		return nil
	})
	return schema, err
}

// checkOurs checks a file that has our checksum, and refuses dictionaries where no column has one.
func (s *arrowSource) checkOurs(schema *arrow.Schema, l *arrowLayout, meta map[string]string) error {
	columns, plain, dictionaries := []string{}, schema.Endianness() == endian.LittleEndian, false
	for _, f := range schema.Fields() {
		unit, _ := f.Metadata.GetValue("unit")
		columns = append(columns, f.Name, unit)
		plain = plain && f.Type.ID() == arrow.FLOAT64 && !f.Nullable
		dictionaries = dictionaries || hasDictionary(f.Type)
	}
	if l.dicts > 0 && !dictionaries {
		return damage("a dictionary that no column has")
	}
	ours, err := takeChecksum(-1, columns, meta)
	if !ours || err != nil {
		return err
	}
	if !plain {
		return damage("columns are not what they were written")
	}
	if err := l.checkOurs(s.f); err != nil {
		return err
	}
	var b arrowBatch
	for n, m := range s.batches {
		err := b.open(s, m)
		if err == nil {
			err = b.checkOurs(schema.NumFields())
		}
		if err != nil {
			return s.locate(n+1, "", err)
		}
	}
	return nil
}

func hasDictionary(t arrow.DataType) bool {
	switch t := t.(type) {
	case *arrow.DictionaryType:
		return true
	case arrow.ExtensionType:
		return hasDictionary(t.StorageType())
	case arrow.NestedType:
		return slices.ContainsFunc(t.Fields(), func(f arrow.Field) bool { return hasDictionary(f.Type) })
	}
	return false
}

// describeColumns finds the channels among the leaves of the schema, and notes why the others are none.
func (s *arrowSource) describeColumns(schema *arrow.Schema, t *table) (headers, units []string) {
	var at arrowParts
	for i, f := range schema.Fields() {
		root := arrowColumn{top: i, number: numberType{big: schema.Endianness() == endian.BigEndian}}
		s.leaves(f, f.Name, at, root, func(name, unit string, c arrowColumn, why string) {
			if why == "" && c.width < 0 {
				c.width, why = s.listWidth(&c)
			}
			if why != "" {
				t.notes = append(t.notes, Note{Channel: strings.Replace(name, listMark, "", 1), Text: "skipped: " + why})
				return
			}
			for c.entry = range max(1, c.width) {
				header := strings.Replace(name, listMark, fmt.Sprintf("[%d]", c.entry), 1)
				s.columns = append(s.columns, c)
				headers, units = append(headers, header), append(units, unit)
			}
		})
		at.pass(f.Type, s.version)
	}
	return headers, units
}

// leaves calls emit for each leaf of a field, whose parts of a batch begin at some place: with its name, its unit and its
// column, or the reason to skip it. Where there is a list, listMark stands in the name.
func (s *arrowSource) leaves(f arrow.Field, name string, at arrowParts, c arrowColumn, emit func(name, unit string, c arrowColumn, why string)) {
	level := arrowLevel{parts: at}
	var element arrow.Field
	at.nodes++
	switch t := f.Type.(type) {
	case *arrow.StructType:
		at.buffers++
		c.levels = append(slices.Clip(c.levels), level)
		for _, child := range t.Fields() {
			s.leaves(child, name+"."+child.Name, at, c, emit)
			at.pass(child.Type, s.version)
		}
		return
	case *arrow.FixedSizeListType:
		at.buffers++
		element, level.list = t.ElemField(), true
		if c.width = int(t.Len()); c.width < 1 || c.width > maxEntries {
			emit(name, "", c, fmt.Sprintf("lists of no entry, or of more than %d", maxEntries))
			return
		}
	case *arrow.ListType:
		at.buffers += 2
		element, level.list, level.offsets, c.width = t.ElemField(), true, 4, -1
	case *arrow.LargeListType:
		at.buffers += 2
		element, level.list, level.offsets, c.width = t.ElemField(), true, 8, -1
	default:
		c.levels = append(slices.Clip(c.levels), level)
		unit, why := c.scalar(f)
		emit(name, unit, c, why)
		return
	}
	if strings.Contains(name, listMark) {
		emit(name, "", c, "lists of lists are no channels")
		return
	}
	c.levels = append(slices.Clip(c.levels), level)
	s.leaves(element, name+listMark, at, c, emit)
}

// scalar finds the representation of a field's numbers and returns their unit, or the reason to skip it.
func (c *arrowColumn) scalar(f arrow.Field) (unit, why string) {
	unit, _ = f.Metadata.GetValue("unit")
	number := func(kind byte, size int) { c.number.kind, c.number.size, c.bits = kind, size, 8*size }
	switch t := f.Type.(type) {
	case *arrow.BooleanType:
		c.number.kind, c.bits = 'b', 1
	case *arrow.TimestampType:
		number('i', 8)
		c.stamp, unit = true, t.Unit.String()
		c.conv, _ = conversionOf(unit)
	case *arrow.DurationType:
		number('i', 8)
		unit = t.Unit.String()
	case *arrow.Time32Type:
		number('i', 4)
		unit = t.Unit.String()
	case *arrow.Time64Type:
		number('i', 8)
		unit = t.Unit.String()
	default:
		kind, ok := map[arrow.Type]byte{arrow.INT8: 'i', arrow.INT16: 'i', arrow.INT32: 'i', arrow.INT64: 'i', arrow.UINT8: 'u', arrow.UINT16: 'u',
			arrow.UINT32: 'u', arrow.UINT64: 'u', arrow.FLOAT16: 'f', arrow.FLOAT32: 'f', arrow.FLOAT64: 'f'}[t.ID()]
		if !ok {
			return "", "values of type " + typeName(t) + " are no numbers"
		}
		number(kind, t.(arrow.FixedWidthDataType).BitWidth()/8)
	}
	return unit, ""
}

// listWidth returns the number of entries that the lists of a column have, by their offsets, or the reason to skip it.
func (s *arrowSource) listWidth(c *arrowColumn) (width int, why string) {
	const several = "lists of different lengths are no channels"
	list := slices.IndexFunc(c.levels, func(l arrowLevel) bool { return l.list })
	var b arrowBatch
	v := arrowValues{column: c, batch: &b, levels: make([]levelValues, len(c.levels))}
	for _, m := range s.batches {
		if m.rows == 0 {
			continue
		}
		err := b.open(s, m)
		var first, last, second int
		if err == nil {
			first, second, last, err = v.lists(list)
		}
		switch entries := last - first; {
		case err != nil:
			return 0, err.Error()
		case width == 0 && (entries < int(m.rows) || entries/int(m.rows) > maxEntries):
			return 0, fmt.Sprintf("lists of no entry, or of more than %d", maxEntries)
		case width == 0:
			width = entries / int(m.rows)
			fallthrough
		default:
			if entries != width*int(m.rows) || second-first != width {
				return 0, several
			}
		}
	}
	if width == 0 {
		return 0, "it has no rows"
	}
	return width, ""
}

// findOrigins reads the first value of each column of time stamps, the origin of its seconds.
func (s *arrowSource) findOrigins() error {
	var b arrowBatch
	for i := range s.columns {
		c := &s.columns[i]
		if c.stamp && c.entry > 0 {
			c.origin = s.columns[i-1].origin
		}
		if !c.stamp || c.entry > 0 {
			continue
		}
		for n, m := range s.batches {
			var v arrowValues
			found := false
			err := b.open(s, m)
			if err == nil {
				err = v.open(&b, c)
			}
			if err == nil {
				c.origin, found, err = v.firstInt()
			}
			if err != nil {
				return s.locate(n+1, c.name, err)
			}
			if found {
				break
			}
		}
	}
	return nil
}

func (s *arrowSource) close() error { return closed(s.f.Close()) }

func (s *arrowSource) open(cols []int, first int) (cursor, error) {
	c := &arrowCursor{s: s, cols: slices.Clone(cols), values: make([]arrowValues, len(cols))}
	for c.next+1 < len(s.batches) && s.starts[c.next+1] <= first {
		c.next++
	}
	c.skip = first - s.starts[c.next]
	return c, nil
}

// arrowCursor reads the record batches in order.
type arrowCursor struct {
	s      *arrowSource
	cols   []int
	next   int // batches opened or skipped so far
	skip   int // rows to skip in the next batch
	batch  arrowBatch
	values []arrowValues
	at     int // row of the open batch
	rows   int // of it
}

func (c *arrowCursor) close() error { return nil }

// nextBatch finds the columns of the next record batch.
func (c *arrowCursor) nextBatch() error {
	s := c.s
	if c.next >= len(s.batches) {
		return s.locate(0, "", damage("fewer rows than announced"))
	}
	m := s.batches[c.next]
	c.next++
	if err := c.batch.open(s, m); err != nil {
		return s.locate(c.next, "", err)
	}
	for i, k := range c.cols {
		if err := c.values[i].open(&c.batch, &s.columns[k]); err != nil {
			return s.locate(c.next, s.columns[k].name, err)
		}
	}
	c.rows, c.at, c.skip = int(m.rows), c.skip, 0
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
			if err := c.values[i].read(d, c.at); err != nil {
				return c.s.locate(c.next, c.s.columns[k].name, err)
			}
			c.s.columns[k].conv.apply(d)
		}
		done += m
		c.at += m
	}
	return nil
}
