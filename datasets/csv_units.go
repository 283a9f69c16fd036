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

// ofClock returns the remark on a cell with a time of day, instead of a number.
func ofClock(cell []byte) string {
	if bytes.Count(cell, []byte(":")) < 2 || bytes.ContainsAny(cell, "abcdefghijklmnopqrsuvwxy") {
		return ""
	}
	return ", a time of day; times are seconds from any beginning, or have a unit"
}

// readUnits takes a line of units below the header, if there is one, and appends to each header its unit in
// brackets, unless the header has one of its own. Errors of reading are left to the reader of the rows, who
// meets them again.
func (c *csvReader) readUnits(h *csvHead) {
	line := c.peek()
	if line == nil {
		return
	}
	units, ok := unitLine(strings.ToValidUTF8(string(line), "\uFFFD"), h.headers, h.delimiter)
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
