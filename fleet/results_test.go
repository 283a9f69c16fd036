package fleet

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/fleet/virtual"
)

// The name of a robot's file fits any file system, whatever its key, and different keys have different names.
func TestFileOfRobot(t *testing.T) {
	seen := map[string]string{}
	for _, key := range []string{"arm", "a/b", "机", strings.Repeat("机", 22), strings.Repeat("机", 23), strings.Repeat("机", 28), strings.Repeat("机", 27) + "x",
		strings.Repeat("a", 200), strings.Repeat("a", 201), strings.Repeat("a", 300), strings.Repeat("é/", 60)} {
		name := fileOf(key)
		if len(name) > longestName+len(".json") || strings.ContainsAny(name, "/\\") || seen[name] != "" {
			t.Errorf("%q: %q, also that of %q", key, name, seen[name])
		}
		seen[name] = key
	}
	if fileOf("a/b") != "a%2Fb.json" {
		t.Error(fileOf("a/b"))
	}
}

// Robots with keys that no file system takes for a name are in the results like the others.
func TestLongKeys(t *testing.T) {
	o, truth := small(t, virtual.Options{Robots: 3, Logs: 12, Seed: 8})
	text, err := os.ReadFile(o.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{}
	long := []string{strings.Repeat("机", 28), strings.Repeat("a", 300), strings.Repeat("x/", 120)}
	for _, row := range rows[1:] {
		if keys[row[0]] == "" {
			keys[row[0]] = long[len(keys)]
		}
		row[0] = keys[row[0]]
	}
	f, err := os.Create(o.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	w := csv.NewWriter(f)
	w.WriteAll(rows)
	if err := f.Close(); err != nil || w.Error() != nil {
		t.Fatal(err, w.Error())
	}
	c := runPrism(t, o)
	files, err := filepath.Glob(filepath.Join(o.Output, "robots", "*.json"))
	if err != nil || len(files) != len(long) || !c.Exact() || c.Quarantined != len(truth.Damaged) {
		t.Errorf("%d files of robots, %+v (%v)", len(files), c, err)
	}
}
