package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"
)

var updateLoads = flag.Bool("update-loads", false, "write the outputs of docs/loads.md again")

// The commands of docs/loads.md work in order with the files of the page, and print its outputs.
func TestLoadsPage(t *testing.T) {
	const page = "../../docs/loads.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	var printed string
	ran, shown, files := 0, 0, 0
	blocks := strings.Split(string(text), "```")
	for i := 1; i < len(blocks); i += 2 {
		kind, body, _ := strings.Cut(blocks[i], "\n")
		switch kind {
		case "yaml", "csv":
			name, rest, _ := strings.Cut(strings.TrimPrefix(body, "# "), "\n")
			files++
			if err := os.WriteFile(name, []byte(rest), 0o644); err != nil {
				t.Fatal(err)
			}
		case "sh":
			for line := range strings.Lines(body) {
				var out, errs bytes.Buffer
				if code := run(context.Background(), strings.Fields(line)[1:], streams{out: &out, err: &errs, data: &out}); code != exitDone {
					t.Fatalf("%s: %d\n%s%s", line, code, out.String(), errs.String())
				}
				printed = out.String()
				ran++
			}
		case "text":
			shown++
			if *updateLoads {
				blocks[i] = "text\n" + printed
			} else if body != printed {
				t.Errorf("the page shows\n%s\nthe command prints\n%s", body, printed)
			}
		}
	}
	if ran < 3 || shown == 0 || files < 3 {
		t.Errorf("%d commands, %d outputs, %d files", ran, shown, files)
	}
	if *updateLoads {
		t.Chdir(home)
		if err := os.WriteFile(page, []byte(strings.Join(blocks, "```")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
