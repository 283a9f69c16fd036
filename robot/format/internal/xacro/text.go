package xacro

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"ident/internal/hint"
	"ident/internal/spelling"
)

// text evaluates the expressions and arguments in a text. One that is all of it keeps its type.
func (e *expander) text(s string, in *scope, at *node) (any, error) {
	if !strings.Contains(s, "$") {
		return s, e.written(len(s), at)
	}
	var parts []any
	plain := func(t string) {
		if t == "" {
			return
		}
		if n := len(parts); n > 0 {
			if last, ok := parts[n-1].(plainText); ok {
				parts[n-1] = last + plainText(t)
				return
			}
		}
		parts = append(parts, plainText(t))
	}
	for s != "" {
		i := strings.IndexByte(s, '$')
		if i < 0 {
			plain(s)
			break
		}
		plain(s[:i])
		s = s[i:]
		dollars := len(s) - len(strings.TrimLeft(s, "$"))
		rest := s[dollars:]
		if rest == "" || rest[0] != '{' && rest[0] != '(' {
			plain(s[:dollars])
			s = rest
			continue
		}
		if dollars > 1 { // $${ and $$( stand for themselves, less one
			plain(s[1 : dollars+1])
			s = rest[1:]
			continue
		}
		closing := map[byte]byte{'{': '}', '(': ')'}[rest[0]]
		end := strings.IndexByte(rest, closing)
		if end < 0 {
			return nil, fault(at, "%q is not closed by %q", "$"+clip(rest), closing)
		}
		inside := rest[1:end]
		var v any
		var err error
		if closing == '}' {
			if strings.Contains(inside, "$(") { // arguments within an expression come first
				if inside, err = e.string(inside, in, at); err != nil {
					return nil, err
				}
			}
			v, err = e.expression(inside, in, at)
		} else {
			v, err = e.substitution(inside, in, at)
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, v)
		s = rest[end+1:]
	}
	if len(parts) == 1 {
		if t, ok := parts[0].(plainText); ok {
			return string(t), e.written(len(t), at)
		}
		return parts[0], e.written(8, at)
	}
	var b strings.Builder
	for _, p := range parts {
		t, ok := p.(plainText)
		if !ok {
			w, err := e.printed(p)
			if err != nil {
				return nil, fault(at, "%w", err)
			}
			t = plainText(w)
		}
		if b.Len()+len(t) > maxWord {
			return nil, fault(at, "a text of more than %d bytes", maxWord)
		}
		b.WriteString(string(t))
	}
	return b.String(), e.written(b.Len(), at)
}

// plainText is a part of a text between expressions.
type plainText string

// string evaluates a text to a text.
func (e *expander) string(s string, in *scope, at *node) (string, error) {
	v, err := e.text(s, in, at)
	if err != nil {
		return "", err
	}
	t, err := e.printed(v)
	if err != nil {
		return "", fault(at, "%w", err)
	}
	return t, nil
}

// written counts evaluated bytes.
func (e *expander) written(n int, at *node) error {
	if e.bytes += n; e.bytes > maxText {
		return fault(at, "the text grows beyond %d MiB when it is expanded", maxText>>20)
	}
	return nil
}

// clip shortens a text for a message.
func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

// proposal names the nearest known names.
func proposal(name string, known []string) string {
	slices.Sort(known)
	if near := spelling.Nearest(name, slices.Compact(known)); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// substitution evaluates the inside of $(…).
func (e *expander) substitution(s string, in *scope, at *node) (any, error) {
	s, err := e.string(s, in, at)
	if err != nil {
		return nil, err
	}
	f := strings.Fields(s)
	if len(f) == 0 {
		return nil, fault(at, "$() is empty")
	}
	switch {
	case f[0] == "arg" && len(f) == 2:
		v, ok := e.args[f[1]]
		if !ok {
			return nil, fault(at, "$(arg %s): the argument has no value and no default%s", f[1], proposal(f[1], slices.Collect(maps.Keys(e.args))))
		}
		return v, nil
	case f[0] == "find" && len(f) == 2:
		if e.opt.Find != nil {
			if folder, ok := e.opt.Find(f[1]); ok {
				return folder, nil
			}
		}
		return unknownPackage + f[1], nil
	case f[0] == "dirname" && len(f) == 1:
		folder, err := filepath.Abs(filepath.Dir(at.file))
		if err != nil {
			return nil, fault(at, "$(dirname): %w", err)
		}
		return folder, nil
	case f[0] == "optenv" && len(f) >= 2:
		return strings.Join(f[2:], " "), nil
	case f[0] == "env", f[0] == "eval", f[0] == "anon", f[0] == "cwd":
		return nil, fault(at, "$(%s): %s is not read from the surroundings of a program; use ${…}, or an argument", clip(s), f[0])
	}
	return nil, fault(at, "$(%s) is not known; known are arg, find, dirname and optenv", clip(s))
}

// unknownPackage begins the place of a package whose folder is not known.
const unknownPackage = "package://"

// read reads a file beside the one of a node.
func (e *expander) read(name string, at *node) (string, []byte, error) {
	if rest, ok := strings.CutPrefix(name, unknownPackage); ok {
		pkg, _, _ := strings.Cut(rest, "/")
		return name, nil, fault(at, "%w", hint.Errorf("packages", "", "the folder of package %q is not known: %w; give it as {packages} %s=FOLDER", pkg, ErrPackage, pkg))
	}
	name = e.beside(name, at)
	if e.opt.Open == nil {
		return name, nil, fault(at, "it reads %q: a text without a file of its own reads no others", clip(name))
	}
	if len(e.files) >= maxFiles {
		return name, nil, fault(at, "more than %d files are read", maxFiles)
	}
	e.files = append(e.files, name)
	text, err := e.opt.Open(name)
	if err != nil {
		return name, nil, fault(at, "%w", err)
	}
	return name, text, e.written(len(text), at)
}

func (e *expander) beside(name string, at *node) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(at.file), name)
}

// ErrPackage is matched where a file of a package is read whose folder is not known.
var ErrPackage = errors.New("no folder of that name is above or beside the file")
