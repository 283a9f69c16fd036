package par

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"ident/internal/xmltree"
	"ident/robot"
)

// entry is one assignment of a SYMORO+ file.
type entry struct {
	key    string // in lower case
	name   string // as it is written
	line   int
	values []string
}

// assignments are a SYMORO+ file taken apart: its assignments and the name that its
// comments give the robot.
type assignments struct {
	name        string
	entries     map[string]entry
	constraints *constraints // nil where the text has none
}

var robotName = regexp.MustCompile(`(?i)robotname\s*=\s*['"]([^'"\r\n]*)['"]`)

// scan takes a SYMORO+ text apart. Bytes that are not UTF-8 are Latin-1;
// keys may be of either case, lists may wrap, and comments may nest.
func scan(text []byte) (*assignments, error) {
	if !utf8.Valid(text) {
		text = xmltree.FromLatin1(text)
	}
	s := strings.TrimPrefix(string(text), "\ufeff")
	p := &assignments{entries: map[string]entry{}}
	if m := robotName.FindStringSubmatch(s); m != nil {
		p.name = strings.TrimSpace(m[1])
	}
	s, err := stripComments(s)
	if err != nil {
		return nil, err
	}
	if s, p.constraints, err = takeConstraints(s); err != nil {
		return nil, err
	}
	line := 1
	for {
		rest := strings.TrimLeft(s, " \t\r\n;,")
		line += strings.Count(s[:len(s)-len(rest)], "\n")
		if s = rest; s == "" {
			return p, nil
		}
		end := strings.IndexFunc(s, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_')
		})
		if end <= 0 {
			return nil, robot.Fault(line, "", "a line that is no assignment begins with %q; expected NAME = VALUE", firstWord(s))
		}
		e := entry{key: strings.ToLower(s[:end]), name: s[:end], line: line}
		s = strings.TrimLeft(s[end:], " \t")
		if !strings.HasPrefix(s, "=") {
			return nil, robot.Fault(line, e.key, "expected = after the name")
		}
		after := strings.TrimLeft(s[1:], " \t\r\n")
		skipped := strings.Count(s[:len(s)-len(after)], "\n")
		if strings.HasPrefix(after, "{") {
			closing := strings.IndexByte(after, '}')
			if closing < 0 {
				return nil, robot.Fault(line, e.key, "the list has no closing brace")
			}
			e.values = splitList(after[1:closing])
			line += skipped + strings.Count(after[:closing], "\n")
			s = after[closing+1:]
		} else {
			value, tail, _ := strings.Cut(s[1:], "\n")
			e.values = []string{strings.TrimRight(strings.TrimSpace(value), ";")}
			line++
			s = tail
		}
		if first, dup := p.entries[e.key]; dup {
			return nil, robot.Fault(e.line, e.key, "given twice (first in line %d)", first.line)
		}
		p.entries[e.key] = e
	}
}

func firstWord(s string) string {
	if f := strings.Fields(s); len(f) > 0 {
		return f[0][:min(len(f[0]), 40)]
	}
	return ""
}

// splitList cuts a list at its commas; a trailing comma ends nothing.
func splitList(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	if last := strings.TrimSpace(s[start:]); last != "" {
		out = append(out, last)
	}
	return out
}

// stripComments blanks (* comments *), nested ones too, and keeps the lines.
func stripComments(s string) (string, error) {
	out := make([]byte, 0, len(s))
	depth, opened, line := 0, 0, 1
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\n':
			line++
			out = append(out, '\n')
		case strings.HasPrefix(s[i:], "(*"):
			if depth == 0 {
				opened = line
			}
			depth++
			i++
			out = append(out, ' ')
		case depth > 0 && strings.HasPrefix(s[i:], "*)"):
			depth--
			i++
		case depth == 0:
			out = append(out, s[i])
		}
	}
	if depth > 0 {
		return "", robot.Fault(opened, "", "the comment that begins here has no end")
	}
	return string(out), nil
}

// integer reads a scalar entry, or returns the default.
func (p *assignments) integer(key string, absent int) (int, error) {
	e, ok := p.entries[key]
	if !ok {
		return absent, nil
	}
	var v int
	if n, err := fmt.Sscanf(strings.Join(e.values, " "), "%d", &v); n != 1 || err != nil || v < 0 {
		return 0, robot.Fault(e.line, e.key, "%q is not a count", strings.Join(e.values, ", "))
	}
	return v, nil
}

// column reads a list of at least n entries, or fills it with the default.
func (p *assignments) column(key string, n int, absent string) ([]string, error) {
	e, ok := p.entries[key]
	if !ok {
		return slices.Repeat([]string{absent}, n), nil
	}
	if len(e.values) < n {
		return nil, robot.Fault(e.line, e.key, "the list has %d entries, %d are needed", len(e.values), n)
	}
	for i, v := range e.values {
		if v == "" {
			return nil, robot.Fault(e.line, e.key, "entry %d of the list is empty", i+1)
		}
	}
	return e.values[:n], nil
}
