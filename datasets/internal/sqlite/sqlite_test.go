package sqlite

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// bag is a database written by SQLite itself, with rows over several pages.
func bag(t testing.TB) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "testdata", "foreign", "ros2.db3"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// scanAll reads every table and returns its number of rows.
func scanAll(data []byte) (rows map[string]int, err error) {
	f, err := Open(bytes.NewReader(data), int64(len(data)), 1<<20)
	if err != nil {
		return nil, err
	}
	rows = map[string]int{}
	for name := range f.tables {
		err = errors.Join(err, f.Scan(name, func(row []Value) error {
			rows[name]++
			for _, v := range row {
				if len(v.Bytes()) > len(data) {
					return errors.New("a value longer than the file")
				}
				_, _ = v.Int(), v.Text()
			}
			return nil
		}))
	}
	return rows, err
}

func TestTablesThatSQLiteWrote(t *testing.T) {
	data := bag(t)
	f, err := Open(bytes.NewReader(data), int64(len(data)), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Columns("messages"), []string{"id", "topic_id", "timestamp", "data"}; !slices.Equal(got, want) {
		t.Errorf("columns %q", got)
	}
	if f.Columns("nothing") != nil {
		t.Error("columns of no table")
	}
	ids, long := int64(0), 0
	err = f.Scan("messages", func(row []Value) error {
		ids++
		if row[0].Int() != ids {
			t.Errorf("row %d has the number %d", ids, row[0].Int())
		}
		switch len(row[3].Bytes()) {
		case 3000: // more than a page holds: zeros, to the last byte
			long++
			if !bytes.Equal(row[3].Bytes(), make([]byte, 3000)) || row[1].Int() != 2 {
				t.Errorf("row %d: overflow pages put together wrongly", ids)
			}
		default:
			if row[1].Int() != 1 || row[2].Int() < 1_700_000_000_000_000_000 {
				t.Errorf("row %d: topic %d at %d", ids, row[1].Int(), row[2].Int())
			}
		}
		return nil
	})
	if err != nil || ids != 44 || long != 4 {
		t.Errorf("%d rows, %d long ones: %v", ids, long, err)
	}
	stop := errors.New("enough")
	if err := f.Scan("topics", func([]Value) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("fn's error: %v", err)
	}
}

func TestColumnsOf(t *testing.T) {
	for _, c := range []struct {
		sql   string
		names []string
		rowID int
	}{
		{"CREATE TABLE m(id INTEGER PRIMARY KEY, \"a b\" DECIMAL(9, 2), [c] BLOB)", []string{"id", "a", "c"}, 0},
		{"CREATE TABLE m (x TEXT, y INT, PRIMARY KEY(x, y))", []string{"x", "y"}, -1},
		{"CREATE TABLE", nil, -1},
		{"CREATE TABLE m((", nil, -1},
	} {
		if names, id := columnsOf(c.sql); !slices.Equal(names, c.names) || id != c.rowID {
			t.Errorf("%s: %q, %d", c.sql, names, id)
		}
	}
}

func TestDamagedDatabases(t *testing.T) {
	data := bag(t)
	for n := 0; n < len(data); n += 97 {
		if _, err := scanAll(data[:n]); err == nil {
			t.Errorf("%d bytes of %d: no error", n, len(data))
		}
	}
	if _, err := scanAll(data[:2048]); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("two pages: %v", err)
	}
	// A tree that contains itself: the root of the schema becomes an interior page whose last child it is.
	loop := bytes.Clone(data[:1024])
	loop[100], loop[103], loop[104] = 5, 0, 0
	copy(loop[108:], []byte{0, 0, 0, 1})
	copy(loop[28:], []byte{0, 0, 0, 1})
	if _, err := scanAll(loop); !errors.Is(err, ErrDamaged) {
		t.Errorf("loop: %v", err)
	}
}

func FuzzSQLite(f *testing.F) {
	data := bag(f)
	f.Add(data)
	f.Add(data[:4096])
	for _, at := range []int{16, 20, 100, 103, 108, 1024, 1030, 5000, 9000} {
		broken := bytes.Clone(data)
		broken[at] ^= 0x11
		f.Add(broken)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := scanAll(data); err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotSQLite) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Error(err)
		}
	})
}
