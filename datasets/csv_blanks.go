package datasets

import (
	"bytes"
	"slices"
	"strings"
)

// peek returns the next line that is neither blank nor a comment without taking it, nil where there is none
// or reading fails.
func (c *csvReader) peek() []byte {
	for {
		line, _, err := c.next()
		if err != nil || line == nil {
			return nil
		}
		if text := bytes.TrimSpace(line); len(text) > 0 && text[0] != '#' {
			c.unread()
			return line
		}
	}
}

// byBlanks tells of a line without a delimiter whether blanks separate its cells: always those of numbers, and those of
// names if they are as many as the line below has numbers or units ("joint torque" above one column of numbers is one name).
func (c *csvReader) byBlanks(header string) bool {
	cells := strings.Fields(header)
	if len(cells) < 2 || strings.ContainsRune(header, '"') {
		return false
	}
	if numeric(cells) {
		return true
	}
	below := strings.Fields(string(c.peek()))
	if len(below) != len(cells) {
		return false
	}
	_, units := unitLine(strings.Join(below, " "), cells, ' ')
	return units || numeric(below)
}

// numeric reports whether all cells are numbers, with a decimal point or comma.
func numeric(cells []string) bool {
	return !slices.ContainsFunc(cells, func(cell string) bool { return !isNumber(cell) })
}

// collapse leaves one blank between the cells of a line, and pads its end with blanks: the line's bytes may be read
// again.
func collapse(line []byte) []byte {
	n := 0
	for _, b := range line {
		if b == '\t' || b == '\r' {
			b = ' '
		}
		if b == ' ' && (n == 0 || line[n-1] == ' ') {
			continue
		}
		line[n] = b
		n++
	}
	for i := n; i < len(line); i++ {
		line[i] = ' '
	}
	for n > 0 && line[n-1] == ' ' {
		n--
	}
	return line[:n]
}
