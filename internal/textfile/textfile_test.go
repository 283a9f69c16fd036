package textfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/internal/textfile"
)

func TestReadToABound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for n, fits := range map[int]bool{0: true, 5: true, 1 << 20: true, 1<<20 + 1: false} {
		want := strings.Repeat("a", n)
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		text, err := textfile.Read(path, 1<<20)
		if fits != (err == nil) || fits && string(text) != want {
			t.Errorf("%d bytes: %d read, %v", n, len(text), err)
		}
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		if _, err := textfile.ReadStream("/dev/zero", 1<<20); err == nil || !strings.Contains(err.Error(), "more than 1 MiB") {
			t.Error("a device without an end:", err)
		}
		if _, err := textfile.Read("/dev/zero", 1<<20); !errors.Is(err, textfile.ErrNotRegular) {
			t.Error("a device where a file is meant:", err)
		}
	}
}
