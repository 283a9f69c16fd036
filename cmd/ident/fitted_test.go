package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A message has the same words in every terminal, and no line that is wider.
func TestFitted(t *testing.T) {
	text := "ident: no robot: give --robot FILE, or a log that carries its robot (metadata key ident.robot), or an ident.yaml beside it with a line\n  usage: " + strings.Repeat("word ", 40)
	if got := (streams{}).fitted(text); got != text {
		t.Errorf("no terminal: %s", got)
	}
	for _, width := range []int{40, 80, 120} {
		got := (streams{narrow: width}).fitted(text)
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(text), " ") {
			t.Errorf("other words in %s", got)
		}
		for line := range strings.SplitSeq(got, "\n") {
			if n := utf8.RuneCountInString(line); n > width {
				t.Errorf("%d columns of %d: %s", n, width, line)
			}
		}
	}
}
