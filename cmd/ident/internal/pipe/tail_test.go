package pipe

import (
	"fmt"
	"io"
	"slices"
	"testing"
)

// A stream that sends nothing for a while is told once, and its further lines are handed on.
func TestTailTellsOfAStall(t *testing.T) {
	in, out := io.Pipe()
	go io.WriteString(out, "one\ntwo\nthr")
	var got []string
	err := Tail(t.Context(), in, false, func(text []byte, final bool) error {
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
