package doctor

import (
	"fmt"
	"strings"
)

// rowList counts rows of a log and remembers the first few.
type rowList struct {
	count int
	rows  [4]int // counted from 0
}

func (l *rowList) note(row int) {
	if l.count < len(l.rows) {
		l.rows[l.count] = row
	}
	l.count++
}

// place describes the rows, counted from 1, with their times.
func (l *rowList) place(t []float64) string {
	return place(l.rows[:min(l.count, len(l.rows))], l.count, t)
}

// place describes the first of count rows of a log: "rows 5 (t = 0.4 s), 9 (t = 0.8 s) and 12 more".
func place(rows []int, count int, t []float64) string {
	if count == 0 {
		return ""
	}
	parts := make([]string, len(rows))
	for i, r := range rows {
		parts[i] = fmt.Sprintf("%d (t = %.6g s)", r+1, t[r])
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

// first returns at most the first few of rows.
func first(rows []int) []int { return rows[:min(len(rows), 4)] }

// plural is "1 row" or "5 rows".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
