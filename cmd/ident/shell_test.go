package main

import (
	"testing"
)

func TestShellLine(t *testing.T) {
	for want, args := range map[string][]string{
		"ident fit a.csv --cutoff 8":                   {"fit", "a.csv", "--cutoff", "8"},
		`ident fit 'my log.csv' --map 'it'\''s=q1' ''`: {"fit", "my log.csv", "--map", "it's=q1", ""},
		"ident fit '*.csv' --rows a:1-20":              {"fit", "*.csv", "--rows", "a:1-20"},
	} {
		if got := shellLine(args); got != want {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
}
