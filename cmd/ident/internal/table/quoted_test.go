package table_test

import (
	"slices"
	"testing"

	"ident/cmd/ident/internal/table"
)

// A quoted word is not broken, nor are its blanks; an apostrophe quotes nothing.
func TestWrapQuoted(t *testing.T) {
	got := table.Wrap(`the joint's unit → --unit 'shoulder  position [deg]'=deg --map tau_'it'\''s a'='b  c' of the motor's`, 20)
	want := []string{"the joint's unit →", "--unit", "'shoulder  position [deg]'=deg", "--map", `tau_'it'\''s a'='b  c'`, "of the motor's"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
