package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"ident/internal/controller"
	"ident/robot"
)

// screenWriter writes text for people. Names from files may contain control characters, which command a terminal, marks
// that reverse the direction of text, and megabytes: it escapes the first two and cuts long words. It writes names of
// several lines on one.
type screenWriter struct {
	w     io.Writer
	names *brokenNames
}

// brokenNames are the names of the robots of a command that have line breaks. No name in a text for people may begin a
// line, which could be taken for one of the program.
type brokenNames struct {
	mu    sync.Mutex
	names []string // longest first
}

// hear keeps the names of a robot that have line breaks between other characters.
func (b *brokenNames) hear(r *robot.Robot) {
	b.mu.Lock()
	defer b.mu.Unlock()
	keep := func(name string) {
		if strings.Contains(name, "\n") && strings.TrimSpace(name) != "" && !slices.Contains(b.names, name) {
			b.names = append(b.names, name)
		}
	}
	keep(r.Name)
	keep(r.BaseName)
	for i := range r.Links {
		keep(r.Links[i].Name)
		keep(r.Links[i].Joint.Name)
	}
	for i := range r.Lumped {
		keep(r.Lumped[i].Name)
		keep(r.Lumped[i].Joint)
	}
	slices.SortStableFunc(b.names, func(x, y string) int { return len(y) - len(x) })
}

// onOneLine returns a text in which the names that were heard have no line breaks.
func (b *brokenNames) onOneLine(text string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, name := range b.names {
		text = strings.ReplaceAll(text, name, strings.ReplaceAll(name, "\n", `\u000a`))
	}
	return text
}

// Write writes a text for people without characters that a terminal obeys. The count is of p, whatever was escaped.
func (s screenWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(s.w, printable(s.names.onOneLine(string(p)))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// longestWord is the number of bytes from which a word is cut: longer ones than any path.
const longestWord = 4096

// printable escapes the characters of a text that are not shown as themselves, and cuts long words.
func printable(text string) string {
	var out strings.Builder
	word := 0 // bytes since the last space
	for rest := text; rest != ""; {
		r, n := utf8.DecodeRuneInString(rest)
		switch {
		case r == ' ' || r == '\n' || r == '\t':
			word = 0
		default:
			word += n
		}
		switch {
		case word > longestWord:
			end := strings.IndexAny(rest, " \n\t")
			if end < 0 {
				end = len(rest)
			}
			fmt.Fprintf(&out, "… (%d bytes more)", end)
			rest, word = rest[end:], 0
			continue
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&out, `\x%02x`, rest[0])
		case r == '\n' || r == '\t':
			out.WriteRune(r)
		case controller.Shown(r), r == utf8.RuneError:
			out.WriteRune(r)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
		rest = rest[n:]
	}
	return out.String()
}
