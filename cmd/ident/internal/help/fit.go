package help

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"ident/cmd/ident/internal/table"
)

// column finds where the text of a line begins: behind its indent, its name and two blanks, or its bullet.
var column = regexp.MustCompile(`^ *(\S+( \S+)*  +|-  ?|\d+\.  ?)?`)

// Fit breaks a text for a terminal of width columns. A text that was written for it, or for none (0), stays as it is.
func Fit(text string, width int) string {
	if width <= 0 || width >= table.Width {
		return text
	}
	width = max(width, 40)
	var b strings.Builder
	line, hang := "", 0
	flush := func() {
		if line == "" {
			return
		}
		if hang > width*2/3 {
			hang = 4
		}
		from := max(hang, len(line)-len(strings.TrimLeft(line, " "))) + 1
		for ; utf8.RuneCountInString(line) > width; from = hang + 1 {
			at := breakAt(line, width, from)
			b.WriteString(strings.TrimRight(line[:at], " ") + "\n")
			line = strings.Repeat(" ", hang) + strings.TrimLeft(line[at:], " ")
		}
		b.WriteString(line + "\n")
		line = ""
	}
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\n")
		indent := len(l) - len(strings.TrimLeft(l, " "))
		switch {
		case strings.TrimSpace(l) == "":
			flush()
			b.WriteString("\n")
		case line != "" && indent == hang && !strings.HasPrefix(l[indent:], "- ") && !strings.HasPrefix(l, "  ident "):
			line += " " + l[indent:] // the line before goes on
		default:
			flush()
			line, hang = l, utf8.RuneCountInString(column.FindString(l))
			if hang == indent && indent > 0 {
				hang = indent + 2
			}
		}
	}
	flush()
	return b.String()
}

// breakAt returns the byte at which a line is broken: behind the last blank within width, or before the first one behind it; from is where its text
// may be broken first.
func breakAt(line string, width, from int) int {
	best, n := len(line), 0
	for i, r := range line {
		if r == ' ' && n >= from && n <= width {
			best = i
		}
		if r == ' ' && n > width && best == len(line) {
			return i
		}
		n++
	}
	return best
}
