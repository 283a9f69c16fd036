package main

import (
	"strings"
	"unicode/utf8"
)

// hang returns head and text as lines of at most width characters, of which all but the first are indented; a longer word
// stands on a line of its own. Without a width it returns one line.
func hang(head, text string, indent, width int) string {
	if width <= indent {
		return head + text
	}
	var b strings.Builder
	b.WriteString(head)
	at := utf8.RuneCountInString(head)
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case at > indent && at+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		case i > 0:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}
