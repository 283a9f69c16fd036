package datasets

import (
	"fmt"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// parquetSource reads a Parquet file row group by row group, page by page. Values are decoded in the
// caller's goroutine, within guard: the decoder trusts its input.
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
}

// openParquet describes a file and takes it over.
func openParquet(path string, f readerAtCloser, size int64, opt Options) (table, error) {
	s := &parquetSource{path: path, f: f, size: size}
	return described(path, f, func() (table, error) { return s.describe(opt) })
}

func (s *parquetSource) locate(group int, column string, err error) error {
	return located(s.path, group, column, err)
}

func (s *parquetSource) properties() *parquet.ReaderProperties {
	p := parquet.NewReaderProperties(memory.NewGoAllocator())
	p.BufferedStreamEnabled = true
	p.BufferSize = 64 << 10
	// A compressed page is not larger than its file; an uncompressed one may be, within bounds.
	p.MaxCompressedPageSize = max(s.size, 1)
	p.MaxUncompressedPageSize = int64(mostDecoded(s.size))
	return p
}

func (s *parquetSource) reader() (*file.Reader, error) {
	opts := []file.ReadOption{file.WithReadProps(s.properties())}
	if s.meta != nil {
		opts = append(opts, file.WithMetadata(s.meta))
	}
	return file.NewParquetReader(io.NewSectionReader(s.f, 0, s.size), opts...)
}

// describe reads the footer and checks it against the file.
func (s *parquetSource) describe(opt Options) (table, error) {
	var head [4]byte
	if _, err := s.f.ReadAt(head[:], 0); err != nil || string(head[:]) != "PAR1" {
		return table{}, fmt.Errorf("%w: it does not begin like a Parquet file", ErrFormat)
	}
	var tail [4]byte
	if _, err := s.f.ReadAt(tail[:], s.size-4); err != nil || string(tail[:]) != "PAR1" {
		return table{}, fmt.Errorf("%w: the footer is missing", ErrTruncated)
	}
	r, err := s.reader()
	if err != nil {
		return table{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	s.meta = r.MetaData()
	s.meta.WriterVersion() // computed on first use; here, before goroutines share it

	t := table{meta: map[string]string{}, src: s}
	for _, kv := range s.meta.KeyValueMetadata() {
		// The writer's copy of its schema repeats the channels.
		if kv.Key != "ARROW:schema" {
			t.meta[kv.Key] = kv.GetValue()
		}
	}
	var headers, units []string
	for i := range s.meta.Schema.NumColumns() {
		d := s.meta.Schema.Column(i)
		unit, col, why := parquetScalar(d)
		if why != "" {
			t.notes = append(t.notes, Note{Channel: d.ColumnPath().String(), Text: "skipped: " + why})
			continue
		}
		col.index = i
		s.columns = append(s.columns, col)
		headers, units = append(headers, d.Name()), append(units, unit)
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
			c.conv = conversion{convs[i].si, convs[i].mul, convs[i].div * c.conv.div}
		default:
			c.conv = convs[i]
		}
	}
	if err := s.checkGroups(); err != nil {
		return table{}, err
	}
	t.rows = s.groups[len(s.groups)-1]
	return t, s.findOrigins()
}

// parquetScalar returns the unit and the conversion of a scalar numeric column, or the reason to skip it.
func parquetScalar(d *schema.Column) (unit string, col parquetColumn, why string) {
	col = parquetColumn{signed: true}
	switch {
	case len(d.ColumnPath()) != 1 || d.MaxRepetitionLevel() > 0:
		return "", col, "nested or repeated, only scalar columns are channels"
	case d.MaxDefinitionLevel() > 1:
		return "", col, "nested"
	}
	switch d.PhysicalType() {
	case parquet.Types.Boolean, parquet.Types.Float, parquet.Types.Double:
		return "", col, ""
	case parquet.Types.Int32, parquet.Types.Int64:
	default:
		return "", col, "values of type " + d.PhysicalType().String() + " are no numbers"
	}
	names := map[schema.TimeUnitType]string{schema.TimeUnitMillis: "ms", schema.TimeUnitMicros: "us", schema.TimeUnitNanos: "ns"}
	switch l := d.LogicalType().(type) {
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
		col.conv = conversion{"", 1, pow10(int(l.Scale()))}
	case schema.DateLogicalType:
		return "", col, "dates are no channel"
	}
	return unit, col, ""
}

// checkGroups sums the rows of the groups and checks that each column chunk lies within the file.
func (s *parquetSource) checkGroups() error {
	most := mostRows(s.size)
	s.groups = []int{0}
	total := int64(0)
	for g := range s.meta.RowGroups {
		rg := s.meta.RowGroup(g)
		n := rg.NumRows()
		if n < 0 || n > most || total+n > most {
			return s.locate(g+1, "", fmt.Errorf("%w: %d rows in a file of %d bytes", ErrDamaged, total+n, s.size))
		}
		if rg.NumColumns() != s.meta.Schema.NumColumns() {
			return s.locate(g+1, "", fmt.Errorf("%w: %d columns instead of %d", ErrDamaged, rg.NumColumns(), s.meta.Schema.NumColumns()))
		}
		for _, c := range s.columns {
			if err := guard(func() error { return s.checkChunk(rg, c.index, n) }); err != nil {
				return s.locate(g+1, c.name, err)
			}
		}
		total += n
		s.groups = append(s.groups, int(total))
	}
	if total != s.meta.NumRows {
		return fmt.Errorf("%w: %d rows announced, %d in the row groups", ErrDamaged, s.meta.NumRows, total)
	}
	return nil
}

func (s *parquetSource) checkChunk(rg *metadata.RowGroupMetaData, column int, rows int64) error {
	c, err := rg.ColumnChunk(column)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if want := s.meta.Schema.Column(column).PhysicalType(); c.Type() != want {
		return fmt.Errorf("%w: values of type %v in a column of type %v", ErrDamaged, c.Type(), want)
	}
	if c.NumValues() != rows {
		return fmt.Errorf("%w: %d values for %d rows", ErrDamaged, c.NumValues(), rows)
	}
	start, length := c.DataPageOffset(), c.TotalCompressedSize()
	if c.HasDictionaryPage() && c.DictionaryPageOffset() > 0 {
		start = min(start, c.DictionaryPageOffset())
	}
	if rows > 0 && (start < 4 || length <= 0 || start > s.size-8 || length > s.size-8-start) {
		return fmt.Errorf("%w: it is said to lie at bytes %d to %d of a file of %d", ErrDamaged, start, start+length, s.size)
	}
	return nil
}

// findOrigins reads the first value of each column of time stamps, the origin of its seconds.
func (s *parquetSource) findOrigins() error {
	for i := range s.columns {
		if !s.columns[i].stamp {
			continue
		}
		for g := range s.meta.RowGroups {
			found := false
			err := guard(func() (err error) {
				s.columns[i].origin, found, err = s.firstInt(g, s.columns[i].index)
				return err
			})
			if err != nil {
				return s.locate(g+1, s.columns[i].name, err)
			}
			if found {
				break
			}
		}
	}
	return nil
}

// firstInt is the first value, other than null, of a column in a row group.
func (s *parquetSource) firstInt(group, column int) (v int64, found bool, err error) {
	r, err := s.reader()
	if err != nil {
		return 0, false, err
	}
	c, err := r.RowGroup(group).Column(column)
	if err != nil {
		return 0, false, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer c.Close()
	ints, ok := c.(*file.Int64ColumnChunkReader)
	if !ok {
		return 0, false, fmt.Errorf("%w: time stamps of type %v", ErrDamaged, c.Type())
	}
	var vals [1024]int64
	var levels [1024]int16
	for {
		total, n, err := ints.ReadBatchInPage(int64(len(vals)), vals[:], levels[:], nil)
		if err == nil {
			err = c.Err()
		}
		if err != nil {
			return 0, false, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		if n > 0 || total == 0 {
			return vals[0], n > 0, nil
		}
	}
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
