package questions_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/docs/questions"
)

func ExamplePages() {
	page := questions.Pages()[3]
	fmt.Println(page.Name, "-", page.Title)
	// Output: cut-off - Which cut-off frequency should I take?
}

// Every answer is listed, it and every page of the manual have people's words and a place on the web site, and these name pages that exist.
func TestPages(t *testing.T) {
	asked := questions.Asked()
	listed := map[string]bool{"README": true}
	for _, p := range questions.Pages() {
		listed[p.Name] = true
		if asked["questions/"+p.Name] == "" {
			t.Errorf("nobody asks for %s in asked.txt", p.Name)
		}
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".md"); ok && !listed[name] {
			t.Errorf("README.md does not list %s", f.Name())
		}
	}
	manual, err := filepath.Glob("../*.md")
	if err != nil || len(manual) < 30 {
		t.Fatal(manual, err)
	}
	site, err := os.ReadFile("../.vitepress/config.mts")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range manual {
		if page := strings.TrimSuffix(filepath.Base(file), ".md"); !strings.Contains(string(site), "'"+page+"'") && page != "README" {
			t.Errorf("docs/%s.md is in no list of .vitepress/config.mts, so that the web site cannot be built", page)
		}
		if page := strings.TrimSuffix(filepath.Base(file), ".md"); page != "README" && asked[page] == "" {
			t.Errorf("nobody asks for docs/%s.md in asked.txt, so that no search finds it", page)
		}
	}
	for page := range asked {
		if _, err := os.Stat("../" + page + ".md"); err != nil {
			t.Errorf("asked.txt: %v", err)
		}
	}
}
