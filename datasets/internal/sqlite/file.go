package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// ErrDamaged: the file contradicts itself.
var ErrDamaged = errors.New("the database is damaged")

// ErrNotSQLite: the file has no header of SQLite 3, or is in UTF-16.
var ErrNotSQLite = errors.New("not an SQLite 3 database of UTF-8 text")

const magic = "SQLite format 3\x00"

// A File is an open database.
type File struct {
	r        io.ReaderAt
	pageSize int
	usable   int // of a page
	pages    int64
	most     int // bytes of one row
	tables   map[string]table
}

type table struct {
	root    int64
	columns []string
	rowID   int // column that is the row number and stored as NULL, -1 without one
}

// Open reads the list of tables of a database of size bytes. A row of more than maxRow bytes is an error.
func Open(r io.ReaderAt, size int64, maxRow int) (*File, error) {
	var head [100]byte
	if n, err := r.ReadAt(head[:], 0); n < len(head) {
		if err != io.EOF {
			return nil, err
		}
		return nil, fmt.Errorf("%w: %d bytes", ErrNotSQLite, n)
	}
	if string(head[:16]) != magic {
		return nil, ErrNotSQLite
	}
	f := &File{r: r, pageSize: int(binary.BigEndian.Uint16(head[16:])), most: maxRow, tables: map[string]table{}}
	if f.pageSize == 1 {
		f.pageSize = 1 << 16
	}
	f.usable = f.pageSize - int(head[20])
	if f.pageSize < 512 || f.pageSize&(f.pageSize-1) != 0 || f.usable < 480 {
		return nil, fmt.Errorf("%w: pages of %d bytes, %d of them usable", ErrDamaged, f.pageSize, f.usable)
	}
	if enc := binary.BigEndian.Uint32(head[56:]); enc > 1 {
		return nil, fmt.Errorf("%w: text encoding %d", ErrNotSQLite, enc)
	}
	f.pages = size / int64(f.pageSize)
	if claimed := int64(binary.BigEndian.Uint32(head[28:])); claimed > f.pages && binary.BigEndian.Uint32(head[24:]) == binary.BigEndian.Uint32(head[92:]) {
		return nil, fmt.Errorf("%w: it has %d pages instead of %d", io.ErrUnexpectedEOF, f.pages, claimed)
	}
	// sqlite_schema(type, name, tbl_name, rootpage, sql)
	err := f.scan(1, func(_ int64, row []Value) error {
		if len(row) >= 5 && row[0].Text() == "table" {
			t := table{root: row[3].Int(), rowID: -1}
			t.columns, t.rowID = columnsOf(row[4].Text())
			f.tables[row[1].Text()] = t
		}
		return nil
	})
	return f, err
}

// columnsOf reads the columns' names from a CREATE TABLE statement, and the column that is the row number.
func columnsOf(sql string) (names []string, rowID int) {
	rowID = -1
	open := strings.IndexByte(sql, '(')
	if open < 0 {
		return nil, rowID
	}
	depth, from := 0, open+1
	var parts []string
	for i := open; i < len(sql); i++ {
		switch sql[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 || depth == 1 && sql[i] == ',' {
			parts = append(parts, sql[from:i])
			from = i + 1
		}
		if depth == 0 {
			break
		}
	}
	for _, p := range parts {
		words := strings.Fields(p)
		if len(words) == 0 {
			continue
		}
		switch strings.ToUpper(words[0]) {
		case "PRIMARY", "UNIQUE", "CHECK", "FOREIGN", "CONSTRAINT":
			continue
		}
		if strings.Contains(strings.ToUpper(strings.Join(words, " ")), "INTEGER PRIMARY KEY") {
			rowID = len(names)
		}
		names = append(names, strings.Trim(words[0], "\"`[]'"))
	}
	return names, rowID
}

// Columns lists a table's columns, nil for a table that is absent.
func (f *File) Columns(name string) []string { return f.tables[name].columns }

// Scan calls fn with each row of a table, one value per column. The values are valid until fn returns. An
// absent table has no rows.
func (f *File) Scan(name string, fn func(row []Value) error) error {
	t, ok := f.tables[name]
	if !ok {
		return nil
	}
	var full []Value
	return f.scan(t.root, func(id int64, row []Value) error {
		full = append(full[:0], row...)
		for len(full) < len(t.columns) {
			full = append(full, Value{})
		}
		if t.rowID >= 0 {
			full[t.rowID] = Value{kind: kindInt, bits: uint64(id)}
		}
		return fn(full)
	})
}

// A Value is one value of a row.
type Value struct {
	kind  byte
	bits  uint64
	bytes []byte
}

const (
	kindNull = iota
	kindInt
	kindFloat
	kindBytes
)

// Int returns an integer's value, a number's integer part, or 0 for other types.
func (v Value) Int() int64 {
	switch v.kind {
	case kindInt:
		return int64(v.bits)
	case kindFloat:
		if x := math.Float64frombits(v.bits); math.Abs(x) < 1<<62 {
			return int64(x)
		}
	}
	return 0
}

// Bytes returns a blob's or a text's bytes.
func (v Value) Bytes() []byte { return v.bytes }

// Text returns a text's or a blob's bytes as a string.
func (v Value) Text() string { return string(v.bytes) }
