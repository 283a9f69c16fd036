package hint_test

import (
	"testing"

	"ident/internal/hint"
)

// A pasted word is the name, whatever the name is; plain names stay as they are.
func TestWord(t *testing.T) {
	for s, want := range map[string]string{
		"q1=deg": "q1=deg", "τ_ελ": "τ_ελ", "": "''", "q*=deg": "'q*=deg'", "shoulder position": "'shoulder position'",
		"shoulder's effort": `'shoulder'\''s effort'`, "el$(touch x)": "'el$(touch x)'", "a\nb; rm 'c'": `$'a\012b; rm \'c\''`, "\xff\\": `$'\377\\'`,
		"\u202e": `$'\342\200\256'`,
	} {
		if got := hint.Word(s); got != want {
			t.Errorf("%q: %s, want %s", s, got, want)
		}
	}
}
