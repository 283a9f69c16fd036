package main

import (
	"strings"
	"testing"

	"ident/robot"
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

// A name of several lines stands on one line in whatever is printed; the program's own line breaks stay.
func TestNamesOfSeveralLines(t *testing.T) {
	var b strings.Builder
	names := new(brokenNames)
	names.hear(&robot.Robot{Name: "\n", Links: []robot.Link{{Name: "arm\nnote: all is well", Joint: robot.Joint{Name: "arm\nnote: all is well\n\u2028x"}}}})
	_, err := screenWriter{&b, names}.Write([]byte("ident: no limits:\n  arm\nnote: all is well\n\u2028x, arm\nnote: all is well\n"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "ident: no limits:\n  arm\\u000anote: all is well\\u000a\\u2028x, arm\\u000anote: all is well\n"; b.String() != want {
		t.Errorf("%q", b.String())
	}
}
