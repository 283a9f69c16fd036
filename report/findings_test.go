package report

import (
	"slices"
	"testing"

	"ident/result"
)

func TestFindingRows(t *testing.T) {
	got := findingRows([]result.Finding{
		{ID: "lag", Severity: "info", Log: "a", Joint: "j1", Why: "first", Fix: "mend"}, {ID: "lag", Severity: "info", Log: "a", Joint: "j2", Why: "second"},
		{ID: "lag", Severity: "info", Log: "a", Joint: "j1", Why: "again"}, {ID: "lag", Severity: "error", Log: "a", Joint: "j3", Why: "worse"},
		{ID: "skipped", Severity: "info", Log: "a", Why: "x"}, {ID: "skipped", Severity: "info", Log: "a", Why: "y"}, {ID: "lag", Severity: "info", Log: "b", Joint: "j1", Why: "other"},
	})
	want := []findingRow{{"info", "lag", "a, j1, j2", "first", "mend"}, {"error", "lag", "a, j3", "worse", ""}, {"info", "skipped", "a", "x", ""},
		{"info", "skipped", "a", "y", ""}, {"info", "lag", "b, j1", "other", ""}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}
