package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Lines of a finding fit the terminal unless a word is longer; their words are those of the text, and all but the first
// are indented.
func TestHang(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, indent := rapid.IntRange(12, 120).Draw(t, "width"), rapid.IntRange(0, 9).Draw(t, "indent")
		words := rapid.SliceOfN(rapid.StringMatching(`[a-zµ→%]{1,14}`), 0, 40).Draw(t, "words")
		head := "warning  " + rapid.StringMatching(`[a-z-]{1,10}: `).Draw(t, "head")
		text := hang(head, strings.Join(words, " "), indent, width)
		if got := strings.Fields(text); strings.Join(got, " ") != strings.Join(strings.Fields(head+strings.Join(words, " ")), " ") {
			t.Fatalf("%q", text)
		}
		for i, line := range strings.Split(text, "\n") {
			own := strings.TrimLeft(line, " ")
			if i > 0 && (len(line)-len(own) != indent || own == "") || utf8.RuneCountInString(line) > width && i > 0 && strings.Contains(own, " ") {
				t.Fatalf("line %d of %q", i, text)
			}
		}
	})
	if got := hang("error    gap  t: ", "a b", 9, 0); got != "error    gap  t: a b" {
		t.Errorf("%q", got)
	}
}
