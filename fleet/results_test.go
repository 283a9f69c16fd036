package fleet

import (
	"strings"
	"testing"
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
