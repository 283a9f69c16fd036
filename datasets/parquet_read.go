package datasets

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ident/internal/parquet"
)

// parquetSource reads a Parquet file row group by row group, page by page.
type parquetSource struct {
	path    string
	f       readerAtCloser
	size    int64
	file    *parquet.File
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
	width  int // of a list, 0 for a scalar
	entry  int // of the list, from 0
}

// openParquet describes a file and takes it over.
func openParquet(path string, f readerAtCloser, size int64, opt Options) (table, error) {
	s := &parquetSource{path: path, f: f, size: size}
	return described(path, f, func() (table, error) { return s.describe(opt) })
}

// locate adds the place to an error, and its kind.
func (s *parquetSource) locate(group int, column string, err error) error {
	var damage parquet.Damage
	var unsupported parquet.Unsupported
	switch {
	case errors.As(err, &damage):
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	case errors.As(err, &unsupported):
		err = fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return located(s.path, group, column, err)
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
	err := guard(func() (err error) {
		s.file, err = parquet.Open(s.f, s.size, mostDecoded(s.size))
		return err
	})
	if err != nil {
		return table{}, s.locate(0, "", err)
	}

	t := table{meta: map[string]string{}, src: s}
	for _, kv := range s.file.Meta {
		// The writer's copy of its schema repeats the channels.
		if kv.Key != "ARROW:schema" {
			t.meta[kv.Key] = kv.Value
		}
	}
	var headers, units []string
	for i, d := range s.file.Columns {
		if d.List() && len(d.Path) == 3 {
			width, why := listWidth(s.file, i)
			for k := range width {
				s.columns = append(s.columns, parquetColumn{index: i, width: width, entry: k})
				headers, units = append(headers, fmt.Sprintf("%s[%d]", d.Path[0], k)), append(units, "")
			}
			if why != "" {
				t.notes = append(t.notes, Note{Channel: d.Path[0], Text: "skipped: " + why})
			}
			continue
		}
		unit, col, why := parquetScalar(d)
		if why != "" {
			t.notes = append(t.notes, Note{Channel: strings.Join(d.Path, "."), Text: "skipped: " + why})
			continue
		}
		col.index = i
		s.columns = append(s.columns, col)
		headers, units = append(headers, d.Path[len(d.Path)-1]), append(units, unit)
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
	if err := s.findOrigins(); err != nil {
		return t, err
	}
	if _, elsewhere := s.f.(borrowed); !elsewhere {
		t.beside(s.path)
	}
	return t, s.episodes(&t)
}

// parquetScalar returns the unit and the conversion of a scalar numeric column, or the reason to skip it.
func parquetScalar(d parquet.Column) (unit string, col parquetColumn, why string) {
	switch {
	case len(d.Path) != 1 || d.Repetition > 0:
		return "", col, "nested or repeated; scalar columns and lists of one length are channels"
	case d.Definition > 1:
		return "", col, "nested"
	}
	switch d.Type {
	case parquet.Boolean, parquet.Float, parquet.Double:
		return "", col, ""
	case parquet.Int32, parquet.Int64:
	default:
		return "", col, "values of type " + d.Type.String() + " are no numbers"
	}
	switch l := d.Logical; l.Meaning {
	case parquet.Timestamp:
		col.stamp = true
		unit = l.Unit
		col.conv, _ = conversionOf(unit)
	case parquet.Time:
		unit = l.Unit
	case parquet.Decimal:
		if l.Scale < 0 || l.Scale > 18 {
			return "", col, fmt.Sprintf("decimal numbers of scale %d", l.Scale)
		}
		col.conv = conversion{"", 1, pow10(l.Scale)}
	case parquet.Date:
		return "", col, "dates are no channel"
	}
	return unit, col, ""
}

// checkGroups sums the rows of the groups and checks that each column chunk lies within the file.
func (s *parquetSource) checkGroups() error {
	most := mostRows(s.size)
	s.groups = []int{0}
	total := int64(0)
	for g, rg := range s.file.Groups {
		n := rg.Rows
		if n < 0 || n > most || total+n > most {
			return s.locate(g+1, "", fmt.Errorf("%w: %d rows in a file of %d bytes", ErrDamaged, total+n, s.size))
		}
		if len(rg.Chunks) != len(s.file.Columns) {
			return s.locate(g+1, "", fmt.Errorf("%w: %d columns instead of %d", ErrDamaged, len(rg.Chunks), len(s.file.Columns)))
		}
		for _, c := range s.columns {
			if c.width > 0 {
				continue // when its width was found
			}
			if err := s.file.Check(g, c.index); err != nil {
				return s.locate(g+1, c.name, err)
			}
		}
		total += n
		s.groups = append(s.groups, int(total))
	}
	if total != s.file.Rows {
		return fmt.Errorf("%w: %d rows announced, %d in the row groups", ErrDamaged, s.file.Rows, total)
	}
	return nil
}

// findOrigins reads the first value of each column of time stamps, the origin of its seconds.
func (s *parquetSource) findOrigins() error {
	for i := range s.columns {
		if !s.columns[i].stamp {
			continue
		}
		for g := range s.file.Groups {
			found := false
			err := guard(func() error {
				r, err := s.file.Chunk(g, s.columns[i].index)
				if err == nil {
					s.columns[i].origin, found, err = r.FirstInt()
				}
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

func (s *parquetSource) close() error { return closed(s.f.Close()) }

func (s *parquetSource) open(cols []int, first int) (cursor, error) {
	c := &parquetCursor{s: s, cols: slices.Clone(cols)}
	if slices.ContainsFunc(cols, func(k int) bool { return s.columns[k].width > 0 }) {
		c.lists = &lists{s: s}
	}
	// The last group that begins at or before first; empty groups share a beginning.
	for c.group+1 < len(s.groups)-1 && s.groups[c.group+1] <= first {
		c.group++
	}
	if len(s.groups) > 1 {
		c.skip = first - s.groups[c.group]
	}
	return c, nil
}
