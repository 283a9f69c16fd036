package datasets

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Every line of the table can be found by its extensions, is read in one way, and what it writes begins as Sniff knows it.
func TestFormats(t *testing.T) {
	read, write := Extensions()
	seen := map[string]bool{}
	for _, f := range formats() {
		if (f.open != nil) == (f.messages != nil) && !f.text() || f.text() && (f.open != nil || f.messages != nil) {
			t.Errorf("%v: one of open, messages and text must be set", f.extensions)
		}
		if f.title == "" || (f.magic == "") != (f.delimiter != 0) {
			t.Errorf("%v: title %q, magic %q", f.extensions, f.title, f.magic)
		}
		for _, ext := range append(slices.Clone(f.extensions), f.aliases...) {
			if seen[ext] {
				t.Errorf("%s is that of two formats", ext)
			}
			seen[ext] = true
			got, err := formatOf("Run.1" + ext)
			if err != nil || got.title != f.title {
				t.Errorf("%s: %q, %v", ext, got.title, err)
			}
			if listed := slices.Contains(read, ext); listed == slices.Contains(f.aliases, ext) {
				t.Errorf("%s listed: %t", ext, listed)
			}
		}
	}
	for _, ext := range write {
		path := filepath.Join(t.TempDir(), "log"+ext)
		err := Write(path, []Channel{{Name: "t", Unit: "s"}, {Name: "q1", Unit: "rad"}}, nil, func(w *Writer) error { return w.Append([][]float64{{0, 1}, {2, 3}}) })
		if err != nil {
			t.Fatal(ext, err)
		}
		head, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := formatOf(Sniff(head[:min(16, len(head))]))
		want, _ := formatOf(path)
		if err != nil || f.text() != want.text() || f.compression != want.compression || !f.text() && f.title != want.title {
			t.Errorf("%s begins with %q, which is taken for %s (%v)", ext, head[:min(16, len(head))], Sniff(head), err)
		}
		if f.text() && bytes.Contains(head[:1], []byte("{")) {
			t.Errorf("%s begins as JSON does", ext)
		}
	}
}
