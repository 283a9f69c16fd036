package spelling

import (
	"slices"
	"strings"
)

// Nearest proposes the known names that are nearest to a mistyped one: those within a third of its letters and one
// more, or that begin with it; "" where none is.
func Nearest(name string, known []string) string {
	limit := 1 + len(name)/3
	best, near := limit+1, []string(nil)
	low := strings.ToLower(name)
	for _, k := range known {
		d := Distance(low, strings.ToLower(k))
		if len(name) > 1 && strings.HasPrefix(strings.ToLower(k), low) {
			d = min(d, 1)
		}
		switch {
		case d < best:
			best, near = d, []string{k}
		case d == best && d <= limit && !slices.Contains(near, k): // a topic and a question may have one name
			near = append(near, k)
		}
	}
	if len(near) > 3 {
		near = near[:3]
	}
	return strings.Join(near, " or ")
}
