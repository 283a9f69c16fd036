package symorotext

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"ident/internal/xmltree"
)

// Entry is one assignment of a SYMORO+ file.
type Entry struct {
	Key    string // in lower case
	Line   int
	Values []string
}

// Text is a SYMORO+ file taken apart: its assignments and the name that its
// comments give the robot.
type Text struct {
	Name    string
	Entries map[string]Entry
}

// Error is a fault of a text, with its line and the entry.
type Error struct {
	Line  int
	Where string
	Text  string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s: %s", e.Line, e.Where, e.Text) }

func fault(line int, where, format string, args ...any) error {
	return &Error{line, where, fmt.Sprintf(format, args...)}
}

var robotName = regexp.MustCompile(`(?i)robotname\s*=\s*['"]([^'"\r\n]*)['"]`)

// Scan takes a SYMORO+ text apart. Bytes that are not UTF-8 are Latin-1;
// keys may be of either case, lists may wrap, and comments may nest.
func Scan(text []byte) (*Text, error) {
	if !utf8.Valid(text) {
		text = xmltree.FromLatin1(text)
	}
	s := strings.TrimPrefix(string(text), "\ufeff")
	p := &Text{Entries: map[string]Entry{}}
	if m := robotName.FindStringSubmatch(s); m != nil {
		p.Name = strings.TrimSpace(m[1])
	}
	s, err := stripComments(s)
	if err != nil {
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
			return nil, fault(line, "", "a line that is no assignment begins with %q; expected NAME = VALUE", firstWord(s))
		}
		e := Entry{Key: strings.ToLower(s[:end]), Line: line}
		s = strings.TrimLeft(s[end:], " \t")
		if !strings.HasPrefix(s, "=") {
			return nil, fault(line, e.Key, "expected = after the name")
		}
		after := strings.TrimLeft(s[1:], " \t\r\n")
		skipped := strings.Count(s[:len(s)-len(after)], "\n")
		if strings.HasPrefix(after, "{") {
			closing := strings.IndexByte(after, '}')
			if closing < 0 {
				return nil, fault(line, e.Key, "the list has no closing brace")
			}
			e.Values = splitList(after[1:closing])
			line += skipped + strings.Count(after[:closing], "\n")
			s = after[closing+1:]
		} else {
			value, tail, _ := strings.Cut(s[1:], "\n")
			e.Values = []string{strings.TrimRight(strings.TrimSpace(value), ";")}
			line++
			s = tail
		}
		if first, dup := p.Entries[e.Key]; dup {
			return nil, fault(e.Line, e.Key, "given twice (first in line %d)", first.Line)
		}
		p.Entries[e.Key] = e
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
		return "", fault(opened, "", "the comment that begins here has no end")
	}
	return string(out), nil
}

// Integer reads a scalar entry, or returns the default.
func (p *Text) Integer(key string, absent int) (int, error) {
	e, ok := p.Entries[key]
	if !ok {
		return absent, nil
	}
	var v int
	if n, err := fmt.Sscanf(strings.Join(e.Values, " "), "%d", &v); n != 1 || err != nil || v < 0 {
		return 0, fault(e.Line, e.Key, "%q is not a count", strings.Join(e.Values, ", "))
	}
	return v, nil
}

// Column reads a list of at least n entries, or fills it with the default.
func (p *Text) Column(key string, n int, absent string) ([]string, error) {
	e, ok := p.Entries[key]
	if !ok {
		return slices.Repeat([]string{absent}, n), nil
	}
	if len(e.Values) < n {
		return nil, fault(e.Line, e.Key, "the list has %d entries, %d are needed", len(e.Values), n)
	}
	for i, v := range e.Values {
		if v == "" {
			return nil, fault(e.Line, e.Key, "entry %d of the list is empty", i+1)
		}
	}
	return e.Values[:n], nil
}
