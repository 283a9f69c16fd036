package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"ident/internal/controller"
)

// screenWriter writes text for people. Names from files may contain control characters, which command a terminal, marks
// that reverse the direction of text, and megabytes: it escapes the first two and cuts long words.
type screenWriter struct{ w io.Writer }

func (s screenWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(s.w, printable(string(p))); err != nil {
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
