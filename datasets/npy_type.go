package datasets

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// npyFields reads an element's type: a string, or the list of a record's fields. why is the reason for
// elements that are not numbers.
func npyFields(descr any) (fields []arrayField, itemSize int64, why string) {
	const maxItem = 1 << 20 // bytes
	if text, ok := descr.(string); ok {
		f, size, why := npyScalar(text)
		return []arrayField{f}, size, why
	}
	list, ok := descr.([]any)
	if !ok {
		return nil, 0, "its type is not understood"
	}
	for _, e := range list {
		tuple, _ := e.([]any)
		if len(tuple) < 2 || len(tuple) > 3 {
			return nil, 0, "its type is not understood"
		}
		name, ok := tuple[0].(string)
		if titled, isTitled := tuple[0].([]any); isTitled && len(titled) == 2 {
			name, ok = titled[1].(string)
		}
		text, plain := tuple[1].(string)
		if !ok || !plain {
			return nil, 0, "its records hold records"
		}
		repeat := int64(1)
		if len(tuple) == 3 {
			shape, _ := tuple[2].([]any)
			if len(shape) != 1 {
				return nil, 0, fmt.Sprintf("field %q of its records is a matrix", name)
			}
			repeat, _ = shape[0].(int64)
		}
		f, size, why := npyScalar(text)
		if repeat < 0 || repeat > maxItem || itemSize+repeat*size > maxItem {
			return nil, 0, "its records are too large"
		}
		for k := range repeat {
			f.name, f.offset = name, itemSize+k*size
			if len(tuple) == 3 {
				f.name += strconv.FormatInt(k+1, 10)
			}
			if why == "" { // a text in a record is skipped
				fields = append(fields, f)
			}
		}
		itemSize += repeat * size
	}
	if len(fields) == 0 {
		return nil, 0, "its records hold no numbers"
	}
	return fields, itemSize, ""
}

// npyScalar reads a type such as "<f8" or "<M8[ns]".
func npyScalar(text string) (f arrayField, size int64, why string) {
	unknown := fmt.Sprintf("values of type %q are no numbers", text)
	if len(text) < 2 {
		return f, 0, unknown
	}
	kind, digits, unit := text[1], text[2:], ""
	if i := strings.IndexByte(digits, '['); i >= 0 && strings.HasSuffix(digits, "]") {
		digits, unit = digits[:i], digits[i+1:len(digits)-1]
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > 1<<20 {
		return f, 0, unknown
	}
	size = int64(n)
	if kind == 'U' {
		size *= 4
	}
	f.num = numberType{kind: kind, size: n, big: text[0] == '>'}
	switch kind {
	case 'M', 'm':
		if n != 8 || unit != "s" && unit != "ms" && unit != "us" && unit != "ns" {
			return f, size, unknown
		}
		f.num.kind, f.unit, f.stamp = 'i', unit, kind == 'M'
	case 'O':
		return f, size, "Python objects are not read; save an array of float64"
	case 'c':
		return f, size, "complex numbers are no channel; save .real and .imag"
	}
	if !f.num.valid() {
		return f, size, unknown
	}
	return f, size, ""
}

// parsePython reads the literals that occur in the header of a NumPy array: dictionaries, tuples and lists
// (both as []any), strings, whole numbers, True, False and None.
func parsePython(text string) (any, error) {
	p := &pythonParser{s: text}
	v, err := p.value(0)
	if err == nil && strings.TrimSpace(p.s) != "" {
		return nil, errPython
	}
	return v, err
}

var errPython = errors.New("not a Python literal")

type pythonParser struct{ s string }

// next removes a byte of punctuation from the front, if it is there.
func (p *pythonParser) next(c byte) bool {
	p.s = strings.TrimLeft(p.s, " \t\r\n")
	if p.s == "" || p.s[0] != c {
		return false
	}
	p.s = p.s[1:]
	return true
}

func (p *pythonParser) value(depth int) (any, error) {
	if depth > 16 {
		return nil, errPython
	}
	switch {
	case p.next('{'):
		dict := map[string]any{}
		for !p.next('}') {
			k, err := p.value(depth + 1)
			key, ok := k.(string)
			if err != nil || !ok || !p.next(':') {
				return nil, errPython
			}
			if dict[key], err = p.value(depth + 1); err != nil {
				return nil, err
			}
			if !p.next(',') && !strings.HasPrefix(p.s, "}") {
				return nil, errPython
			}
		}
		return dict, nil
	case p.next('('):
		return p.list(')', depth)
	case p.next('['):
		return p.list(']', depth)
	}
	for word, v := range map[string]any{"True": true, "False": false, "None": nil} {
		if rest, ok := strings.CutPrefix(p.s, word); ok {
			p.s = rest
			return v, nil
		}
	}
	if p.s != "" && (p.s[0] == '\'' || p.s[0] == '"') {
		return p.quoted(p.s[0])
	}
	end := 0
	for end < len(p.s) && (p.s[end]-'0' < 10 || p.s[end] == '-') {
		end++
	}
	n, err := strconv.ParseInt(p.s[:end], 10, 64)
	p.s = strings.TrimPrefix(p.s[end:], "L") // long integers of Python 2
	return n, err
}

func (p *pythonParser) list(closing byte, depth int) (any, error) {
	list := []any{}
	for !p.next(closing) {
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if !p.next(',') && !strings.HasPrefix(p.s, string(closing)) {
			return nil, errPython
		}
	}
	return list, nil
}

func (p *pythonParser) quoted(quote byte) (any, error) {
	var b strings.Builder
	for i := 1; i < len(p.s); i++ {
		switch c := p.s[i]; {
		case c == quote:
			p.s = p.s[i+1:]
			return b.String(), nil
		case c == '\\' && i+1 < len(p.s):
			i++
			b.WriteByte(p.s[i])
		default:
			b.WriteByte(c)
		}
	}
	return nil, errPython
}
