package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"ident/cmd/ident/internal/interrupt"
	"ident/internal/long"
)

// tripwire is a context that Ctrl-C cancels at one of the moments at which a command looks at it.
type tripwire struct {
	context.Context
	left   atomic.Int64
	cancel context.CancelCauseFunc
}

func newTripwire(t *testing.T, looks int64) *tripwire {
	ctx, cancel := context.WithCancelCause(t.Context())
	t.Cleanup(func() { cancel(nil) })
	c := &tripwire{Context: ctx, cancel: cancel}
	c.left.Store(looks)
	return c
}

func (c *tripwire) Err() error {
	if c.left.Add(-1) == 0 {
		c.cancel(interrupt.By{Signal: syscall.SIGINT})
	}
	return c.Context.Err()
}

// A command that Ctrl-C cancels ends by itself, with 130 and one line, whenever it looks at its context, and
// leaves no output. Forced exits are for the time between two looks alone.
func TestCancelledCommands(t *testing.T) {
	dir := t.TempDir()
	seedFiles(t, dir)
	at := func(name string) string { return filepath.Join(dir, name) }
	arm, log, result := at("arm.urdf"), at("log.csv"), at("result")
	if code, text := runGuarded([]string{"fit", log, "--robot", arm, "--force", "--plain", "-o", result}); code != exitDone && code != exitVerdict {
		t.Fatalf("exit code %d\n%s", code, text)
	}
	for i, c := range []struct {
		least int64 // looks
		out   string
		args  []string
	}{
		{3, "new.yaml", []string{"init", arm, log}},
		{25, "", []string{"base-params", arm, "--effects"}},
		{50, "code", []string{"codegen", arm, "--model", "all", "--lang", "c,go"}},
		{5, "simulated.csv", []string{"simulate", arm, "--trajectory", at("motion.json"), "--rate", "1000"}},
		{20, "", []string{"check", log, "--robot", arm}},
		{50, "other", []string{"fit", log, "--robot", arm, "--force"}},
		{10, "", []string{"validate", result, log}},
		{10, "drawn", []string{"plot", result}},
		{5, "log.parquet", []string{"convert", log}},
	} {
		t.Run(c.args[0], func(t *testing.T) {
			if i > 0 && c.args[0] != "check" && c.args[0] != "convert" {
				long.Only(t, "init, check and convert")
			}
			out := filepath.Join(t.TempDir(), c.out)
			if c.out != "" {
				c.args = append(c.args, "-o", out)
			}
			try := func(looks int64) (int, string, int64) {
				ctx := newTripwire(t, looks)
				var text, errs strings.Builder
				code := run(ctx, c.args, streams{in: strings.NewReader(""), out: &text, err: &errs})
				return code, errs.String(), looks - ctx.left.Load()
			}
			code, text, looks := try(math.MaxInt64)
			if code != exitDone && code != exitVerdict {
				t.Fatalf("exit code %d\n%s", code, text)
			}
			t.Logf("looks at its context %d times", looks)
			if looks < c.least {
				t.Errorf("looks at its context %d times, want %d at least", looks, c.least)
			}
			os.RemoveAll(out)
			for _, k := range []int64{looks / 2, looks / 4, 1}[:long.Of(3, 1)] {
				code, text, _ := try(max(k, 1))
				if code != 130 || strings.Count(text, "ident: interrupted\n") != 1 {
					t.Errorf("cancelled at look %d of %d: exit code %d\n%s", k, looks, code, text)
				}
				if c.out != "" && fileExists(out) {
					t.Errorf("cancelled at look %d of %d: it left %s", k, looks, c.out)
				}
				os.RemoveAll(out)
			}
		})
	}
}
