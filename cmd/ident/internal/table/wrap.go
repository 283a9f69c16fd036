package table

import (
	"strings"
	"unicode/utf8"
)

// Width is the longest line of the texts that commands print, in characters.
const Width = 100

// Wrap breaks a text at its spaces into lines of at most width characters. A sign stays with the term behind it, so that a broken
// sum is read term by term; a longer word stands on a line of its own.
func Wrap(text string, width int) []string {
	var lines []string
	line, sign := "", ""
	for _, w := range strings.Fields(text) {
		if w == "+" || w == "-" {
			sign = w + " "
			continue
		}
		w, sign = sign+w, ""
		switch {
		case line == "":
			line = w
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(w) > width:
			lines = append(lines, line)
			line = w
		default:
			line += " " + w
		}
	}
	return append(lines, strings.TrimSpace(line+" "+sign))
}
