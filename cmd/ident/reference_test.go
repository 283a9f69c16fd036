package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ident/cmd/ident/internal/help"
	"ident/internal/findingkind"
)

// The table of kinds has each finding that packages declare, once, and no kind contradicts itself. docs/doctor.md has a row of each.
func TestFindingsAnswer(t *testing.T) {
	all := findingkind.IDs(func(findingkind.Traits) bool { return true })
	files, err := filepath.Glob("../../doctor/*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := constants(t, append(files, "../../identify/project/internal/resonance/resonance.go", "../../observation/feet/gates.go")...)
	if got, want := slices.Sorted(slices.Values(all)), slices.Sorted(slices.Values(declared)); !slices.Equal(got, want) {
		t.Errorf("the table has\n%v, the packages declare\n%v", got, want)
	}
	if bad := findingkind.Contradictory(); len(bad) > 0 {
		t.Errorf("%v contradict themselves", bad)
	}
	page, err := os.ReadFile("../../docs/doctor.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range all {
		if !regexp.MustCompile(`(?m)^\| (.*[ ,])?` + id + `[ ,:(]`).Match(page) {
			t.Errorf("docs/doctor.md has no row of %s", id)
		}
	}
}

// The topic "findings" explains exactly the kinds of finding of logs and of wrist sensors, and each picture belongs to one.
func TestFindingsAreExplained(t *testing.T) {
	topic, _ := help.Find("findings")
	var explained []string
	for _, e := range help.Entries(topic) {
		explained = append(explained, e.ID)
		if e.What == "" || e.Cause == "" || e.Cure == "" {
			t.Errorf("%s: %+v", e.ID, e)
		}
	}
	ofTools := constants(t, "../../tool/findings.go")
	all := findingkind.IDs(func(findingkind.Traits) bool { return true })
	declared := append(slices.Clone(all), ofTools...)
	if len(ofTools) < 8 {
		t.Errorf("%d ids found in the source of package tool", len(ofTools))
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

// constants reads the ids of findings out of source files: their exported constants that are words, but for severities and kinds of channels.
func constants(t *testing.T, files ...string) []string {
	t.Helper()
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
