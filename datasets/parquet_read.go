package datasets

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// parquetSource reads a Parquet file row group by row group, page by page. Apache Arrow's library decodes, within guard, what
// checkFooter and checkPages have compared with the file.
type parquetSource struct {
	path    string
	f       readerAtCloser
	size    int64
	meta    *metadata.FileMetaData
	columns []parquetColumn
	groups  []int // first row of each row group, and the number of all rows
}

// parquetColumn is the column of a channel and its conversion to SI.
type parquetColumn struct {
	index  int // in the file's schema
	name   string
	conv   conversion
	stamp  bool // time stamps, counted from origin
	origin int64
	signed bool
	width  int // of a list, 0 for a scalar
	entry  int // of the list, from 0
}

// openParquet describes a file and takes it over.
func openParquet(path string, f readerAtCloser, size int64, opt Options) (table, error) {
	s := &parquetSource{path: path, f: f, size: size}
	return described(path, f, func() (table, error) { return s.describe(opt) })
}

// locate adds the place to an error.
func (s *parquetSource) locate(group int, column string, err error) error {
	return located(s.path, group, column, err)
}

// reader returns a reader of the library. Each belongs to one goroutine.
func (s *parquetSource) reader() (*file.Reader, error) {
	p := parquet.NewReaderProperties(memory.NewGoAllocator())
	p.BufferedStreamEnabled = true // page by page
	p.BufferSize = 16 << 10
	p.MaxCompressedPageSize = max(s.size, 1)
	p.MaxUncompressedPageSize = int64(maxDecoded(s.size))
	opts := []file.ReadOption{file.WithReadProps(p)}
	if s.meta != nil {
		opts = append(opts, file.WithMetadata(s.meta))
	}
	r, err := file.NewParquetReader(io.NewSectionReader(s.f, 0, s.size), opts...)
	if err != nil {
		return nil, damage("%w", err)
	}
	return r, nil
}

// describe reads the footer and checks it against the file.
func (s *parquetSource) describe(opt Options) (table, error) {
	var head [4]byte
	if _, err := s.f.ReadAt(head[:], 0); err != nil || string(head[:]) != "PAR1" && string(head[:]) != "PARE" {
		return table{}, fmt.Errorf("%w: it does not begin like a Parquet file", ErrFormat)
	}
	if err := checkFooter(s.f, s.size); err != nil {
		return table{}, err
	}
	r, err := s.reader()
	if err != nil {
		return table{}, err
	}
	s.meta = r.MetaData()
	s.meta.WriterVersion() // computed on first use; here, before goroutines share it

	t := table{meta: map[string]string{}, src: s}
	for _, kv := range s.meta.KeyValueMetadata() {
		t.meta[kv.Key] = kv.GetValue()
	}
	durations := takeArrowSchema(t.meta)
	headers, units, err := s.describeColumns(&t, durations)
	if err != nil {
		return table{}, err
	}
	var convs []conversion
	if t.channels, convs, err = declareAll(s.path, headers, units, t.meta, opt); err != nil {
		return table{}, err
	}
	for i := range s.columns {
		s.columns[i].name = t.channels[i].Name
		switch c := &s.columns[i]; {
		case c.stamp: // the type determines the unit, over any declaration
		case c.conv.div != 0:
			c.conv = conversion{factor{convs[i].si, convs[i].mul, convs[i].div * c.conv.div}, convs[i].zero * c.conv.div}
		default:
			c.conv = convs[i]
		}
	}
	if err := s.checkGroups(); err != nil {
		return table{}, err
	}
	t.rows = s.groups[len(s.groups)-1]
	if err := s.findOrigins(); err != nil {
		return t, err
	}
	if _, elsewhere := s.f.(borrowed); !elsewhere {
		t.beside(s.path)
	}
	return t, s.episodes(&t)
}

// describeColumns finds the channels among the leaves of the schema, and notes why the others are none.
func (s *parquetSource) describeColumns(t *table, durations map[string]string) (headers, units []string, err error) {
	sc := s.meta.Schema
	names, plain := make([]string, sc.NumColumns()), true
	for i := range sc.NumColumns() {
		d := sc.Column(i)
		names[i] = d.Name()
		plain = plain && d.PhysicalType() == parquet.Types.Double && d.MaxDefinitionLevel() == 0 && d.LogicalType().IsNone()
	}
	switch ours, err := takeChecksum(int(s.meta.NumRows), names, t.meta); {
	case err != nil:
		return nil, nil, err
	case ours && !(plain && s.contiguous()):
		return nil, nil, damage("columns are not where or what they were written")
	}
	for i := range sc.NumColumns() {
		d := sc.Column(i)
		name, list := nestedName(d)
		unit, col, why := parquetNumber(d)
		if unit == "" && d.PhysicalType() == parquet.Types.Int64 {
			unit = durations[name]
		}
		if why == "" && list != "" {
			col.width, why = s.listWidth(i)
		}
		if why != "" {
			t.notes = append(t.notes, Note{Channel: d.ColumnPath().String(), Text: "skipped: " + why})
			continue
		}
		col.index = i
		for k := range max(1, col.width) {
			header := name
			if col.width > 0 {
				header = strings.Replace(name, list, fmt.Sprintf("[%d]", k), 1)
			}
			col.entry = k
			s.columns = append(s.columns, col)
			headers, units = append(headers, header), append(units, unit)
		}
	}
	return headers, units, nil
}

// takeArrowSchema removes the copy of Arrow's schema, a message in base 64, that many programs write beside that of Parquet, and
// returns the units of the fields that are durations, for which Parquet has no type.
func takeArrowSchema(meta map[string]string) map[string]string {
	const key = "ARROW:schema"
	message, err := base64.StdEncoding.DecodeString(meta[key])
	delete(meta, key)
	l := arrowLayout{}
	if err != nil || l.walkStream(bytes.NewReader(message), int64(len(message)), true) != nil {
		return nil
	}
	s, err := readSchema(l.schema)
	if err != nil {
		return nil
	}
	units := map[string]string{}
	for _, f := range s.Fields() {
		if d, ok := f.Type.(*arrow.DurationType); ok {
			units[f.Name] = d.Unit.String()
		}
	}
	return units
}

// listMark stands in nestedName for the number of a list's entry. No name of a column has it.
const listMark = "\x00[]"

// nestedName returns the name of a leaf: the names on the way to it, with dots between, without those that a list's layout
// adds. Where there is a list, mark stands instead of the entry's number.
func nestedName(d *schema.Column) (name, mark string) {
	var nodes []schema.Node
	for n := d.SchemaNode(); n.Parent() != nil; n = n.Parent() {
		nodes = append(nodes, n)
	}
	slices.Reverse(nodes)
	dot := ""
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		if n.RepetitionType() != parquet.Repetitions.Repeated {
			name += dot + n.Name()
			dot = "."
			continue
		}
		// A list is the field, a repeated group "list" and its only field "element"; older writers leave out one or both of
		// the latter (parquet-format, LogicalTypes.md, "Lists").
		if i == 0 || nodes[i-1].LogicalType() == nil || !nodes[i-1].LogicalType().Equals(schema.ListLogicalType{}) {
			name += dot + n.Name()
		}
		name, mark, dot = name+listMark, listMark, "."
		if g, ok := n.(*schema.GroupNode); ok && g.NumFields() == 1 && i+1 < len(nodes) && n.Name() != "array" && !strings.HasSuffix(n.Name(), "_tuple") {
			i++ // the element
		}
	}
	return name, mark
}

// parquetNumber returns the unit and the conversion of a numeric leaf, or the reason to skip it.
func parquetNumber(d *schema.Column) (unit string, col parquetColumn, why string) {
	col = parquetColumn{signed: true}
	if d.MaxRepetitionLevel() > 1 {
		return "", col, "lists of lists are no channels"
	}
	logical := d.LogicalType()
	switch d.PhysicalType() {
	case parquet.Types.Boolean, parquet.Types.Float, parquet.Types.Double:
		return "", col, ""
	case parquet.Types.FixedLenByteArray:
		if _, half := logical.(schema.Float16LogicalType); half && d.TypeLength() == 2 {
			return "", col, ""
		}
		return "", col, "values of type " + d.PhysicalType().String() + " are no numbers"
	case parquet.Types.Int96: // time stamps of older writers, in ns
		col.stamp = true
		col.conv, _ = conversionOf("ns")
		return "ns", col, ""
	case parquet.Types.Int32, parquet.Types.Int64:
	default:
		return "", col, "values of type " + d.PhysicalType().String() + " are no numbers"
	}
	names := map[schema.TimeUnitType]string{schema.TimeUnitMillis: "ms", schema.TimeUnitMicros: "us", schema.TimeUnitNanos: "ns"}
	switch l := logical.(type) {
	case schema.TimestampLogicalType:
		col.stamp = true
		unit = names[l.TimeUnit()]
		col.conv, _ = conversionOf(unit)
	case schema.TimeLogicalType:
		unit = names[l.TimeUnit()]
	case schema.IntLogicalType:
		col.signed = l.IsSigned()
	case schema.DecimalLogicalType:
		if n := l.Scale(); n < 0 || n > 18 {
			return "", col, fmt.Sprintf("decimal numbers of scale %d", n)
		}
		col.conv = conversion{factor: factor{"", 1, pow10(int(l.Scale()))}}
	case schema.DateLogicalType:
		return "", col, "dates are no channel"
	}
	return unit, col, ""
}

// place compares the description of a column in a row group with the file and the schema.
func (s *parquetSource) place(group, column int) (k chunkPlace, err error) {
	err = guard(func() error {
		rg, d := s.meta.RowGroup(group), s.meta.Schema.Column(column)
		c, err := rg.ColumnChunk(column)
		if err != nil {
			return damage("%w", err)
		}
		if c.FilePath() != "" {
			return foreign("its values are in another file")
		}
		if c.CryptoMetadata() != nil {
			return foreign("its values are encrypted")
		}
		if c.Type() != d.PhysicalType() {
			return damage("values of type %v in a column of type %v", c.Type(), d.PhysicalType())
		}
		rows := rg.NumRows()
		if n := c.NumValues(); n < rows || n > rows && d.MaxRepetitionLevel() == 0 {
			return damage("%d values for %d rows", n, rows)
		}
		first, length := c.DataPageOffset(), c.TotalCompressedSize()
		if c.HasDictionaryPage() && c.DictionaryPageOffset() > 0 {
			first = min(first, c.DictionaryPageOffset())
		}
		if rows > 0 && (first < 4 || length <= 0 || first > s.size-8 || length > s.size-8-first) {
			return damage("it is said to lie at bytes %d to %d of a file of %d", first, first+length, s.size)
		}
		k = chunkPlace{first: first, last: first + length, values: c.NumValues(), codec: c.Compression(), physical: c.Type(), width: valueWidth(d)}
		return nil
	})
	return k, err
}

// valueWidth returns the bytes of a plain value, 0 where they differ.
func valueWidth(d *schema.Column) int {
	switch d.PhysicalType() {
	case parquet.Types.Int32, parquet.Types.Float:
		return 4
	case parquet.Types.Int64, parquet.Types.Double:
		return 8
	case parquet.Types.Int96:
		return 12
	case parquet.Types.FixedLenByteArray:
		return d.TypeLength()
	}
	return 0
}

// contiguous reports whether each column chunk begins where the one before ends, as we write them.
func (s *parquetSource) contiguous() bool {
	at := int64(4)
	for g := range s.meta.RowGroups {
		if s.meta.RowGroup(g).NumColumns() != s.meta.Schema.NumColumns() {
			return false
		}
		for i := range s.meta.Schema.NumColumns() {
			k, err := s.place(g, i)
			if err != nil || k.first != at {
				return false
			}
			at = k.last
		}
	}
	return true
}

// checkGroups sums the rows of the groups and checks that each column chunk lies within the file.
func (s *parquetSource) checkGroups() error {
	most := maxRows(s.size)
	s.groups = []int{0}
	total := int64(0)
	for g := range s.meta.RowGroups {
		rg := s.meta.RowGroup(g)
		n := rg.NumRows()
		if n < 0 || n > most || total+n > most {
			return s.locate(g+1, "", damage("it claims %d rows, more than a file of %d bytes can have", total+n, s.size))
		}
		if rg.NumColumns() != s.meta.Schema.NumColumns() {
			return s.locate(g+1, "", damage("%d columns instead of %d", rg.NumColumns(), s.meta.Schema.NumColumns()))
		}
		for _, c := range s.columns {
			if c.entry > 0 {
				continue
			}
			if _, err := s.place(g, c.index); err != nil {
				return s.locate(g+1, c.name, err)
			}
		}
		total += n
		s.groups = append(s.groups, int(total))
	}
	if total != s.meta.NumRows {
		return damage("%d rows announced, %d in the row groups", s.meta.NumRows, total)
	}
	return nil
}

// findOrigins reads the first value of each column of time stamps, the origin of its seconds.
func (s *parquetSource) findOrigins() error {
	for i := range s.columns {
		c := &s.columns[i]
		if c.stamp && c.entry > 0 {
			c.origin = s.columns[i-1].origin
		}
		if !c.stamp || c.entry > 0 {
			continue
		}
		for g := range s.meta.RowGroups {
			found := false
			err := guard(func() error {
				k, err := s.chunk(nil, g, c)
				if err == nil {
					c.origin, found, err = k.firstInt()
				}
				return err
			})
			if err != nil {
				return s.locate(g+1, c.name, err)
			}
			if found {
				break
			}
		}
	}
	return nil
}

func (s *parquetSource) close() error { return closed(s.f.Close()) }

func (s *parquetSource) open(cols []int, first int) (cursor, error) {
	c := &parquetCursor{s: s, cols: slices.Clone(cols)}
	// The last group that begins at or before first; empty groups share a beginning.
	for c.group+1 < len(s.groups)-1 && s.groups[c.group+1] <= first {
		c.group++
	}
	if len(s.groups) > 1 {
		c.skip = first - s.groups[c.group]
	}
	return c, nil
}
