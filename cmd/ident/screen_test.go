package main

import (
	"strings"
	"testing"
)

func TestPlainText(t *testing.T) {
	for text, want := range map[string]string{
		"name\n\tother": "name\n\tother", "τ̂ in N·m": "τ̂ in N·m", "a\x1b[31mb": `a\u001b[31mb`, "q\rq": `q\u000dq`, "\u202egnp.exe": `\u202egnp.exe`,
		"\u2066x\u2069": `\u2066x\u2069`, "caf\xe9": `caf\xe9`, "\u0085": `\u0085`,
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	got := printable("a " + strings.Repeat("x", 2_000_000) + " b")
	if len(got) > 2*4096 /* the longest word */ || !strings.HasSuffix(got, "… (1995904 bytes more) b") {
		t.Errorf("%d bytes, %q", len(got), got[len(got)-40:])
	}
}
