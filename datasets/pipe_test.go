//go:build unix

package datasets

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Opening a pipe whose writer falls silent ends with its context.
func TestSilentPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe.csv")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no pipes here:", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		w, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer w.Close()
		io.WriteString(w, "t,q1\n0,1\n")
		cancel()
		<-t.Context().Done() // open as long as the test lasts
	}()
	if _, err := OpenContext(ctx, path, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
