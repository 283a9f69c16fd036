package table

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// A wrapped sum has the words of the sum in their order, no line above the width, and no line that ends with a sign.
func TestWrapKeepsTerms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var words []string
		for k := range rng.IntN(80) + 1 {
			if k > 0 {
				words = append(words, []string{"+", "-"}[rng.IntN(2)])
			}
			words = append(words, strings.Repeat("é", 1+rng.IntN(20)))
		}
		width := 24 + rng.IntN(80)
		text := strings.Join(words, " ")
		lines := Wrap(text, width)
		if strings.Join(lines, " ") != text {
			t.Fatalf("%q became %q", text, lines)
		}
		for i, l := range lines {
			if utf8.RuneCountInString(l) > width || strings.HasSuffix(l, "+") || strings.HasSuffix(l, "-") {
				t.Fatalf("width %d: %q", width, l)
			}
			if i > 0 && utf8.RuneCountInString(lines[i-1])+1+utf8.RuneCountInString(strings.Join(strings.Fields(l)[:2], " ")) <= width {
				t.Fatalf("width %d: %q fits behind %q", width, l, lines[i-1])
			}
		}
	}
	if got := Wrap("a -", 9); len(got) != 1 || got[0] != "a -" {
		t.Errorf("%q", got)
	}
}
