package datasets

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// jsonScanner reads one JSON value and hands its leaves over, each with its path: the keys of objects with points between, the
// places of a list in brackets, from 0. Beyond JSON it knows NaN and Infinity, as Python writes them.
type jsonScanner struct {
	b    []byte
	at   int
	path []byte
	// number, text take a leaf; its path is valid until they return. A null is NaN, true is 1 and false 0.
	number func(path []byte, v float64) error
	text   func(path, s []byte) error
	buf    []byte
}

const jsonDeepest = 32 // levels of a value, beyond those of any log

func (j *jsonScanner) blanks() {
	for j.at < len(j.b) {
		switch j.b[j.at] {
		case ' ', '\t', '\n', '\r':
			j.at++
		default:
			return
		}
	}
}

// more reports whether a value follows.
func (j *jsonScanner) more() bool {
	j.blanks()
	return j.at < len(j.b)
}

// take reads a character.
func (j *jsonScanner) take(c byte) bool {
	if j.blanks(); j.at < len(j.b) && j.b[j.at] == c {
		j.at++
		return true
	}
	return false
}

func (j *jsonScanner) damaged(what string) error {
	if j.at >= len(j.b) {
		return fmt.Errorf("%w: JSON ends where %s is expected", ErrTruncated, what)
	}
	return fmt.Errorf("%w: JSON has %s at character %d, where %s is expected", ErrDamaged, excerpt(j.b[j.at:min(j.at+12, len(j.b))]), j.at+1, what)
}

// value reads a value.
func (j *jsonScanner) value(depth int) error {
	if depth > jsonDeepest {
		return fmt.Errorf("%w: JSON of more than %d levels", ErrFormat, jsonDeepest)
	}
	if !j.more() {
		return j.damaged("a value")
	}
	switch c := j.b[j.at]; c {
	case '{':
		j.at++
		return j.members(depth)
	case '[':
		j.at++
		return j.entries(depth)
	case '"':
		s, err := j.string()
		if err != nil {
			return err
		}
		return j.text(j.path, s)
	default:
		v, err := j.word()
		if err != nil {
			return err
		}
		return j.number(j.path, v)
	}
}

// members reads an object behind its bracket.
func (j *jsonScanner) members(depth int) error {
	if j.take('}') {
		return nil
	}
	for above := len(j.path); ; j.path = j.path[:above] {
		if j.blanks(); j.at >= len(j.b) || j.b[j.at] != '"' {
			return j.damaged("a key")
		}
		key, err := j.string()
		if err != nil {
			return err
		}
		if above > 0 {
			j.path = append(j.path, '.')
		}
		j.path = append(j.path, key...)
		if !j.take(':') {
			return j.damaged("a colon")
		}
		if err := j.value(depth + 1); err != nil {
			return err
		}
		if j.take('}') {
			j.path = j.path[:above]
			return nil
		}
		if !j.take(',') {
			return j.damaged("a comma or }")
		}
	}
}

// entries reads a list behind its bracket.
func (j *jsonScanner) entries(depth int) error {
	if j.take(']') {
		return nil
	}
	for k, above := int64(0), len(j.path); ; k++ {
		j.path = append(strconv.AppendInt(append(j.path[:above], '['), k, 10), ']')
		if err := j.value(depth + 1); err != nil {
			return err
		}
		if j.take(']') {
			j.path = j.path[:above]
			return nil
		}
		if !j.take(',') {
			return j.damaged("a comma or ]")
		}
	}
}

// string reads a string, which is valid until the next one.
func (j *jsonScanner) string() ([]byte, error) {
	j.at++
	from := j.at
	for j.at < len(j.b) && j.b[j.at] != '"' && j.b[j.at] != '\\' && j.b[j.at] >= ' ' {
		j.at++
	}
	if j.at < len(j.b) && j.b[j.at] == '"' {
		j.at++
		return j.b[from : j.at-1], nil
	}
	j.buf = append(j.buf[:0], j.b[from:j.at]...)
	for j.at < len(j.b) {
		c := j.b[j.at]
		switch {
		case c == '"':
			j.at++
			return j.buf, nil
		case c < ' ':
			return nil, j.damaged("a character of text")
		case c != '\\':
			j.buf = append(j.buf, c)
			j.at++
			continue
		}
		if j.at++; j.at >= len(j.b) {
			break
		}
		switch c := j.b[j.at]; c {
		case '"', '\\', '/':
			j.buf = append(j.buf, c)
		case 'b', 'f', 'n', 'r', 't':
			j.buf = append(j.buf, map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}[c])
		case 'u':
			if j.at+4 >= len(j.b) {
				return nil, j.damaged("four digits")
			}
			r, err := strconv.ParseUint(string(j.b[j.at+1:j.at+5]), 16, 32)
			if err != nil {
				return nil, j.damaged("four digits")
			}
			j.buf = utf8.AppendRune(j.buf, rune(r)) // a half of a pair becomes U+FFFD: names of channels have none
			j.at += 4
		default:
			return nil, j.damaged("an escape")
		}
		j.at++
	}
	return nil, fmt.Errorf("%w: JSON ends within a text", ErrTruncated)
}

// word reads a number or a word.
func (j *jsonScanner) word() (float64, error) {
	from := j.at
	for j.at < len(j.b) {
		if c := j.b[j.at]; c == ',' || c == '}' || c == ']' || c <= ' ' {
			break
		}
		j.at++
	}
	cell := j.b[from:j.at]
	if v, next, ok := number(cell, 0, '.'); ok && next == len(cell) {
		return v, nil
	}
	switch string(cell) {
	case "null", "NaN":
		return math.NaN(), nil
	}
	if len(cell) > 0 && (cell[0]-'0' < 10 || cell[0] == '-' || cell[0] == 't' || cell[0] == 'f' || cell[0] == 'I') {
		if v, ok := slowNumber(cell, '.'); ok {
			return v, nil
		}
	}
	j.at = from
	return 0, j.damaged("a value")
}
