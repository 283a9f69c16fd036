package regressor

import (
	"math/rand/v2"
	"strings"
	"testing"

	"ident/internal/testrobot"
)

// A parsed list of terms, written and parsed again, is the same list, and
// building its model never panics.
func FuzzParseTerms(f *testing.F) {
	for _, s := range []string{"links,Ia,Fv", "fst:0.05/0.1,FSTV", "payload:link2,wrench:link1", ",,links:", "Fst:1e400", "gain,gain"} {
		f.Add(s)
	}
	r := testrobot.Random(rand.New(rand.NewPCG(1, 99)), 2, false)
	f.Fuzz(func(t *testing.T, list string) {
		terms, err := ParseTerms(list)
		if err != nil {
			return
		}
		var text []string
		for _, term := range terms {
			text = append(text, string(term))
		}
		again, err := ParseTerms(strings.Join(text, ","))
		if err != nil || len(again) != len(terms) {
			t.Fatalf("%q reads as %v, which reads as %v, %v", list, terms, again, err)
		}
		for i := range terms {
			if strings.TrimSpace(string(terms[i])) != strings.TrimSpace(string(again[i])) {
				t.Fatalf("%q reads as %v, which reads as %v", list, terms, again)
			}
		}
		if m, err := NewDynamic(r, terms); err == nil && len(m.Names()) != len(m.Columns()) {
			t.Fatal("names and columns differ")
		}
	})
}
