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
			if err := Copy(t.Context(), path, plain, nil); err != nil {
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

// endsAfter is a context whose end shows at the call of Err after so many.
type endsAfter struct {
	context.Context
	calls int
}

func (c *endsAfter) Err() error {
	if c.calls--; c.calls < 0 {
		return context.Canceled
	}
	return nil
}

// A copy ends between two batches of rows, and the file before it stays.
func TestCopyEndsWithItsContext(t *testing.T) {
	rows := 5 * DefaultBatch
	l := FromColumns("l", []Channel{{Name: "t"}}, [][]float64{make([]float64, rows)}, nil)
	path := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(path, []byte("t\n1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(ctx context.Context) error{
		"Copy": func(ctx context.Context) error { return Copy(ctx, path, l, nil) },
		"Join": func(ctx context.Context) error { return Join(ctx, path, []*Log{l, l}, nil) },
	} {
		if err := write(&endsAfter{t.Context(), 3}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != "t\n1\n" {
			t.Errorf("%s: the file before is %d bytes, %v", name, len(text), err)
		}
		if err := write(&endsAfter{t.Context(), 30}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.WriteFile(path, []byte("t\n1\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
