package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ident/internal/long"
)

// The commands of docs/troubleshooting.md work in order beside copies of the example files, and a command that checks
// a log has the finding of its entry.
func TestTroubleshooting(t *testing.T) {
	long.Only(t, "TestPageCommands holds the options, and TestJourneys follows what is proposed")
	text, err := os.ReadFile("../../docs/troubleshooting.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := filepath.Abs("../../datasets/example")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.CopyFS(".", os.DirFS(example)); err != nil {
		t.Fatal(err)
	}
	finding := regexp.MustCompile("Finding\\s`([a-z-]+)`")
	ran, found := 0, 0
	for entry := range strings.SplitSeq(string(text), "\n**") {
		said, commands, ok := strings.Cut(entry, "```sh\n")
		if !ok {
			continue
		}
		commands, _, _ = strings.Cut(commands, "```")
		want := exitDone
		if strings.Contains(said, "(exit code 3)") {
			want = exitVerdict
		}
		var id string
		if m := finding.FindStringSubmatch(said); m != nil {
			id = m[1]
		}
		first := true // check
		for line := range strings.Lines(commands) {
			ran++
			if !long.Set() && (strings.Contains(line, "-o smooth") || strings.Contains(line, "-o dropped") || strings.Contains(line, " possible")) {
				holdOptions(t, strings.TrimPrefix(line, "ident ")) // the README has the same fit of feasible bodies, and no later command reads the others
				continue
			}
			var out, errs bytes.Buffer
			if code := run(context.Background(), strings.Fields(line)[1:], streams{out: &out, err: &errs}); code != want {
				t.Errorf("%s: exit code %d, want %d\n%s%s", line, code, want, out.String(), errs.String())
			}
			if strings.HasPrefix(line, "ident check") && id != "" {
				if got := strings.Contains(out.String(), id+" "); got != first {
					t.Errorf("%s: %s is found: %t\n%s", line, id, got, out.String())
				}
				first = false
				found++
			}
		}
	}
	if ran < 15 || found < 5 {
		t.Errorf("%d commands, %d findings", ran, found)
	}
	table, err := os.ReadFile(filepath.Join(example, "../../docs/doctor.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range finding.FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(string(table), "| "+m[1]) && !strings.Contains(string(table), ", "+m[1]) {
			t.Errorf("docs/doctor.md has no finding %s", m[1])
		}
	}
}
