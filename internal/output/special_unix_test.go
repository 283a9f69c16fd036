//go:build unix

package output

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A FIFO is written into and stays one.
func TestWriteIntoFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no FIFOs here:", err)
	}
	read := make(chan string)
	go func() {
		f, err := os.Open(path)
		if err != nil {
			read <- err.Error()
			return
		}
		defer f.Close()
		got, _ := io.ReadAll(f)
		read <- string(got)
	}()
	if err := Write(path, text("through")); err != nil {
		t.Fatal(err)
	}
	if got := <-read; got != "through" {
		t.Errorf("read %q", got)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
