// Package rowlist names rows of a log in texts.
package rowlist

import (
	"fmt"
	"math"
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

// Of returns the list of rows.
func Of(rows []int) *List {
	l := &List{Count: len(rows)}
	copy(l.rows[:], rows)
	return l
}

// Spans returns the times of the first few rows since the log's first row, each as a span of no length. Rows without a
// finite time have none.
func (l *List) Spans(t Times) (spans [][2]float64) {
	start := t.At(0)
	for _, r := range l.rows[:min(l.Count, len(l.rows))] {
		if at := t.At(r) - start; !math.IsNaN(at) && !math.IsInf(at, 0) {
			spans = append(spans, [2]float64{at, at})
		}
	}
	return spans
}

// Times has the times of rows, in seconds.
type Times interface{ At(row int) float64 }

// Place describes the rows, counted from 1, with their times since the log's first row.
func (l *List) Place(t Times) string {
	return Place(l.rows[:min(l.Count, len(l.rows))], l.Count, t)
}

// Place describes the first of count rows of a log: "rows 5 (t = 0.4 s), 9 (t = 0.8 s) and 12 more". Times count from the
// first row: those since 1970 would be the same for all rows in any number of digits that one reads.
func Place(rows []int, count int, t Times) string {
	if count == 0 {
		return ""
	}
	start := t.At(0)
	if math.IsNaN(start) || math.IsInf(start, 0) {
		start = 0
	}
	parts := make([]string, len(rows))
	for i, r := range rows {
		parts[i] = fmt.Sprintf("%d (t = %s s)", r+1, Seconds(t.At(r)-start))
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

// Seconds returns a time since the start of a log as text, to the microsecond, which tells the rows of any log apart.
func Seconds(t float64) string {
	if math.IsNaN(t) || math.Abs(t) >= 1e9 {
		return fmt.Sprintf("%.6g", t)
	}
	text := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.6f", t), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

// Plural is "1 row" or "5 rows".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
