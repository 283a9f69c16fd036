// Package words has the parts of messages and of written files that robots and their formats share.
package words

import (
	"fmt"
	"strconv"
	"strings"

	"ident/internal/spelling"
)

// Joint names a joint in a message.
func Joint(name string) string { return fmt.Sprintf("joint %q", name) }

// List returns names in quotes, with commas between them.
func List(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(q, ", ")
}

// Number returns a number in its shortest form that reads back the same.
func Number(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }

// DidYouMean returns `; did you mean "…"?` for the known name that is nearest
// to a mistyped one, or the empty string.
func DidYouMean(name string, known []string) string {
	best, bestAt := "", 1+max(2, len(name)/3)
	for _, k := range known {
		if d := spelling.Distance(strings.ToLower(name), strings.ToLower(k)); d < bestAt {
			best, bestAt = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// Spaced returns three numbers with spaces between them.
func Spaced(v [3]float64) string {
	return Number(v[0]) + " " + Number(v[1]) + " " + Number(v[2])
}
