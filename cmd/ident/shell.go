package main

import "ident/internal/hint"

// shellLine returns a call of the program as a shell takes it.
func shellLine(args []string) string {
	return hint.Words(append([]string{"ident"}, args...)...)
}
