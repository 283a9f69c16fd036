package datasets_test

import (
	"os"
	"path/filepath"
	"testing"

	"ident/datasets"
)

// Names of files may have bytes that are no UTF-8; every format takes a log of one, and the texts that name it.
func TestNamesThatAreNoText(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "a\xff.csv")
	if err := os.WriteFile(from, []byte("t,q1\n0,1\n1,2\n"), 0o644); err != nil {
		t.Skip("no such names here:", err)
	}
	l, err := datasets.Open(from, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if l.Name() != "a\uFFFD" {
		t.Errorf("name %q", l.Name())
	}
	_, write := datasets.Extensions()
	for _, ext := range write {
		path := filepath.Join(dir, "b\xff"+ext)
		if err := datasets.Copy(t.Context(), path, l, map[string]string{"log": "a\xff", "k\xff": "v"}); err != nil {
			t.Error(err)
			continue
		}
		back, err := datasets.Open(path, datasets.Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		if m := back.Meta(); m["log"] != "a\uFFFD" {
			t.Errorf("%s: %q", ext, m)
		}
		back.Close()
	}
}
