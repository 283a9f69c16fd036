package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ident/cmd/ident/internal/help"
)

// The topic "findings" explains exactly the ids that packages doctor and tool declare, and each picture belongs to one.
func TestFindingsAreExplained(t *testing.T) {
	topic, _ := help.Find("findings")
	var explained []string
	for _, e := range help.Entries(topic) {
		explained = append(explained, e.ID)
		if e.What == "" || e.Cause == "" || e.Cure == "" {
			t.Errorf("%s: %+v", e.ID, e)
		}
	}
	declared := findingIDs(t)
	if len(declared) < 40 {
		t.Errorf("%d ids found in the source", len(declared))
	}
	for _, id := range declared {
		if !slices.Contains(explained, id) {
			t.Errorf("cmd/ident/internal/help/topics/findings.txt does not explain %s", id)
		}
	}
	for _, id := range explained {
		if !slices.Contains(declared, id) {
			t.Errorf("%s is explained and is no finding", id)
		}
	}
	if !slices.IsSorted(explained) {
		t.Errorf("out of order: %v", explained)
	}
	for id := range findingShapes() {
		if !slices.Contains(explained, id) {
			t.Errorf("a picture of %s", id)
		}
	}
}

// findingIDs reads the ids of findings out of the source of packages doctor and tool: their exported constants that are words, but for
// severities and kinds of channels.
func findingIDs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../doctor/*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "../../tool/findings.go")
	var ids []string
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				v := spec.(*ast.ValueSpec)
				if v.Type != nil || len(v.Values) != 1 || !v.Names[0].IsExported() || strings.HasPrefix(v.Names[0].Name, "Kind") {
					continue
				}
				if text, ok := v.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
					id, err := strconv.Unquote(text.Value)
					if err != nil {
						t.Fatal(err)
					}
					ids = append(ids, id)
				}
			}
		}
	}
	return ids
}

// Every page of the reference has a title, its links and pictures lead to pages of the reference or of docs, and no page is left
// out of the index.
func TestReferencePages(t *testing.T) {
	pages := referencePages(newRoot(streams{}))
	link := regexp.MustCompile(`\]\(([^)#]+)\)`)
	listed := map[string]bool{"index.md": true}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if strings.HasSuffix(name, ".svg") {
			continue
		}
		if !strings.HasPrefix(pages[name], "# ") {
			t.Errorf("%s has no title", name)
		}
		for _, m := range link.FindAllStringSubmatch(pages[name], -1) {
			listed[m[1]] = true
			if doc, ok := strings.CutPrefix(m[1], "../"); ok {
				if found, _ := filepath.Glob("../../docs/" + doc); len(found) != 1 {
					t.Errorf("%s: no page %s", name, m[1])
				}
			} else if pages[m[1]] == "" {
				t.Errorf("%s: no page %s", name, m[1])
			}
		}
	}
	for name := range pages {
		if !listed[name] {
			t.Errorf("nothing leads to %s", name)
		}
	}
}
