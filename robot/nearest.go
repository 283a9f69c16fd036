package robot

import (
	"fmt"
	"strings"

	"ident/internal/spelling"
)

// didYouMean returns `; did you mean "…"?` for the known name that is nearest
// to a mistyped one, or the empty string.
func didYouMean(name string, known []string) string {
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
