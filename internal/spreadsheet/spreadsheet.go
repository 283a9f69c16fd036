// Package spreadsheet writes tables of text and numbers, as CSV, in which no spreadsheet finds a formula: text
// that begins like one gets an apostrophe in front, which spreadsheets take for the mark of text. Quotes alone
// do not help, because they are taken off before the cell is read.
package spreadsheet

import (
	"io"
	"strconv"
	"strings"
)

// starts are the characters that begin a formula.
const starts = "=+-@"

// Text returns a cell of text: s, behind an apostrophe where it begins like a formula, or with apostrophes before
// such a beginning.
func Text(s string) string {
	if likeFormula(s) {
		return "'" + s
	}
	return s
}

// Plain returns the inverse of Text.
func Plain(cell string) string {
	if s, ok := strings.CutPrefix(cell, "'"); ok && likeFormula(s) {
		return s
	}
	return cell
}

func likeFormula(s string) bool {
	s = strings.TrimLeft(s, "'")
	return s != "" && strings.IndexByte(starts, s[0]) >= 0
}

// Write writes rows of cells separated by commas (RFC 4180). Numbers stay as they are; other text is that of
// Text, quoted where it has to be or begins like a formula.
func Write(w io.Writer, rows [][]string) error {
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			if _, err := strconv.ParseFloat(cell, 64); err == nil {
				b.WriteString(cell)
				continue
			}
			text := Text(cell)
			if text != cell || strings.ContainsAny(text, ",\"\r\n") || strings.HasPrefix(text, " ") {
				text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
			}
			b.WriteString(text)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}
