package datasets

import (
	"bytes"
	"unicode/utf8"
)

// Numbers of spreadsheets have a decimal point or comma, and thousands apart: 1,000.5 or 1.000,5 or 1 000,5 or 1'000.5. A cell such
// as 1,000 can be either; the cells around it decide.

// pointEvidence counts what the cells of a text say of its decimal sign.
type pointEvidence struct{ point, comma int }

// cell takes a cell in.
func (e *pointEvidence) cell(cell []byte) {
	cell = bare(cell)
	var last byte // the last of the two signs
	signs, both, at := 0, false, 0
	for i, b := range cell {
		switch {
		case b == '.' || b == ',':
			both = both || signs > 0 && b != last
			last, at = b, i
			signs++
		case b >= utf8.RuneSelf || b == ' ' || b == '\'' || b-'0' < 10 || b == '-' || b == '+' || b|0x20 == 'e':
		default:
			return // no number
		}
	}
	decimal := last // the last of both
	if signs > 1 && !both {
		decimal = '.' + ',' - last // it comes again: it sets thousands apart
	}
	var buf [400]byte
	switch {
	case signs > 1:
		if _, ok := ungrouped(buf[:0], cell, decimal); ok {
			e.decimal(decimal)
		}
	case signs == 1:
		whole := bytes.TrimLeft(cell[:at], "+-")
		if len(whole) < 1 || len(whole) > 3 || whole[0] == '0' || len(cell)-at != 4 || !digits(cell[at+1:]) || !digits(whole) {
			e.decimal(last)
		}
	}
}

// decimal takes one cell with a decimal sign in.
func (e *pointEvidence) decimal(sign byte) {
	if sign == ',' {
		e.comma++
	} else {
		e.point++
	}
}

// sign returns the decimal sign, 0 if no cell says so.
func (e *pointEvidence) sign() byte {
	switch {
	case e.comma > e.point:
		return ','
	case e.point > 0:
		return '.'
	}
	return 0
}

// pointOf returns the decimal sign that the cells of lines have, 0 if none decides.
func pointOf(lines []byte, delimiter byte) byte {
	var e pointEvidence
	for len(lines) > 0 {
		line := lines
		if i := bytes.IndexByte(lines, '\n'); i >= 0 {
			line, lines = lines[:i], lines[i+1:]
		} else {
			lines = nil
		}
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		for i := 0; i <= len(line); {
			next := cellEnd(line, i, delimiter)
			e.cell(line[i:next])
			i = next + 1
		}
	}
	return e.sign()
}

// sign returns the decimal sign of the rows that are read already, 0 if they leave it open: then the first row with one decides.
func (c *csvReader) sign(delimiter byte) byte {
	c.peek()
	sign := pointOf(c.ahead(), delimiter)
	if sign == 0 && delimiter == ',' {
		return '.'
	}
	return sign
}

// ahead returns the whole lines that are read already, at most 64 KiB of them.
func (c *csvReader) ahead() []byte {
	const most = 64 << 10
	there := c.buf[c.beg:min(c.end, c.beg+most)]
	if i := bytes.LastIndexByte(there, '\n'); i >= 0 {
		return there[:i]
	}
	if c.eof || c.end-c.beg < most {
		return there
	}
	return nil
}

// bare returns a cell without blanks and quotes around it.
func bare(cell []byte) []byte {
	cell = bytes.TrimSpace(cell)
	if n := len(cell); n >= 2 && cell[0] == '"' && cell[n-1] == '"' {
		cell = bytes.TrimSpace(cell[1 : n-1])
	}
	return cell
}

func digits(b []byte) bool {
	for _, c := range b {
		if c-'0' >= 10 {
			return false
		}
	}
	return true
}

// ungrouped writes a number whose whole part has its thousands apart without the signs between them, into dst. Between thousands
// stand, all alike, the sign of the two that is not the decimal one, a blank (thin and unbreakable ones too) or an apostrophe. ok is
// false for anything else: every group but the first has three digits, and the first begins with none of 0.
func ungrouped(dst, cell []byte, point byte) (number []byte, ok bool) {
	i := 0
	if i < len(cell) && (cell[i] == '-' || cell[i] == '+') {
		dst = append(dst, cell[i])
		i++
	}
	var between []byte
	first, groups := i, 0
	for i < len(cell) && cell[i]-'0' < 10 {
		dst = append(dst, cell[i])
		i++
	}
	if n := i - first; n < 1 || n > 3 || cell[first] == '0' {
		return nil, false
	}
	for i < len(cell) && cell[i] != point && cell[i]|0x20 != 'e' {
		_, n := utf8.DecodeRune(cell[i:])
		sign := cell[i : i+n]
		if between == nil && groupSign(sign, point) {
			between = sign
		}
		i += n
		if between == nil || !bytes.Equal(sign, between) || len(cell)-i < 3 || !digits(cell[i:i+3]) || len(cell) > i+3 && cell[i+3]-'0' < 10 {
			return nil, false
		}
		dst = append(dst, cell[i:i+3]...)
		i += 3
		groups++
	}
	return append(dst, cell[i:]...), groups > 0
}

// groupSign reports whether a character sets thousands apart where point is the decimal sign.
func groupSign(sign []byte, point byte) bool {
	switch string(sign) {
	case ",", ".":
		return sign[0] != point
	case " ", "\u00a0", "\u2009", "\u202f", "'", "\u2019":
		return true
	}
	return false
}
