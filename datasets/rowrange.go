package datasets

import "fmt"

// RowRange is a range of rows of a log: the offset of the first, and the offset behind the last, from 0. As a text it
// is FIRST-LAST, counted from 1, both included, as settings take rows.
type RowRange [2]int

// MarshalText writes FIRST-LAST.
func (r RowRange) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%d-%d", r[0]+1, r[1]), nil
}

// UnmarshalText reads FIRST-LAST.
func (r *RowRange) UnmarshalText(text []byte) error {
	var first, last int
	if _, err := fmt.Sscanf(string(text), "%d-%d", &first, &last); err != nil || first < 1 || last < first {
		return fmt.Errorf("rows %q: want FIRST-LAST, counted from 1", text)
	}
	*r = RowRange{first - 1, last}
	return nil
}

// RowRanges joins ascending offsets of rows.
func RowRanges(rows []int) (out []RowRange) {
	for _, r := range rows {
		if n := len(out); n > 0 && out[n-1][1] == r {
			out[n-1][1]++
			continue
		}
		out = append(out, RowRange{r, r + 1})
	}
	return out
}
