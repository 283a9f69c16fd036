package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"ident/internal/long"
)

var updatePages = flag.Bool("update-pages", false, "write the outputs of docs/generated-models.md and docs/loads.md again")

// The commands of these pages work in order with the files of the page, and print its outputs: "yaml" and "csv" blocks
// are files, named in their first line, "sh" blocks commands, and a "text" block is the output of the last command.
func TestDocPages(t *testing.T) {
	long.Only(t, "TestPageCommands holds the pages' options, and the scripts run these commands")
	for _, page := range []struct {
		name                     string
		commands, outputs, files int  // at least
		all                      bool // the output of every command is shown
	}{
		{"generated-models.md", 4, 4, 1, true},
		{"loads.md", 3, 1, 3, false},
		{"laboratory.md", 9, 0, 3, false},
		{"elastic.md", 4, 0, 1, false},
		{"summaries.md", 20, 0, 2, false},
		{"acceptance.md", 5, 0, 2, false},
		{"watch.md", 6, 0, 1, false},
		{"tool.md", 1, 0, 1, false},
		{"draws.md", 3, 0, 0, false},
	} {
		t.Run(page.name, func(t *testing.T) {
			ran, shown, files := runPage(t, "../../docs/"+page.name)
			if ran < page.commands || shown < page.outputs || files < page.files || page.all && shown != ran {
				t.Errorf("%d commands, %d outputs, %d files", ran, shown, files)
			}
		})
	}
}

// runPage counts the commands, outputs and files of a page.
func runPage(t *testing.T, page string) (ran, shown, files int) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	printed := ""
	blocks := strings.Split(string(text), "```")
	for i := 1; i < len(blocks); i += 2 {
		switch kind, body, _ := strings.Cut(blocks[i], "\n"); kind {
		case "yaml", "csv":
			name, rest, _ := strings.Cut(strings.TrimPrefix(body, "# "), "\n")
			files++
			if err := os.WriteFile(name, []byte(rest), 0o644); err != nil {
				t.Fatal(err)
			}
		case "sh":
			for line := range strings.Lines(body) {
				var out, errs bytes.Buffer
				if code := run(context.Background(), shellWords(strings.TrimSpace(line))[1:], streams{out: &out, err: &errs, data: &out}); code != exitDone {
					t.Fatalf("%s: %d\n%s%s", line, code, out.String(), errs.String())
				}
				printed = out.String()
				ran++
			}
		case "text":
			shown++
			if *updatePages {
				blocks[i] = "text\n" + printed
			} else if body != printed {
				t.Errorf("the page shows\n%s\nthe command prints\n%s", body, printed)
			}
		}
	}
	if *updatePages {
		t.Chdir(home)
		if err := os.WriteFile(page, []byte(strings.Join(blocks, "```")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return ran, shown, files
}
