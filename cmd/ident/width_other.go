//go:build !unix

package main

import (
	"os"

	"ident/cmd/ident/internal/table"
)

// terminalWidth returns the number of columns that texts take on a terminal, 0 if f is none.
func terminalWidth(f *os.File) int {
	if !isTerminal(f) {
		return 0
	}
	return table.Width
}
