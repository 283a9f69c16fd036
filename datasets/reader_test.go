package datasets

import (
	"bytes"
	"errors"
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
