package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// openedJSON reads a text of JSON.
func openedJSON(text string, opt Options) (*Log, error) {
	return OpenReader(strings.NewReader(text), int64(len(text)), "log.jsonl", opt)
}

// TestJSONLines draws rows and writes them in every form of JSON that is read.
func TestJSONLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(2, 20).Draw(t, "rows")
		if rapid.IntRange(0, 20).Draw(t, "many") == 0 {
			rows = jsonSample + 30
		}
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z][a-z_"é]{0,6}`), 1, 4, rapid.ID[string]).Draw(t, "names")
		value := rapid.Float64().Filter(func(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) })
		type row = map[string]any
		var all []row
		columns := map[string][]float64{}
		for range rows {
			r := row{}
			for i, name := range names {
				if i%2 == 0 {
					v := value.Draw(t, "v")
					r[name] = v
					columns[name] = append(columns[name], v)
					continue
				}
				v, w := value.Draw(t, "v"), value.Draw(t, "w")
				r[name] = []any{v, map[string]any{"x": w}}
				columns[name+"[0]"], columns[name+"[1].x"] = append(columns[name+"[0]"], v), append(columns[name+"[1].x"], w)
			}
			all = append(all, r)
		}
		var text strings.Builder
		switch form := rapid.SampledFrom([]string{"lines", "list", "indented", "columns"}).Draw(t, "form"); form {
		case "lines":
			for _, r := range all {
				b, _ := json.Marshal(r)
				fmt.Fprintf(&text, "%s\n", b)
			}
		case "list":
			json.NewEncoder(&text).Encode(all)
		case "indented":
			b, _ := json.MarshalIndent(all, "", "\t")
			text.Write(b)
		case "columns":
			whole := map[string][]any{}
			for _, r := range all {
				for name, v := range r {
					whole[name] = append(whole[name], v)
				}
			}
			json.NewEncoder(&text).Encode(whole)
		}
		l, err := openedJSON(text.String(), Options{})
		if err != nil {
			t.Fatalf("%v of\n%.500s", err, text.String())
		}
		if got, want := slices.Sorted(slices.Values(l.Names())), sortedKeys(columns); !slices.Equal(got, want) || l.Rows() != rows {
			t.Fatalf("%d rows of %q, want %d of %q: %v\n%.500s", l.Rows(), got, rows, want, l.Notes(), text.String())
		}
		for name, want := range columns {
			if got, err := l.Column(name); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s is %v, want %v (%v)", name, got, want, err)
			}
		}
	})
}

// TestJSONForms reads texts that programs write.
func TestJSONForms(t *testing.T) {
	for _, c := range []struct {
		text, channel string
		want          []float64
	}{
		{`{"time":"2026-11-28T11:00:00Z","q":{"elbow":1}}` + "\n" + `{"time":"2026-11-28T11:00:00.25Z","q":{"elbow":2}}`, "time", []float64{0, 0.25}},
		{`{"t":"0.5","mode":"run","q1":1e-3}` + "\n\n" + `{"t":"0.75","mode":"run","q1":2}` + "\n", "t", []float64{0.5, 0.75}},
		{`{"t":0,"q1":NaN,"on":true}` + "\n" + `{"t":1,"q1":-Infinity,"on":false}`, "on", []float64{1, 0}},
		{`{"t":{"0":0,"1":0.5},"q1":{"0":3,"1":4}}`, "q1", []float64{3, 4}},
		{"{\n\"dt\": 0.004,\n\"q\": [[1,2],[3,4],[5,6]]}", "q[1]", []float64{2, 4, 6}},
		{`{"t [ms]":0,"q1 [deg]":180}` + "\n" + `{"t [ms]":500,"q1 [deg]":0}`, "t", []float64{0, 0.5}},
	} {
		l, err := openedJSON(c.text, Options{})
		if err != nil {
			t.Errorf("%v of %s", err, c.text)
			continue
		}
		if got, err := l.Column(c.channel); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v (%v) of %s", got, c.want, err, c.text)
		}
	}
}

// TestJSONSaysWhatItLeaves holds that no member and no row is left out unsaid.
func TestJSONSaysWhatItLeaves(t *testing.T) {
	var text strings.Builder
	for k := range jsonSample + 5 {
		fmt.Fprintf(&text, `{"t":%d,"mode":"a"`, k)
		if k >= jsonSample {
			text.WriteString(`,"late":1`)
		}
		text.WriteString("}\n")
		if k == 7 {
			text.WriteString("{\"t\":\n")
		}
	}
	if _, err := openedJSON(text.String(), Options{}); !errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), "line 9") {
		t.Errorf("%v", err)
	}
	l, err := openedJSON(text.String(), Options{BadRows: Drop})
	if err != nil {
		t.Fatal(err)
	}
	if notes := fmt.Sprint(l.Notes()); l.Rows() != jsonSample+5 || l.DroppedRows() != 1 || !strings.Contains(notes, "late: skipped: it begins in line 1002") || !strings.Contains(notes, "mode: skipped: it holds texts") {
		t.Errorf("%d rows, %d dropped, %s", l.Rows(), l.DroppedRows(), notes)
	}
}

// TestJSONErrors refuses what is no log, in words.
func TestJSONErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		want error
		says string
	}{
		{`{"schema":"ident.trajectory/1","period_s":[1,2]}`, ErrFormat, "document of ident"},
		{`{"t":0,"t":1}` + "\n{}\n", ErrDuplicate, "twice"},
		{`{"a":"b"}` + "\n" + `{"a":"c"}`, ErrFormat, "an object a line"},
		{"[\"t\",\"q1\"]\n[0,1]\n[1,2]\n", ErrForm, "jq -r @csv"},
		{`{"t":0,}` + "\n{}\n", ErrDamaged, "a key is expected"},
		{`{"t":0} x}` + "\n{}\n", ErrDamaged, "the end of the line"},
		{`{"t":01x}` + "\n{}\n", ErrDamaged, "a value"},
		{strings.Repeat("[", 100), ErrFormat, "levels"},
		{`[{"t":0},{"t":1`, ErrTruncated, "ends where"},
	} {
		if _, err := openedJSON(c.text, Options{}); !errors.Is(err, c.want) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%.60s: %v, want %q", c.text, err, c.says)
		}
	}
}

// FuzzJSON reads texts without a panic, and those that encoding/json reads too as it does.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"t":0,"q":[1,2]}` + "\n" + `{"t":1,"q":[3,4]}`, `[{"a":1e5},{"a":null}]`, `{"t":{"0":1}}`, "{\"t\":\"11:00:00\"}\n{\"t\":\"\\u00e9\"}", `{"a":[[1,2],[3]]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, drop := range []BadRows{Fail, Drop} {
			l, err := openedJSON(string(b), Options{BadRows: drop})
			if err != nil {
				continue
			}
			if _, err := l.Columns(l.Names()...); err != nil {
				t.Error(err)
			}
		}
		leaves := 0
		count := func([]byte, float64) error { leaves++; return nil }
		s := jsonScanner{b: b, number: count, text: func([]byte, []byte) error { leaves++; return nil }}
		err := s.value(0)
		if ours := err == nil && !s.more(); !ours && json.Valid(b) && !errors.Is(err, ErrFormat) && !strings.Contains(string(b), "e") && !strings.Contains(string(b), "E") {
			t.Errorf("valid JSON is refused: %v", err)
		}
	})
}
