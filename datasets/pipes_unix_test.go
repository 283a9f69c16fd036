//go:build unix

package datasets_test

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ident/datasets"
	"ident/internal/textfile"
)

// A pipe that nobody writes to is waited for where it can be read, as text, and nowhere else.
func TestPipesOfFormats(t *testing.T) {
	dir := t.TempDir()
	read, _ := datasets.Extensions()
	for _, ext := range read {
		if kind := datasets.Kind("log" + ext); kind == "text" || kind == "a file of JSON lines" {
			continue
		}
		path := filepath.Join(dir, "pipe"+ext)
		if err := syscall.Mkfifo(path, 0o666); err != nil {
			t.Skip(err)
		}
		answer := make(chan error, 1)
		go func() { _, err := datasets.Open(path, datasets.Options{}); answer <- err }()
		select {
		case err := <-answer:
			if !errors.Is(err, textfile.ErrNotRegular) || !strings.HasPrefix(err.Error(), path+": ") || strings.Count(err.Error(), path) > 1 {
				t.Errorf("%s: %v", ext, err)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%s: it waits for the pipe", ext)
		}
	}
}
