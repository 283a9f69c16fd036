package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sameLog compares two logs of one file, opened by path and by reader.
func sameLog(t *testing.T, path, reader *Log) {
	t.Helper()
	if reader.Path() != "" || reader.Name() != path.Name() {
		t.Errorf("path %q and name %q of a reader, want none and %q", reader.Path(), reader.Name(), path.Name())
	}
	if !slices.Equal(reader.Channels(), path.Channels()) || reader.Rows() != path.Rows() || !maps.Equal(reader.Meta(), path.Meta()) ||
		!slices.Equal(reader.Notes(), path.Notes()) || reader.DroppedRows() != path.DroppedRows() || !slices.Equal(reader.Dropped(), path.Dropped()) {
		t.Fatalf("%d rows of %v by reader, %d rows of %v by path", reader.Rows(), reader.Channels(), path.Rows(), path.Channels())
	}
	want, err := path.Columns(path.Names()...)
	if err != nil {
		t.Fatal(err)
	}
	wantColumns(t, "by reader", reader, path.Names(), want)
	runs, err := reader.Runs()
	if err != nil || len(runs) == 0 {
		t.Fatalf("runs %v, %v", runs, err)
	}
}

// readerOf opens the bytes of a file with its name alone.
func readerOf(t *testing.T, path string, opt Options) (*Log, error) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return OpenReader(bytes.NewReader(data), int64(len(data)), filepath.Base(path), opt)
}

// TestReaderIsThePath reads every format that Write writes, from a path and from memory.
func TestReaderIsThePath(t *testing.T) {
	channels, cols := sample(3, 5000)
	channels[0].Name = "t"
	for k := range cols[0] {
		cols[0][k] = 1e-3 * float64(k)
	}
	for _, s := range storages() {
		if s.ext == "" {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			byPath := s.keep(t, t.TempDir(), channels, cols, map[string]string{"robot": "arm"})
			defer byPath.Close()
			l, err := readerOf(t, byPath.Path(), s.opt)
			if err != nil {
				t.Fatal(err)
			}
			if f, err := formatOf(byPath.Path()); err != nil || f.text() { // whose metadata stand in another file
				l.meta = byPath.meta
			}
			sameLog(t, byPath, l)
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestReaderOfForeignFiles reads the files of other programs, the formats that are only read among them.
func TestReaderOfForeignFiles(t *testing.T) {
	paths, err := filepath.Glob("testdata/foreign/*")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, path := range paths {
		if filepath.Ext(path) == ".md" {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			byPath, wrong := Open(path, Options{})
			l, err := readerOf(t, path, Options{})
			if wrong != nil {
				// The same error, without the folder.
				if err == nil || strings.ReplaceAll(wrong.Error(), path, filepath.Base(path)) != err.Error() {
					t.Fatalf("by path %v, by reader %v", wrong, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer byPath.Close()
			sameLog(t, byPath, l)
			kinds[filepath.Ext(path)]++
		})
	}
	for _, ext := range []string{".parquet", ".arrow", ".arrows", ".npz", ".npy", ".mat", ".bag", ".db3", ".mcap"} {
		if kinds[ext] == 0 {
			t.Errorf("no %s file was read", ext)
		}
	}
}

func TestReaderErrors(t *testing.T) {
	for name, want := range map[string]error{"log.xyz": ErrFormat, "log.parquet": ErrFormat, "log.npz": ErrFormat, "log.csv": ErrNoHeader, "log.bag": ErrFormat} {
		const text = "1,2,3\n4,5,6\n"
		_, err := OpenReader(strings.NewReader(text), int64(len(text)), name, Options{})
		var at *FileError
		if !errors.Is(err, want) || !errors.As(err, &at) || at.Path != name {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	_, err := OpenReader(strings.NewReader("t\n1\n"), 4, "log.csv", Options{Topics: []string{"/joint_states"}})
	if !errors.Is(err, ErrNoTopic) {
		t.Errorf("topics of a text file: %v", err)
	}
	// A size beyond the end of the reader.
	data, err := os.ReadFile("testdata/foreign/hyparquet.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReader(bytes.NewReader(data), int64(len(data))+100, "x.parquet", Options{}); err == nil {
		t.Error("a size beyond the end is no error")
	}
}

// TestFurther reads rows one by one behind the head of a text as it reads all of them at once: values, channels, and errors with their lines.
func TestFurther(t *testing.T) {
	for _, c := range []struct {
		name, head, rows string
		opt              Options
	}{
		{"units below", "t,q,tau\ns,deg,Nm\n", "0,90,1\n1,180,nan\n", Options{}},
		{"units beside, a comma as point", "# rig: a\nt [ms];q [deg]\n", "0;1,5\n10;-2,5\n\n20;3\n", Options{}},
		{"blanks", "t q tau\n", "0  1 2\n1 2   3\n", Options{}},
		{"skipped, scaled", "t\tq\textra\n", "0\t1\tx\n1\t2\ty\n", Options{Skip: []string{"extra"}, Scale: map[string]float64{"q": 3}}},
		{"dropped", "t,q\n", "0,1\n1,x\n2,3,4\n3,5\n", Options{BadRows: Drop}},
		{"refused", "# one\n\nt,q\n", "0,1\n1,2\n2,x\n", Options{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := "log.csv"
			if strings.Contains(c.head, "\t") {
				name = "log.tsv"
			}
			open := func(text string) (*Log, error) {
				return OpenReader(strings.NewReader(text), int64(len(text)), name, c.opt)
			}
			whole, wrong := open(c.head + c.rows)
			lines := slices.Collect(strings.Lines(c.rows))
			l, err := open(c.head + lines[0])
			if err != nil {
				t.Fatal(err)
			}
			var got [][]float64
			dropped := 0
			for i := 0; ; i++ {
				if i > 0 {
					if l, err = l.Further([]byte(lines[i])); err != nil {
						break
					}
				}
				cols, err := l.Columns(l.Names()...)
				if err != nil {
					t.Fatal(err)
				}
				if got == nil {
					got = make([][]float64, len(cols))
				}
				for k := range cols {
					got[k] = append(got[k], cols[k]...)
				}
				dropped += l.DroppedRows()
				if i == len(lines)-1 {
					break
				}
			}
			if wrong != nil {
				// The line is that of the text handed over, a line each time.
				if err == nil || strings.NewReplacer("line 6", "line 1", "row 3", "row 1").Replace(wrong.Error()) != err.Error() {
					t.Fatalf("row by row %v, at once %v", err, wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want, err := whole.Columns(whole.Names()...)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(l.Channels(), whole.Channels()) || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%v %v row by row, %v %v at once", l.Names(), got, whole.Names(), want)
			}
			if whole.DroppedRows() != dropped {
				t.Errorf("%d rows dropped one by one, %d at once", dropped, whole.DroppedRows())
			}
		})
	}
}
