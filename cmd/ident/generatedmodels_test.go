package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"strings"
	"testing"
)

var updateModels = flag.Bool("update-models", false, "write the outputs of docs/generated-models.md again")

// The commands of docs/generated-models.md work in order with the files of the page, and print its outputs.
func TestGeneratedModelsPage(t *testing.T) {
	const page = "../../docs/generated-models.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	printed, ran, shown := "", 0, 0
	blocks := strings.Split(string(text), "```")
	for i := 1; i < len(blocks); i += 2 {
		switch kind, body, _ := strings.Cut(blocks[i], "\n"); kind {
		case "yaml":
			name, rest, _ := strings.Cut(strings.TrimPrefix(body, "# "), "\n")
			if err := os.WriteFile(name, []byte(rest), 0o644); err != nil {
				t.Fatal(err)
			}
		case "sh":
			var out, errs bytes.Buffer
			if code := run(context.Background(), strings.Fields(body)[1:], streams{out: &out, err: &errs, data: &out}); code != exitDone {
				t.Fatalf("%s: %d\n%s%s", body, code, out.String(), errs.String())
			}
			printed = out.String()
			ran++
		case "text":
			shown++
			if *updateModels {
				blocks[i] = "text\n" + printed
			} else if body != printed {
				t.Errorf("the page shows\n%s\nthe command prints\n%s", body, printed)
			}
		}
	}
	if ran < 4 || shown != ran {
		t.Errorf("%d commands, %d outputs", ran, shown)
	}
	if *updateModels {
		t.Chdir(home)
		if err := os.WriteFile(page, []byte(strings.Join(blocks, "```")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
