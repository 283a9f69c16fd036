package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/internal/long"
)

// The commands of each question and tutorial of docs, and those that write the reports of the web site, work in order beside copies of the example files. An ordinary run
// has every third page, and of the others the options alone.
func TestQuestions(t *testing.T) {
	long.Only(t, "TestPageCommands holds the pages' options, and the scripts run these commands")
	var pages []string
	for _, folder := range []string{"questions", "tutorials"} {
		found, err := filepath.Glob("../../docs/" + folder + "/*.md")
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	pages = append(pages, "../../docs/report.md")
	example, err := filepath.Abs("../../datasets/example")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for i, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.CopyFS(".", os.DirFS(example)); err != nil {
				t.Fatal(err)
			}
			for _, line := range shellLines(string(text)) {
				args, ok := strings.CutPrefix(line, "ident ")
				if !ok {
					t.Errorf("a command that nothing tests: %s", line)
					continue
				}
				ran++
				// The demonstration runs for the page that goes on with its files.
				again := strings.HasPrefix(args, "demo") && filepath.Base(page) != "demo.md"
				if again && !long.All() || i%3 != 0 && !long.Set() {
					holdOptions(t, args)
					continue
				}
				var out, errs bytes.Buffer
				if code := run(context.Background(), shellWords(args), streams{out: &out, err: &errs}); code != exitDone {
					t.Errorf("%s: exit code %d\n%s%s", line, code, out.String(), errs.String())
				}
			}
		})
	}
	if ran < 20 {
		t.Errorf("only %d commands found", ran)
	}
}

// shellLines returns the lines of the blocks that a page marks as sh.
func shellLines(page string) []string {
	var lines []string
	for i, block := range strings.Split(page, "```sh\n") {
		if i == 0 {
			continue
		}
		block, _, _ = strings.Cut(block, "```")
		for line := range strings.Lines(block) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}
