package report

import (
	"slices"
	"strings"

	"ident/internal/digits"
	"ident/result"
)

// friction prints the parameters of friction, a row a joint and a column a kind, and which of them the data do not determine.
func (t *textPage) friction(res *result.Result) {
	var kinds []string
	of := map[string]map[string]result.BaseParameter{} // joint, kind
	for _, b := range res.BaseParameters {
		kind := b.Friction()
		if kind == "" {
			continue
		}
		if of[b.Joint] == nil {
			of[b.Joint] = map[string]result.BaseParameter{}
		}
		of[b.Joint][kind] = b
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 0 {
		return
	}
	t.section("Friction by joint, value ± sigma")
	tab := newTable(append(append([]string{"joint"}, kinds...), "not known")...)
	tab.lastLeft = 1
	for _, joint := range res.Joints {
		if of[joint] == nil {
			continue
		}
		cells, unknown := []string{joint}, []string{}
		for _, kind := range kinds {
			b, ok := of[joint][kind]
			if !ok {
				cells = append(cells, digits.None)
				continue
			}
			cells = append(cells, digits.Measure(b.Value, b.Sigma))
			if mark(b) != "" {
				unknown = append(unknown, kind)
			}
		}
		tab.row(append(cells, strings.Join(unknown, " "))...)
	}
	tab.write(t, 1)
	t.paragraph("  ", "  ", "units as under base parameters; ident help friction has the law of each name")
}
