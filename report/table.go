package report

import (
	"strings"
	"unicode/utf8"
)

// maxCell is the widest cell of a text table; longer names are cut.
const maxCell = 28

// table aligns columns of text: names to the left, numbers to the right.
type table struct {
	rows     [][]string
	left     int // how many leading columns are names
	lastLeft int // how many trailing columns are words
}

func newTable(header ...string) *table { return &table{rows: [][]string{header}, left: 1} }

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// write prints the table with a rule under its header; words is the number of
// leading columns set to the left.
func (t *table) write(p *textPage, words int) {
	t.left = max(t.left, words)
	n := len(t.rows[0])
	width := make([]int, n)
	for _, r := range t.rows {
		for i := range r {
			r[i] = cut(clean(r[i]), maxCell)
			width[i] = max(width[i], utf8.RuneCountInString(r[i]))
		}
	}
	for k, r := range t.rows {
		var b strings.Builder
		b.WriteString("  ")
		for i, cell := range r {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i < t.left || i >= n-t.lastLeft {
				b.WriteString(cell + pad)
			} else {
				b.WriteString(pad + cell)
			}
			if i < n-1 {
				b.WriteString("  ")
			}
		}
		p.line("%s", b.String())
		if k == 0 {
			total := 2 * (n - 1)
			for _, w := range width {
				total += w
			}
			p.line("  %s", strings.Repeat("-", min(total, p.width-2)))
		}
	}
}

// cut shortens s to n runes, the last being an ellipsis.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return string(r[:n-1]) + "…"
}

// wrap breaks s at spaces into lines of at most width runes; a word longer
// than a line is broken where it must.
func wrap(s, first, rest string, width int) []string {
	var out []string
	line := first
	empty := true
	flush := func() {
		out = append(out, strings.TrimRight(line, " "))
		line, empty = rest, true
	}
	for _, word := range strings.Fields(s) {
		for {
			space := 1
			if empty {
				space = 0
			}
			room := width - utf8.RuneCountInString(line) - space
			n := utf8.RuneCountInString(word)
			if n <= room {
				line += strings.Repeat(" ", space) + word
				empty = false
				break
			}
			if !empty {
				flush()
				continue
			}
			r := []rune(word)
			k := max(room, 8)
			if k >= len(r) {
				line += word
				empty = false
				break
			}
			line += string(r[:k])
			word = string(r[k:])
			flush()
		}
	}
	flush()
	return out
}
