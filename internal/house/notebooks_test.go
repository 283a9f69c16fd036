package house

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The cells of the notebooks compile: a changed signature shows here, minutes before
// notebooks/run.sh would execute the cell.
func TestNotebooksBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the notebooks' plots; the full tests do")
	}
	home, err := filepath.Abs(filepath.Join("..", "..", "notebooks"))
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(home, "*.ipynb"))
	if err != nil || len(paths) < 3 {
		t.Fatalf("%d notebooks found, %v", len(paths), err)
	}
	dir := t.TempDir()
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".ipynb")
		program, err := assemble(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "main.go"), []byte(program), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// The module of a cell is made as the notebooks' own first cell makes it.
	for _, file := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(home, file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"mod", "edit", "-module=cells", "-require=ident/notebooks@v0.0.0",
			"-replace=ident/notebooks=" + home, "-replace=ident=" + filepath.Dir(home)},
		{"vet", "-unreachable", "./..."}, // checks types as a compiler does, and links nothing
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args[0], err, out)
		}
	}
}

// assemble returns a program with all cells of a notebook: in a cell, lines before "%%"
// are declarations, lines after it are the body of a program of the cell's own. Compiler messages name notebook and cell.
func assemble(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	var notebook struct {
		Cells []struct {
			Kind   string `json:"cell_type"`
			ID     string
			Source []string
		}
	}
	if err := json.Unmarshal(text, &notebook); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	var out, main strings.Builder
	out.WriteString("package main\n\n")
	for _, cell := range notebook.Cells {
		source := strings.Join(cell.Source, "")
		if cell.Kind != "code" || strings.HasPrefix(source, "!") || strings.HasPrefix(source, "%env") {
			continue
		}
		position := fmt.Sprintf("//line %s.%s:", filepath.Base(path), cell.ID)
		declarations, body, program := strings.Cut("\n"+source, "\n%%\n")
		fmt.Fprintf(&out, "%s1\n%s\n", position, strings.TrimPrefix(declarations, "\n"))
		if program {
			name := strings.ReplaceAll(cell.ID, "-", "")
			first := strings.Count(declarations, "\n") + 2 // of the body, in the cell
			fmt.Fprintf(&out, "func %s() {\n%s%d\n%s\n}\n", name, position, first, body)
			fmt.Fprintf(&main, "\t%s()\n", name)
		}
	}
	fmt.Fprintf(&out, "func main() {\n%s}\n", main.String())
	return out.String(), nil
}
