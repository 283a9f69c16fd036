package house

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Notebooks are stored as execute.py --write leaves them: run from top to bottom in one go, below a mebibyte, without errors and without
// folders of the machine that ran them. The README of their folder lists all of them, and their links lead somewhere.
func TestNotebooks(t *testing.T) {
	home := filepath.Join("..", "..", "notebooks")
	paths, err := filepath.Glob(filepath.Join(home, "*.ipynb"))
	if err != nil || len(paths) < 8 {
		t.Fatalf("%d notebooks found, %v", len(paths), err)
	}
	readme, err := os.ReadFile(filepath.Join(home, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	folder := regexp.MustCompile(`/(tmp|root|home|Users|var|work)/`)
	for _, path := range paths {
		name := filepath.Base(path)
		if !strings.Contains(string(readme), "]("+name+")") {
			t.Errorf("notebooks/README.md does not list %s", name)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > 1<<20 {
			t.Errorf("%s: %d bytes, more than a mebibyte", name, len(text))
		}
		var notebook struct {
			Cells []struct {
				Kind    string   `json:"cell_type"`
				Source  []string `json:"source"`
				Count   *int     `json:"execution_count"`
				Outputs []struct {
					Kind string `json:"output_type"`
					Text []string
					Data map[string]any
				}
			}
		}
		if err := json.Unmarshal(text, &notebook); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		run := 0
		for _, cell := range notebook.Cells {
			for _, to := range link.FindAllStringSubmatch(strings.Join(cell.Source, ""), -1) {
				if _, err := os.Stat(filepath.Join(home, to[1])); cell.Kind == "markdown" && err != nil {
					t.Errorf("%s: a link to %s, which is not there", name, to[1])
				}
			}
			if cell.Kind != "code" {
				continue
			}
			if run++; cell.Count == nil || *cell.Count != run {
				t.Errorf("%s: the outputs of code cell %d are not those of one run: notebooks/execute.py --write", name, run)
			}
			for _, o := range cell.Outputs {
				plain, _ := json.Marshal(o.Data["text/plain"])
				if said := strings.Join(o.Text, "") + string(plain); o.Kind == "error" || folder.MatchString(said) {
					t.Errorf("%s: code cell %d left %s %q", name, run, o.Kind, said)
				}
			}
		}
	}
}
