package pipe

import (
	"fmt"
	"io"
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
	err := Tail(t.Context(), in, false, 0, func(text []byte, final bool) error {
		got = append(got, fmt.Sprintf("%q %v", text, final))
		if len(text) == 0 && !final {
			go func() {
				io.WriteString(out, "ee\n")
				out.Close()
			}()
		}
		return nil
	})
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
	if err := Tail(t.Context(), in, false, 0, func(text []byte, _ bool) error {
		if pieces++; pieces == 1 {
			close(begun)
			<-written
		}
		got.Write(text)
		return nil
	}); err != nil {
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
		if err := Tail(t.Context(), in, false, 20300*time.Microsecond, func(text []byte, _ bool) error {
			pieces = append(pieces, strings.Count(string(text), "\n"))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if want := []int{1, 20, 20, 19, 0}; !slices.Equal(pieces, want) {
			t.Errorf("pieces of %d rows, want %d", pieces, want)
		}
	})
}

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
