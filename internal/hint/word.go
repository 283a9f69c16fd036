package hint

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word returns a name, a value or a path as one word of a shell, for a command that a user may paste. A text of letters, digits and
// signs without a meaning there stays as it is. Any other is quoted; control characters become escapes, as bash, zsh and POSIX.1-2024
// read them.
func Word(s string) string {
	plain := s != "" && s[0] != '=' // zsh reads =name as the path of a command
	hidden := false
	for _, r := range s {
		plain = plain && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./:,=+%@·²³µ", r))
		hidden = hidden || r == unicode.ReplacementChar || !unicode.IsPrint(r)
	}
	switch {
	case plain:
		return s
	case !hidden:
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\'' || r == '\\':
			b.WriteString(`\` + s[i:i+n])
		case r == unicode.ReplacementChar || !unicode.IsPrint(r):
			for _, c := range []byte(s[i : i+n]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	b.WriteByte('\'')
	return b.String()
}

// Words returns words of a command, each as Word returns it, with a blank between two.
func Words(words ...string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = Word(w)
	}
	return strings.Join(out, " ")
}
