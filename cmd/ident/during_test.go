package main

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"
)

// told is a writer that tells of each line.
type told struct {
	bytes.Buffer
	lines chan struct{}
}

func (w *told) Write(p []byte) (int, error) {
	n, err := w.Buffer.Write(p)
	w.lines <- struct{}{}
	return n, err
}

// Work names itself at each tick, and nothing of it is left at its end; work between two ticks says nothing.
func TestDuring(t *testing.T) {
	ticks, w := make(chan time.Time), &told{lines: make(chan struct{}, 10)}
	want := errors.New("as it was")
	err := announce(w, "drawing", ticks, func() error {
		for range 2 {
			ticks <- time.Now()
			<-w.lines
		}
		return want
	})
	if text := w.String(); !errors.Is(err, want) || !regexp.MustCompile(`^(\r\x1b\[Kdrawing, \d+ s){2}\r\x1b\[K$`).MatchString(text) {
		t.Errorf("%v, and %q", err, text)
	}
	quiet := &told{lines: make(chan struct{}, 10)}
	if err := announce(quiet, "drawing", ticks, func() error { return nil }); err != nil || quiet.Len() > 0 {
		t.Errorf("%v, and %q", err, quiet.String())
	}
	var out, errs bytes.Buffer
	if run(context.Background(), []string{"robot", "nowhere.urdf"}, streams{out: &out, err: &errs}); strings.Contains(errs.String(), "\x1b") {
		t.Error("progress where no terminal is")
	}
}
