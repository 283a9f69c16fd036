package pipe

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A stream that sends nothing for a while is told once, and its further lines are handed on.
func TestTailTellsOfAStall(t *testing.T) {
	in, out := io.Pipe()
	go io.WriteString(out, "one\ntwo\nthr")
	var got []string
	err := Tail(t.Context(), in, false, 0, taking(func(text []byte, final bool) error {
		got = append(got, fmt.Sprintf("%q %v", text, final))
		if len(text) == 0 && !final {
			go func() {
				io.WriteString(out, "ee\n")
				out.Close()
			}()
		}
		return nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{`"one\ntwo\n" false`, `"" false`, `"three\n" false`, `"" true`}; !slices.Equal(got, want) {
		t.Errorf("pieces %q, want %q", got, want)
	}
}

// A taker that is slower than the writer receives all that has come meanwhile at once, in order.
func TestTailOfASlowTaker(t *testing.T) {
	in, out := io.Pipe()
	var want strings.Builder
	line := strings.Repeat("x", 1<<15) + "\n"
	begun, written := make(chan struct{}), make(chan struct{})
	go func() {
		for i := range 8 {
			fmt.Fprintf(out, "%d%s", i, line)
			if i == 0 {
				<-begun
			}
		}
		close(written)
		out.Close()
	}()
	for i := range 8 {
		fmt.Fprintf(&want, "%d%s", i, line)
	}
	var got strings.Builder
	pieces := 0
	if err := Tail(t.Context(), in, false, 0, taking(func(text []byte, _ bool) error {
		if pieces++; pieces == 1 {
			close(begun)
			<-written
		}
		got.Write(text)
		return nil
	})); err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() || pieces > 4 {
		t.Errorf("%d bytes in %d pieces, want %d bytes in four at most: the first, what came meanwhile, what the reader still held, and the end", got.Len(), pieces, want.Len())
	}
}

// Rows that come each millisecond are handed on 20 together where Tail gathers for 20.3 ms.
func TestTailGathers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := make(rows, 100)
		go func() {
			for range 60 {
				in <- "row\n"
				time.Sleep(time.Millisecond)
			}
			close(in)
		}()
		var pieces []int
		if err := Tail(t.Context(), in, false, 20300*time.Microsecond, taking(func(text []byte, _ bool) error {
			pieces = append(pieces, strings.Count(string(text), "\n"))
			return nil
		})); err != nil {
			t.Fatal(err)
		}
		if want := []int{1, 20, 20, 19, 0}; !slices.Equal(pieces, want) {
			t.Errorf("pieces of %d rows, want %d", pieces, want)
		}
	})
}

// taking is a Taker by its Take.
type taking func(text []byte, final bool) error

func (f taking) Take(_ context.Context, text []byte, final bool) error { return f(text, final) }
func (taking) Again()                                                  {}

// rows are a reader of what was sent so far.
type rows chan string

func (r rows) Read(p []byte) (n int, err error) {
	row, ok := <-r
	for n = copy(p, row); ok && len(r) > 0; {
		n += copy(p[n:], <-r)
	}
	if !ok {
		err = io.EOF
	}
	return n, err
}

// A line without an end is handed on cut at MaxLine bytes, however long it is, with the lines around it; memory and time do not grow with its square.
func TestTailOfALongLine(t *testing.T) {
	long := io.LimitReader(repeated("x"), 40<<20)
	var got []int
	if err := Tail(t.Context(), io.MultiReader(strings.NewReader("one\n"), long, strings.NewReader("\ntwo\n"), io.LimitReader(repeated("y"), 3<<20)), false, 0, taking(func(text []byte, _ bool) error {
		for line := range strings.Lines(string(text)) {
			got = append(got, len(line))
		}
		return nil
	})); err != nil {
		t.Fatal(err)
	}
	if want := []int{4, MaxLine + 1, 4, MaxLine}; !slices.Equal(got, want) {
		t.Errorf("lines of %d bytes, want %d", got, want)
	}
}

// repeated reads one letter for ever.
type repeated string

func (r repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r[0]
	}
	return len(p), nil
}

// A file that is renamed while another takes its name, and one that is cut short, are read on: the taker hears that a file begins.
func TestGrowing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.csv")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Error(err)
		}
	}
	write("a\nb")
	in, err := Grow(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	h := &files{}
	h.then = func() {
		switch h.text.String() {
		case "a\n":
			os.Rename(path, path+".1")
			write("c\n")
		case "a\nb\n|c\n":
			write("")
		case "a\nb\n|c\n|":
			write("e\n")
		case "a\nb\n|c\n|e\n":
			cancel()
		}
	}
	if err := Tail(ctx, in, true, 0, h); err != nil {
		t.Fatal(err)
	}
	if got := h.text.String(); got != "a\nb\n|c\n|e\n" {
		t.Errorf("%q", got)
	}
}

// files gathers the text of files, with a bar between them.
type files struct {
	text strings.Builder
	then func()
}

func (f *files) Take(_ context.Context, text []byte, _ bool) error {
	if f.text.Write(text); len(text) > 0 {
		f.then()
	}
	return nil
}

func (f *files) Again() {
	f.text.WriteByte('|')
	f.then()
}
