package main

import (
	"os"
	"path/filepath"
	"testing"
)

func BenchmarkJudge(b *testing.B) {
	s, err := measured(filepath.Join(os.Getenv("IDENT_DATA"), "data"))
	if err != nil {
		b.Skip(err)
	}
	for b.Loop() {
		judgeCauses(s[0].run, nil)
	}
}
