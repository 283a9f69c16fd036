package help

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"ident/cmd/ident/internal/table"
	"ident/docs/questions"
)

// Marks of Markdown that a terminal does not show.
var (
	link     = regexp.MustCompile(`\[([^]]+)\]\([^)]*\)`)
	emphasis = regexp.MustCompile("\\*\\*|`")
	item     = regexp.MustCompile(`^(-|\d+\.) `)
)

// terminal returns a page of the manual as text: paragraphs are wrapped, blocks of commands indented, rows of tables aligned.
func terminal(p questions.Page) string {
	var b, paragraph strings.Builder
	b.WriteString(p.Title + "\n\n")
	var rows [][]string
	flush := func() {
		text := paragraph.String()
		paragraph.Reset()
		hang := len(item.FindString(text))
		for i, line := range table.Wrap(text, width-hang) {
			if i > 0 {
				line = strings.Repeat(" ", hang) + line
			}
			if line != "" {
				b.WriteString(line + "\n")
			}
		}
		widths := map[int]int{}
		for _, r := range rows {
			for k, cell := range r {
				widths[k] = max(widths[k], utf8.RuneCountInString(cell)+2)
			}
		}
		for _, r := range rows {
			if len(r) == 2 {
				entry(&b, "  "+r[0], r[1], min(widths[0], 34)+2)
				continue
			}
			line := " "
			for k, cell := range r {
				line += " " + cell + strings.Repeat(" ", widths[k]-1-utf8.RuneCountInString(cell))
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		rows = nil
	}
	block := false
	for line := range strings.Lines(p.Text) {
		line = strings.TrimRight(line, "\n")
		switch plain := emphasis.ReplaceAllString(link.ReplaceAllString(line, "$1"), ""); {
		case strings.HasPrefix(line, "```"):
			block = !block
		case block:
			b.WriteString(strings.TrimRight("  "+line, " ") + "\n")
		case line == "":
			flush()
			b.WriteString("\n")
		case strings.HasPrefix(line, "|--"):
		case strings.HasPrefix(line, "|"):
			rows = append(rows, strings.Split(strings.Trim(plain, "| "), " | "))
		case strings.HasPrefix(line, "    "):
			b.WriteString(line + "\n")
		default:
			if item.MatchString(line) {
				flush()
			}
			paragraph.WriteString(plain + " ")
		}
	}
	flush()
	return b.String()
}
