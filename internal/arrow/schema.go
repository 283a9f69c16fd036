package arrow

import (
	"fmt"
	"io"

	"ident/internal/zstandard"
)

// Kind is the kind of a column's values.
type Kind int

// The kinds that Values decodes; all others are Other.
const (
	Other Kind = iota
	Boolean
	Integer
	Unsigned
	Float
	Timestamp // Integer since an epoch, in the column's Unit
	Duration  // Integer, in the column's Unit
)

// Column is a field of the schema, at its top level.
type Column struct {
	Name string
	Kind Kind
	Bits int    // of a value, 0 of Other
	Unit string // of Timestamp and Duration: "s", "ms", "us" or "ns"
	Type string // as the format names it, e.g. "Utf8"
	Meta []KeyValue

	first layout // of the columns before it in a batch
}

// layout counts parts of a record batch: nodes (a length and a number of nulls), buffers, and columns of views, which
// have a number of further buffers that each batch states.
type layout struct{ nodes, buffers, views int }

// File is the description of an Arrow file or stream. It is immutable, and its batches may be read from several
// goroutines at once.
type File struct {
	Columns []Column
	Meta    []KeyValue
	Rows    []int64 // of each record batch

	r       io.ReaderAt
	most    int // bytes that a buffer may expand to
	big     bool
	batches []message
	zstd    zstandard.Decoder
}

// Open reads the descriptions of a file of size bytes, of which a buffer may expand to most bytes.
func Open(r io.ReaderAt, size int64, most int) (*File, error) {
	f := &File{r: r, most: most}
	msgs, err := f.walk(size)
	if err != nil {
		return nil, err
	}
	for _, m := range msgs {
		if m.kind == messageBatch {
			f.batches, f.Rows = append(f.batches, m), append(f.Rows, m.rows)
		}
	}
	return f, nil
}

// Types as the format numbers them.
const (
	typeNull       = 1
	typeInt        = 2
	typeFloat      = 3
	typeBinary     = 4
	typeUtf8       = 5
	typeBool       = 6
	typeTime       = 9
	typeTimestamp  = 10
	typeStruct     = 13
	typeUnion      = 14
	typeFixedList  = 16
	typeDuration   = 18
	typeLargeBin   = 19
	typeLargeUtf8  = 20
	typeRunEnd     = 22
	typeBinaryView = 23
	typeUtf8View   = 24
	typeListView   = 25
	typeLargeView  = 26

	precisionDouble = 2
)

var typeNames = [...]string{"NONE", "Null", "Int", "FloatingPoint", "Binary", "Utf8", "Bool", "Decimal", "Date", "Time", "Timestamp",
	"Interval", "List", "Struct", "Union", "FixedSizeBinary", "FixedSizeList", "Map", "Duration", "LargeBinary", "LargeUtf8",
	"LargeList", "RunEndEncoded", "BinaryView", "Utf8View", "ListView", "LargeListView"}

// describe reads Schema {endianness, fields, custom_metadata}.
func (f *File) describe(schema flatTable, version int) (err error) {
	f.big = schema.int16(0, 0) == 1
	if f.Meta, err = keyValues(schema, 2); err != nil {
		return err
	}
	at, n, err := schema.vector(1, 4)
	if err != nil {
		return err
	}
	s := scanner{version: version, budget: 1 << 18}
	for k := range n {
		field := schema.tableAt(at, k)
		c := Column{first: s.at}
		if err := s.field(field, 0); err != nil {
			return err
		}
		if c.Name, err = field.text(0); err != nil {
			return err
		}
		if c.Meta, err = keyValues(field, 6); err != nil {
			return err
		}
		c.scalar(field)
		f.Columns = append(f.Columns, c)
	}
	return nil
}

// keyValues reads the vector of KeyValue {key, value} in field i.
func keyValues(t flatTable, i int) ([]KeyValue, error) {
	at, n, err := t.vector(i, 4)
	if err != nil {
		return nil, err
	}
	var all []KeyValue
	length := 0
	for k := range n {
		kv := t.tableAt(at, k)
		key, err := kv.text(0)
		if err != nil {
			return nil, err
		}
		value, err := kv.text(1)
		if err != nil {
			return nil, err
		}
		// Entries may refer to the same text, and any number of them to a long one.
		if length += len(key) + len(value); length > len(t.buf)+1<<10 {
			return nil, Damage("metadata longer than their description")
		}
		all = append(all, KeyValue{key, value})
	}
	return all, nil
}

// scalar reads the kind of a Field {name, nullable, type_type, type, dictionary, …} whose values are numbers.
func (c *Column) scalar(field flatTable) {
	kind := int(field.byte(2))
	c.Type = fmt.Sprintf("type %d", kind)
	if kind < len(typeNames) {
		c.Type = typeNames[kind]
	}
	if _, encoded := field.table(4); encoded {
		c.Type = "Dictionary of " + c.Type
		return
	}
	t, ok := field.table(3)
	if !ok {
		return
	}
	units := []string{"s", "ms", "us", "ns"}
	unit := func(absent int) (string, bool) {
		u := t.int16(0, absent)
		if u < 0 || u >= len(units) {
			return "", false
		}
		return units[u], true
	}
	widths := func(bits int) bool { return bits == 8 || bits == 16 || bits == 32 || bits == 64 }
	switch kind {
	case typeBool:
		c.Kind, c.Bits = Boolean, 1
	case typeInt:
		if bits := t.int32(0, 0); widths(bits) {
			c.Kind, c.Bits = Unsigned, bits
			if t.byte(1) != 0 {
				c.Kind = Integer
			}
		}
	case typeFloat:
		if p := t.int16(0, 0); p >= 0 && p <= precisionDouble {
			c.Kind, c.Bits = Float, 16<<p
		}
	case typeTimestamp:
		if u, ok := unit(0); ok {
			c.Kind, c.Bits, c.Unit = Timestamp, 64, u
		}
	case typeDuration:
		if u, ok := unit(1); ok {
			c.Kind, c.Bits, c.Unit = Duration, 64, u
		}
	case typeTime: // of day
		if u, ok := unit(1); ok {
			if bits := t.int32(1, 32); bits == 32 || bits == 64 {
				c.Kind, c.Bits, c.Unit = Duration, bits, u
			}
		}
	}
}

// scanner counts the parts of a record batch, field by field.
type scanner struct {
	at      layout
	version int
	budget  int // of fields: several may refer to the same children
}

// field counts the parts of a field and of its children.
func (s *scanner) field(f flatTable, depth int) error {
	at, n, err := f.vector(5, 4)
	if err != nil {
		return err
	}
	if s.budget--; s.budget < n || depth > 32 {
		return Damage("a schema of too many fields")
	}
	s.at.nodes++
	if _, encoded := f.table(4); encoded {
		s.at.buffers += 2 // the indices
		return nil
	}
	switch f.byte(2) {
	case typeNull, typeRunEnd:
	case typeStruct, typeFixedList:
		s.at.buffers++
	case typeBinary, typeUtf8, typeLargeBin, typeLargeUtf8, typeListView, typeLargeView:
		s.at.buffers += 3
	case typeBinaryView, typeUtf8View:
		s.at.buffers += 2
		s.at.views++
	case typeUnion:
		s.at.buffers++
		if t, ok := f.table(3); ok && t.int16(0, 0) == 1 { // dense
			s.at.buffers++
		}
		if s.version < metadataVersion5 {
			s.at.buffers++
		}
	default: // a bitmap of nulls, and values or offsets
		s.at.buffers += 2
	}
	for k := range n {
		if err := s.field(f.tableAt(at, k), depth+1); err != nil {
			return err
		}
	}
	return nil
}
