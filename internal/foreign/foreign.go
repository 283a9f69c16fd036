// Package foreign runs generated source text in its own language, for tests: it
// writes a program around the functions of a unit, compiles it where that has to
// be done, and returns what they computed.
package foreign

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ident/codegen/source"
	"ident/symbolic"
)

// tools are what each language needs.
var tools = map[string][]string{
	"c": {"gcc", "cc"}, "go": {"go"}, "python": {"/usr/bin/python3", "python3"}, "matlab": {"octave-cli", "octave"},
	"fortran": {"gfortran"}, "julia": {"julia"},
}

// Tool returns the command of a language, and skips the test, saying what is
// missing, where there is none.
func Tool(t testing.TB, language string) string {
	t.Helper()
	for _, name := range tools[language] {
		path, err := exec.LookPath(name)
		if err != nil || language == "python" && exec.Command(path, "-c", "import numpy").Run() != nil {
			continue
		}
		return path
	}
	t.Skipf("%s: none of %s is installed", language, strings.Join(tools[language], ", "))
	return ""
}

// Run evaluates every program of a unit in a language: states[k] are the input
// vectors for program k, and the result's element [k][s] is what it gave for the
// state s, all outputs one after the other, row by row.
func Run(t testing.TB, language string, u source.Unit, states [][][]float64) [][][]float64 {
	t.Helper()
	tool := Tool(t, language)
	dir := t.TempDir()
	files, err := source.Write(language, u)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		if language == "go" {
			path = filepath.Join(dir, u.Name, f.Name)
		}
		put(t, path, f.Text)
	}
	var out []byte
	switch language {
	case "c":
		put(t, filepath.Join(dir, "main.c"), driveC(u, states))
		run(t, dir, tool, "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O0", "-o", "main", "main.c", u.Name+".c", "-lm")
		out = run(t, dir, filepath.Join(dir, "main"))
	case "go":
		put(t, filepath.Join(dir, "go.mod"), []byte("module foreign\n\ngo 1.26\n"))
		put(t, filepath.Join(dir, "main.go"), driveGo(u, states))
		out = run(t, dir, tool, "run", ".")
	case "python":
		put(t, filepath.Join(dir, "main.py"), drivePython(u, states))
		out = run(t, dir, tool, "main.py")
	case "matlab":
		put(t, filepath.Join(dir, "main_.m"), driveMatlab(u, states))
		out = run(t, dir, tool, "--norc", "--no-gui", "--quiet", "main_.m")
	case "fortran":
		put(t, filepath.Join(dir, "main.f90"), driveFortran(u, states))
		run(t, dir, tool, "-std=f2008", "-Wall", "-Wno-unused-dummy-argument", "-Wno-compare-reals", "-Werror", "-O0", "-o", "main", u.Name+".f90", "main.f90")
		out = run(t, dir, filepath.Join(dir, "main"))
	case "julia":
		put(t, filepath.Join(dir, "main.jl"), driveJulia(u, states))
		out = run(t, dir, tool, "--startup-file=no", "main.jl")
	default:
		t.Fatalf("foreign: no language %q", language)
	}
	return parse(t, out, u, states)
}

func put(t testing.TB, path string, text []byte) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, text, 0o666)); err != nil {
		t.Fatal(err)
	}
}

func run(t testing.TB, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s\n%.4000s", filepath.Base(name), strings.Join(args, " "), err, &stderr, out)
	}
	return out
}

// parse reads what the drivers print: one number a line, programs, states and
// outputs in order.
func parse(t testing.TB, out []byte, u source.Unit, states [][][]float64) [][][]float64 {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(out))
	next := func() float64 {
		if !lines.Scan() {
			t.Fatalf("the program printed too little:\n%.2000s", out)
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(lines.Text()), 64)
		if err != nil {
			t.Fatalf("the program printed %q where a number was expected", lines.Text())
		}
		return x
	}
	values := make([][][]float64, len(u.Programs))
	for k, p := range u.Programs {
		for range states[k] {
			var v []float64
			for i := range p.Outputs {
				for range p.Outputs[i].Entries {
					v = append(v, next())
				}
			}
			values[k] = append(values[k], v)
		}
	}
	if lines.Scan() {
		t.Fatalf("the program printed too much: %q", lines.Text())
	}
	return values
}

// span is a vector argument or a scalar, as a range of a program's inputs.
type span struct {
	first, n int
	scalar   bool
}

func spans(p *symbolic.Program) []span {
	var list []span
	for i, in := range p.Inputs {
		if in.Group != "" && i > 0 && p.Inputs[i-1].Group == in.Group {
			list[len(list)-1].n++
			continue
		}
		list = append(list, span{i, 1, in.Group == ""})
	}
	return list
}

func numbers(x []float64) string {
	parts := make([]string, len(x))
	for i, v := range x {
		parts[i] = strconv.FormatFloat(v, 'e', -1, 64)
	}
	return strings.Join(parts, ", ")
}

func exported(name string) string {
	var b strings.Builder
	for _, part := range strings.Split(name, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

func flat(p *symbolic.Program, format func(output int) string, join string) string {
	parts := make([]string, len(p.Outputs))
	for i := range p.Outputs {
		parts[i] = format(i)
	}
	return strings.Join(parts, join)
}

func writef(b *bytes.Buffer, format string, args ...any) { fmt.Fprintf(b, format, args...) }
