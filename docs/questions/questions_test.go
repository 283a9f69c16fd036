package questions_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"ident/docs/questions"
)

func ExamplePages() {
	page := questions.Pages()[3]
	fmt.Println(page.Name, "-", page.Title)
	// Output: cut-off - Which cut-off frequency should I take?
}

// Every page is listed and has people's words, and these name pages that exist.
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
	for page := range asked {
		if _, err := os.Stat("../" + page + ".md"); err != nil {
			t.Errorf("asked.txt: %v", err)
		}
	}
}
