package report

import (
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

// A cut text is the longest that has room, and text of any length is cut.
func TestFit(t *testing.T) {
	ts := textStyle(hueInk, 10)
	if s := fit(strings.Repeat("x", 1e6), ts, 100); len(s) > 100 {
		t.Errorf("%d bytes", len(s))
	}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.ReplaceAll(rapid.StringN(0, 60, -1).Draw(t, "text"), "\n", " ") // labels are of one line
		room := vg.Length(rapid.Float64Range(0, 300).Draw(t, "room"))
		want, r := s, []rune(s)
		for len(r) > 1 && ts.Width(want) > room {
			r = r[:len(r)-1]
			want = string(r) + "…"
		}
		if got := fit(s, ts, room); got != want && ts.Width(got) > room {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
