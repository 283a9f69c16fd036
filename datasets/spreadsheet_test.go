package datasets_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/spreadsheet"
)

func TestSpreadsheets(t *testing.T) {
	var b strings.Builder
	rows := [][]string{
		{"name", "value", "text"},
		{"=cmd|' /C calc'!A0", "-1.5e-3", "-D3"},
		{"+49", "+7", "@SUM(A1)"},
		{"a,b", "1", `say "so"`},
		{"'=1", "Inf", ""},
	}
	if err := spreadsheet.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	want := `name,value,text
"'=cmd|' /C calc'!A0",-1.5e-3,"'-D3"
+49,+7,"'@SUM(A1)"
"a,b",1,"say ""so"""
"''=1",Inf,
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
	back, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		for j := range rows[i] {
			if got := spreadsheet.Plain(back[i][j]); got != rows[i][j] {
				t.Errorf("%q came back as %q", rows[i][j], got)
			}
		}
	}
}

// Every text comes back, and no cell of text begins like a formula.
func TestSpreadsheetsAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`['=+\-@a ]{0,6}`).Draw(t, "text")
		cell := spreadsheet.Text(s)
		if spreadsheet.Plain(cell) != s {
			t.Fatalf("%q came back as %q", s, spreadsheet.Plain(cell))
		}
		if cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
			t.Fatalf("%q became %q", s, cell)
		}
	})
}
