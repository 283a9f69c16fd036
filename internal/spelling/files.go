package spelling

import (
	"os"
	"path/filepath"
)

// NearFile returns "; did you mean NAME?" with the name in the folder of a missing file that is nearest to its own, or "".
func NearFile(path string) string {
	beside, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return ""
	}
	var names []string
	for _, f := range beside {
		names = append(names, f.Name())
	}
	if near := Nearest(filepath.Base(path), names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
