package datasets

import (
	"slices"
	"testing"
)

// Ranges are texts as settings take rows, and come back.
func TestRowRange(t *testing.T) {
	text, err := RowRange{0, 1}.MarshalText()
	if err != nil || string(text) != "1-1" {
		t.Errorf("the first row alone is %s, %v", text, err)
	}
	var r RowRange
	if err := r.UnmarshalText([]byte("635-3510")); err != nil || r != (RowRange{634, 3510}) {
		t.Errorf("rows 635 to 3510 are %v, %v", r, err)
	}
	for _, bad := range []string{"", "0-3", "4-3", "3", "a-b"} {
		if r.UnmarshalText([]byte(bad)) == nil {
			t.Errorf("%q is a range", bad)
		}
	}
	if got := RowRanges([]int{3, 4, 5, 9, 11, 12}); !slices.Equal(got, []RowRange{{3, 6}, {9, 10}, {11, 13}}) {
		t.Errorf("joined to %v", got)
	}
}
