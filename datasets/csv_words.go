package datasets

import "bytes"

// words returns, of each field, the first word of a column in which the rows that are read already hold words alone, such as a mode or
// the name of a joint. A word begins with a letter, or has no digit; what slowNumber reads is none.
func (c *csvReader) words(h csvHead) []string {
	out := make([]string, len(h.headers))
	c.peek()
	number := make([]bool, len(out))
	for line := range bytes.Lines(c.ahead()) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		for i, k := 0, 0; k < len(out) && i <= len(line); k++ {
			next := cellEnd(line, i, h.delimiter)
			cell := bare(line[i:next])
			i = next + 1
			if len(cell) == 0 {
				continue
			}
			if _, ok := slowNumber(cell, h.point); ok || bytes.ContainsAny(cell, "0123456789") && !isLetter(cell[0]) {
				number[k] = true
			} else if out[k] == "" {
				out[k] = string(cell)
			}
		}
	}
	for k := range out {
		if number[k] {
			out[k] = ""
		}
	}
	return out
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
