package house

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every public package has an Example: the first thing that a reader of its page runs.
func TestExamples(t *testing.T) {
	root := filepath.Join("..", "..")
	code, example := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch name := d.Name(); {
			case path == root:
			case name == "internal", name == "testdata", name == "cmd", name == "fleet", name == "studies", strings.HasPrefix(name, "."):
				return filepath.SkipDir
			}
			return nil
		}
		dir := filepath.Dir(path)
		switch {
		case strings.HasSuffix(path, "_test.go"):
			text, err := os.ReadFile(path)
			example[dir] = example[dir] || bytes.Contains(text, []byte("\nfunc Example"))
			return err
		case strings.HasSuffix(path, ".go"):
			code[dir] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(code) < 20 {
		t.Errorf("only %d packages found", len(code))
	}
	for dir := range code {
		if !example[dir] {
			t.Errorf("%s has no Example", dir)
		}
	}
}
