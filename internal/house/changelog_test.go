package house

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// A release's section of the changelog has a list "### Breaking" of at most ten lines, by which a reader finds what breaks him, and one
// line a change. The releases up to 0.4.0 are as they were.
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := regexp.MustCompile(`(?m)^## `).Split(string(text), -1)[1:]
	if len(sections) < 3 {
		t.Fatalf("%d sections found", len(sections))
	}
	for _, s := range sections {
		name, body, _ := strings.Cut(s, "\n")
		if name == "0.4.0" {
			break
		}
		breaking, in := 0, false
		for _, line := range strings.Split(body, "\n") {
			switch {
			case strings.HasPrefix(line, "### "):
				in = line == "### Breaking"
			case strings.HasPrefix(line, "- "):
				if in {
					breaking++
				}
			case line != "" && name != "Unreleased":
				t.Errorf("%s: a change takes more than one line: %q", name, line)
			}
		}
		if breaking > 10 {
			t.Errorf("%s: the list Breaking has %d lines, more than ten", name, breaking)
		}
		if !strings.Contains(body, "### Breaking\n") {
			t.Errorf("%s has no list ### Breaking", name)
		}
	}
}
