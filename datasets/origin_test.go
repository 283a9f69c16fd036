package datasets

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The date of a clock is kept whatever the form of its stamps, and in copies of the log; clocks without a date tell none.
func TestOrigin(t *testing.T) {
	day := time.Date(2026, 3, 2, 8, 30, 0, 250e6, time.UTC)
	dir := t.TempDir()
	for _, c := range []struct {
		layout string
		dated  bool
	}{{time.RFC3339Nano, true}, {"2006-01-02 15:04:05.000", true}, {"02.01.2006 15:04:05.000", true}, {"15:04:05.000", false}} {
		text := "time,q1\n"
		for k := range 4 {
			text += fmt.Sprintf("%s,%d\n", day.Add(time.Duration(k)*10*time.Millisecond).Format(c.layout), k)
		}
		path := filepath.Join(dir, "log.csv")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		l, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(dir, "copy.parquet")
		if err := Copy(t.Context(), copied, l, nil); err != nil {
			t.Fatal(err)
		}
		again, err := Open(copied, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []*Log{l, again} {
			at, ok := l.Origin("time")
			if want := float64(day.UnixMilli()) / 1e3; ok != c.dated || ok && (at-want > 1e-6 || want-at > 1e-6) {
				t.Errorf("%s of %s: %v, %v, want %v, %v", c.layout, l.Path(), at, ok, want, c.dated)
			}
			if _, ok := l.Origin("q1"); ok {
				t.Error("a position has a date")
			}
		}
		l.Close()
		again.Close()
	}
}
