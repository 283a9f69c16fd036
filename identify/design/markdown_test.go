package design

import (
	"regexp"
	"strings"
	"testing"

	"ident/excite"
)

// Names come from robot files of anybody: none of them may become HTML where the report is shown.
func TestNamesAreNoMarkup(t *testing.T) {
	evil := `<img src=x onerror=alert(1)> [a](javascript:b) | ` + "`c`\n# d"
	d := &Document{Robot: Robot{Name: evil}, Terms: []string{evil}, Outputs: []string{evil}, Margins: []excite.Margin{{Joint: evil}}, Unexcited: []string{evil},
		Defaults: []string{evil}, LimitSources: []string{evil}, Distances: []Distance{{Of: evil}}, Predicted: []Prediction{{Name: evil, Expression: evil}}, Weakest: []Weakness{{Text: evil}}}
	var b strings.Builder
	if err := writeMarkdown(&b, d); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{`<img`, `[^\\]\]\(javascript`, `\n# d`, "[^\\\\]\\| [^\\\\]?`c"} {
		if regexp.MustCompile(bad).MatchString(b.String()) {
			t.Errorf("%q is in the report:\n%s", bad, b.String())
		}
	}
}
