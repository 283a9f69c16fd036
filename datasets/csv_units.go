package datasets

import (
	"bytes"
	"fmt"
	"strings"
)

// unitLine reads the units in the line below the channel names, as test benches write them: "s,deg,deg/s,Nm",
// each with or without brackets. ok is false for a line of data. A line counts as one of units where no cell
// is a number, some are, and at least half of them are known units; the others are the caller's to refuse.
// "-" and empty cells stand for no unit.
func unitLine(line string, headers []string, delimiter byte) (units []string, ok bool) {
	units = splitFields(line, delimiter)
	if len(units) != len(headers) {
		return nil, false
	}
	known, cells := 0, 0
	for i, u := range units {
		if inner, ok := bracketed(u); ok {
			u = inner
		}
		units[i] = u
		if u == "" || u == "-" {
			continue
		}
		cells++
		if _, number := slowNumber([]byte(u), '.'); number {
			return nil, false
		}
		if _, number := slowNumber([]byte(u), ','); number {
			return nil, false
		}
		if _, err := conversionOf(u); err == nil {
			known++
		}
	}
	return units, known > 0 && 2*known >= cells
}

// bracketed returns the text within a pair of brackets around a whole cell.
func bracketed(cell string) (inner string, ok bool) {
	for _, pair := range []string{"[]", "()"} {
		if len(cell) >= 2 && cell[0] == pair[0] && cell[len(cell)-1] == pair[1] {
			return strings.TrimSpace(cell[1 : len(cell)-1]), true
		}
	}
	return cell, false
}

// ofTime reports whether a cell that is no number is a time of day or a date.
func ofTime(cell []byte) bool {
	cell = bytes.Trim(cell, "\" \t")
	day := len(cell) >= 10 && (cell[4] == '-' || cell[4] == '/') && cell[7] == cell[4] && len(bytes.Trim(cell[:10], "0123456789-/")) == 0
	return day || bytes.Count(cell, []byte(":")) >= 2 && !bytes.ContainsAny(cell, "abcdefghijklmnopqrsuvwxy")
}

// readUnits takes a line of units below the header, if there is one, and appends to each header its unit in
// brackets, unless the header has one of its own. Errors of reading are left to the reader of the rows, who
// meets them again.
func (c *csvReader) readUnits(h *csvHead) {
	line := c.peek()
	if line == nil {
		return
	}
	units, ok := unitLine(nameText(line), h.headers, h.delimiter)
	if !ok {
		return
	}
	c.next()
	for i, u := range units {
		if _, own := splitUnit(h.headers[i]); own == "" && u != "" && u != "-" && h.headers[i] != "" {
			h.headers[i] = fmt.Sprintf("%s [%s]", h.headers[i], u)
		}
	}
}
