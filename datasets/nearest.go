package datasets

import (
	"slices"
	"strings"

	"ident/internal/spelling"
)

// didYouMean proposes the names nearest to want, or lists some of the names.
func didYouMean(want string, have []string) string {
	if len(have) == 0 {
		return "; the log has no channels"
	}
	type scored struct {
		name string
		d    int
	}
	low := strings.ToLower(want)
	all := make([]scored, 0, len(have))
	for _, h := range have {
		if len(h) > 64 {
			continue
		}
		all = append(all, scored{h, spelling.Distance(low, strings.ToLower(h))})
	}
	slices.SortStableFunc(all, func(a, b scored) int { return a.d - b.d })
	var near []string
	for _, s := range all {
		if s.d > 1+len(want)/3 || len(near) == 3 {
			break
		}
		near = append(near, s.name)
	}
	if len(near) > 0 {
		return "; did you mean " + strings.Join(near, ", ") + "?"
	}
	return "; the log has " + listNames(have)
}

// listNames joins names for a message, leaving out the middle of a long list.
func listNames(names []string) string {
	const most = 40
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most-5], ", ") + ", … " + strings.Join(names[len(names)-5:], ", ")
}
