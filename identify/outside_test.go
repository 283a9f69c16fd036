package identify_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ident/internal/long"
)

// program is the shortest embedding: ten lines of main at most.
const program = `package main

import (
	"context"
	"log"
	"os"

	"ident/identify"
	"ident/report"
)

func main() {
	p, err := identify.Open("arm.urdf", "log.parquet")
	if err != nil {
		log.Fatal(err)
	}
	fit, err := p.Fit(context.Background(), identify.FitOptions{})
	if err != nil {
		log.Fatal(err)
	}
	report.Text(os.Stdout, fit.Result, 0)
}
`

// TestOutsideModule builds and runs that program from a module of its own, which finds
// this one by a replace directive, as docs/library.md says.
func TestOutsideModule(t *testing.T) {
	long.Only(t, "the Examples of this package are the same program inside the module")
	body := program[strings.Index(program, "main() {\n")+len("main() {\n") : strings.LastIndex(program, "}")]
	if n := strings.Count(body, "\n"); n > 10 {
		t.Errorf("the program has %d lines", n)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := exampleFiles()
	defer os.RemoveAll(dir)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"main.go": program,
		"go.mod":  "module example.com/lab\n\ngo 1.26.0\n\nrequire ident v0.0.0\n\nreplace ident => " + root + "\n",
		"go.sum":  string(sums),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// The Example runs a fit as this program does; here it is compiled, and with IDENT_LONG linked and run.
	args := []string{"vet", "-mod=mod", "."}
	if long.Set() {
		args[0] = "run"
	}
	run := exec.Command("go", args...)
	run.Dir = dir
	run.Env = append(os.Environ(), "GOWORK=off")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if long.Set() && !strings.Contains(string(out), "58 base parameters") {
		t.Errorf("the program printed\n%s", out)
	}
}

// The page about the library prints that program.
func TestProgramOfLibraryPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "library.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```go\n"+program+"```\n") {
		t.Error("docs/library.md has another program")
	}
}
