package project_test

import (
	"os"
	"regexp"
	"testing"

	"ident/identify/project"
)

// TestVersion requires that results state the version of the first section of the CHANGELOG that has a number. A section without
// one, Unreleased, may stand before it.
func TestVersion(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	first := regexp.MustCompile(`(?m)^## (\d\S*)$`).FindSubmatch(text)
	if first == nil {
		t.Fatal("CHANGELOG.md has no section")
	}
	if got := string(first[1]); got != project.Version {
		t.Fatalf("first section of CHANGELOG.md is %s, project.Version %s", got, project.Version)
	}
}
