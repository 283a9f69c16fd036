package document

import (
	"encoding/json"
	"strings"
	"testing"
)

// Each number of a document that is taken away, set to null or cut from a list is named; what may be missing is not.
func TestGiven(t *testing.T) {
	type value struct {
		Value float64 `json:"value"`
		Note  string  `json:"note"`
	}
	type doc struct {
		Mass   *value      `json:"mass"`
		Centre [3]*value   `json:"centre"`
		Mount  [2]float64  `json:"mount"`
		More   []value     `json:"more"`
		Spare  float64     `json:"spare,omitempty"`
		Count  int         `json:"count"`
		Table  [][]float64 `json:"table"`
	}
	const whole = `{"mass": {"value": 1, "note": "n"}, "centre": [{"value": 2}, null, {"value": 3}], "mount": [4, 5], "more": [{"value": 6}], "table": [[7]]}`
	for _, c := range []struct{ from, to, at string }{
		{"", "", ""},
		{`"mass": {"value": 1, "note": "n"}`, `"mass": null`, ""},
		{`"more": [{"value": 6}]`, `"more": null`, ""},
		{`"value": 1`, `"value": null`, "mass.value"},
		{`"value": 1, `, ``, "mass.value"},
		{`{"value": 3}`, `{}`, "centre[2].value"},
		{`, null, {"value": 3}`, ``, "centre has 1 values"},
		{`[4, 5]`, `[4]`, "mount has 1 values"},
		{`[4, 5]`, `[4, null]`, "mount[1]"},
		{`"mount": [4, 5], `, ``, "mount has 0 values"},
		{`"value": 6`, `"value": null`, "more[0].value"},
		{`[[7]]`, `[[7, null]]`, "table[0][1]"},
	} {
		text := []byte(strings.Replace(whole, c.from, c.to, 1))
		d := new(doc)
		if err := json.Unmarshal(text, d); err != nil {
			t.Fatal(err)
		}
		err := Given(text, d)
		if c.at == "" && err != nil || c.at != "" && (err == nil || !strings.HasPrefix(err.Error(), c.at)) {
			t.Errorf("%s: %v, want %q", text, err, c.at)
		}
	}
}
