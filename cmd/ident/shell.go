package main

import "strings"

// shellLine returns a call of the program as a POSIX shell takes it: arguments with other characters than those
// that no shell changes stand in single quotes.
func shellLine(args []string) string {
	var b strings.Builder
	b.WriteString("ident")
	for _, a := range args {
		b.WriteByte(' ')
		plain := a != "" && strings.IndexFunc(a, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:,=+@%", r))
		}) < 0
		if plain {
			b.WriteString(a)
		} else {
			b.WriteString("'" + strings.ReplaceAll(a, "'", `'\''`) + "'")
		}
	}
	return b.String()
}
