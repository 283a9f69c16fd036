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

// holdOptions has a command read its options, and not run.
func holdOptions(t *testing.T, line string) {
	t.Helper()
	c, args, err := newRoot(streams{}).Find(strings.Fields(line))
	if err == nil {
		err = c.ParseFlags(args)
	}
	if err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

// The commands of the README work as they stand there, in order, beside a copy
// of the example files. `go test ./...` is this test's own caller.
func TestReadmeCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("the README's commands take a while; not with -short")
	}
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := filepath.Abs("../../datasets/example")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(scriptFolder(t), "demo.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	ignored, err := os.ReadFile("../../.gitignore")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.CopyFS("datasets/example", os.DirFS(example)); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for i, block := range strings.Split(string(text), "```sh\n") {
		if i == 0 {
			continue
		}
		block, _, _ = strings.Cut(block, "```")
		for line := range strings.Lines(block) {
			line = strings.Replace(strings.TrimSpace(line), "go run ./cmd/ident", "ident", 1)
			args, ok := strings.CutPrefix(line, "ident ")
			if !ok {
				if line != "go test ./..." {
					t.Errorf("a command that nothing tests: %s", line)
				}
				continue
			}
			ran++
			if strings.HasPrefix(args, "demo") && !long.Set() && strings.Contains(string(script), "exec "+line+"\n") {
				continue // demo.txtar runs it
			}
			if !long.Set() && (strings.HasSuffix(line, "-o trial/models") || strings.HasSuffix(line, "-o trial/robust") || strings.HasPrefix(args, "plot ")) {
				holdOptions(t, args) // no later command reads them; fit-models, fit-estimators and hands.txtar run their like
				continue
			}
			var out, errs bytes.Buffer
			if code := run(context.Background(), strings.Fields(args), streams{out: &out, err: &errs}); code != exitDone {
				t.Errorf("%s: exit code %d\n%s\n%s", line, code, out.String(), errs.String())
			}
		}
	}
	if ran < 8 {
		t.Errorf("only %d commands found in the README", ran)
	}
	for _, f := range []string{"trial/result/report.html", "trial/result/result.json", "trial/identified.urdf"} {
		if _, err := os.Stat(f); err != nil {
			t.Error(err)
		}
	}
	// The checkout stays clean: files that the commands leave in it are ignored, in no folder of the project.
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "datasets" && !strings.Contains(string(ignored), "\n/"+e.Name()) {
			t.Errorf("the commands leave %s in the checkout, which .gitignore does not list", e.Name())
		}
	}
}
