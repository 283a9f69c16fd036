package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ident/cmd/ident/internal/interrupt"
)

// A standard input that stalls, and a standard output that nobody reads, do not keep a command that is interrupted, and
// no temporary copy of them stays.
func TestStalledStreams(t *testing.T) {
	_, arm, _ := exampleFiles(t)
	example := filepath.Join(exampleFolder, "puma560.parquet")
	for _, args := range [][]string{
		{"check", "-", "--robot", arm},
		{"fit", "-", "--robot", arm, "-o", filepath.Join(t.TempDir(), "result")},
		{"convert", "-", "-o", filepath.Join(t.TempDir(), "log.csv")},
		{"convert", example, "-o", "-"},
	} {
		t.Run(strings.Join(args[:2], " "), func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			ctx, cancel := context.WithCancelCause(t.Context())
			in, unfed := io.Pipe()
			unread, out := io.Pipe()
			defer unfed.Close()
			defer unread.Close()
			go func() {
				// Both streams move, and stop for good.
				if args[1] == "-" {
					fmt.Fprintln(unfed, "t,q1,tau1\n0,1,2")
				} else {
					_, _ = unread.Read(make([]byte, 1))
				}
				cancel(interrupt.By{Signal: syscall.SIGINT})
			}()
			ended := make(chan int, 1)
			var errs strings.Builder
			go func() { ended <- run(ctx, args, streams{in: in, out: out, err: &errs}) }()
			select {
			case code := <-ended:
				if code != 130 || errs.String() != "ident: interrupted\n" {
					t.Errorf("exit code %d\n%s", code, errs.String())
				}
			case <-time.After(time.Minute):
				t.Fatal("it waits for the stream")
			}
			if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
				t.Errorf("left in the temporary folder: %v, %v", left, err)
			}
		})
	}
}
