package datasets

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A log opened with a context is read as long as that lasts: its file, and its rows.
func TestOpenContext(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("t,q1\n")
	for k := range 20_000 {
		fmt.Fprintf(&text, "%d,%d\n", k, k)
	}
	csv := filepath.Join(dir, "log.csv")
	if err := os.WriteFile(csv, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	plain, err := Open(csv, Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, formats := Extensions()
	for _, ext := range formats {
		path := filepath.Join(dir, "log"+ext)
		if path != csv {
			if err := Copy(path, plain, nil); err != nil {
				t.Fatal(err)
			}
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := OpenContext(gone, path, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: opened with a context that is done: %v", ext, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		l, err := OpenContext(ctx, path, Options{})
		if err != nil {
			t.Fatalf("%s: %v", ext, err)
		}
		batches := 0
		err = l.Scan([]string{"q1"}, 0, func(int, [][]float64) error {
			batches++
			cancel()
			return nil
		})
		if !errors.Is(err, context.Canceled) || batches != 1 {
			t.Errorf("%s: %d batches after the context was done, %v", ext, batches-1, err)
		}
		if err := l.Close(); err != nil {
			t.Errorf("%s: %v", ext, err)
		}
	}
}
