package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/cmd/ident/internal/pipe"
)

// A file that grows is handed on in whole lines, whenever they come and however
// they are cut, until its reader is interrupted.
func TestTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.csv")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	pieces := []string{"t,q\n0,1\n1,", "2\n", "2,3\n3,4", "\n"}
	var got string
	ended := false
	write := func() {
		if len(pieces) == 0 {
			cancel()
			return
		}
		if _, err := out.WriteString(pieces[0]); err != nil {
			t.Error(err)
		}
		pieces = pieces[1:]
	}
	write()
	err = pipe.Tail(ctx, in, true, 0, taking(func(text []byte, final bool) error {
		got += string(text)
		if !final && !strings.HasSuffix(string(text), "\n") {
			t.Errorf("a piece of a line: %q", text)
		}
		ended = ended || final
		for len(pieces) > 0 && !strings.HasSuffix(pieces[0], "\n") {
			write() // half a line alone is handed on by nobody
		}
		write()
		return nil
	}))
	if err != nil || !ended || got != "t,q\n0,1\n1,2\n2,3\n3,4\n" {
		t.Errorf("%q, ended %v, %v", got, ended, err)
	}
	// Text that ends in the middle of a line is handed on at the end; a reader's fault
	// is passed on, and so is the taker's.
	got = ""
	if err := pipe.Tail(t.Context(), strings.NewReader("a\nb"), false, 0, taking(func(text []byte, _ bool) error { got += string(text); return nil })); err != nil || got != "a\nb" {
		t.Errorf("%q, %v", got, err)
	}
	broken := errors.New("broken")
	if err := pipe.Tail(t.Context(), io.MultiReader(strings.NewReader("a\n"), faulty{broken}), false, 0, taking(func([]byte, bool) error { return nil })); !errors.Is(err, broken) {
		t.Errorf("a reader's fault: %v", err)
	}
	if err := pipe.Tail(t.Context(), strings.NewReader("a\n"), false, 0, taking(func([]byte, bool) error { return broken })); !errors.Is(err, broken) {
		t.Errorf("a taker's fault: %v", err)
	}
}

// taking is a pipe.Taker by its Take.
type taking func(text []byte, final bool) error

func (f taking) Take(_ context.Context, text []byte, final bool) error { return f(text, final) }
func (taking) Again()                                                  {}

type faulty struct{ err error }

func (f faulty) Read([]byte) (int, error) { return 0, f.err }
