package table

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Width is the longest line of the texts that commands print, in characters.
const Width = 100

// fields returns the words of a text. A word that a shell reads as one, as 'my log.csv' or --unit 'q 1'=deg has, is not split.
func fields(text string) []string {
	var out []string
	word := ""
	for text != "" {
		r, n := utf8.DecodeRuneInString(text)
		last := byte('=')
		if word != "" {
			last = word[len(word)-1]
		}
		if end := strings.IndexByte(text[1:], '\''); r == '\'' && end >= 0 && strings.IndexByte("=$_'", last) >= 0 {
			n = end + 2 // to the closing quote
		} else if unicode.IsSpace(r) {
			if word != "" {
				out, word = append(out, word), ""
			}
			text = text[n:]
			continue
		}
		word, text = word+text[:n], text[n:]
	}
	if word != "" {
		out = append(out, word)
	}
	return out
}

// Wrap breaks a text at its spaces into lines of at most width characters. A sign stays with the term behind it, so that a broken
// sum is read term by term; a longer word, or a quoted one with spaces, stands on a line of its own.
func Wrap(text string, width int) []string {
	var lines []string
	line, sign := "", ""
	for _, w := range fields(text) {
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
