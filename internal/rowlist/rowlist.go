// Package rowlist names rows of a log in texts.
package rowlist

import (
	"fmt"
	"strings"
)

// List counts rows of a log and remembers the first few.
type List struct {
	Count int
	rows  [4]int // counted from 0
}

// Note adds a row.
func (l *List) Note(row int) {
	if l.Count < len(l.rows) {
		l.rows[l.Count] = row
	}
	l.Count++
}

// Times has the times of rows, in seconds.
type Times interface{ At(row int) float64 }

// Place describes the rows, counted from 1, with their times.
func (l *List) Place(t Times) string {
	return Place(l.rows[:min(l.Count, len(l.rows))], l.Count, t)
}

// Place describes the first of count rows of a log: "rows 5 (t = 0.4 s), 9 (t = 0.8 s) and 12 more".
func Place(rows []int, count int, t Times) string {
	if count == 0 {
		return ""
	}
	parts := make([]string, len(rows))
	for i, r := range rows {
		parts[i] = fmt.Sprintf("%d (t = %.6g s)", r+1, t.At(r))
	}
	text := "row "
	if count > 1 {
		text = "rows "
	}
	text += strings.Join(parts, ", ")
	if more := count - len(rows); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// First returns at most the first few of rows.
func First(rows []int) []int { return rows[:min(len(rows), 4)] }

// Plural is "1 row" or "5 rows".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
