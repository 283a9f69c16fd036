// Package foreign runs generated source text in its own language, for tests: it
// writes a program around the functions of a unit, compiles it where that has to
// be done, and returns the results.
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

// tools are the commands of each language.
var tools = map[string][]string{
	"c": {"gcc", "cc"}, "cpp": {"g++", "c++"}, "go": {"go"}, "python": {"/usr/bin/python3", "python3"}, "matlab": {"octave-cli", "octave"},
	"fortran": {"gfortran"}, "julia": {"julia"},
}

// Tool returns the command of a language; where it is not installed it skips the
// test and names the command.
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
// vectors for program k, and the result's element [k][s] holds its outputs at
// state s, one after the other, row by row.
func Run(t testing.TB, language string, u source.Unit, states [][][]float64) [][][]float64 {
	t.Helper()
	return RunAll(t, language, []source.Unit{u}, [][][][]float64{states})[0]
}

// RunAll is Run for several units of different names, at the cost of one start.
func RunAll(t testing.TB, language string, units []source.Unit, states [][][][]float64) [][][][]float64 {
	t.Helper()
	tool := Tool(t, language)
	dir := t.TempDir()
	var sources []string
	for _, u := range units {
		files, err := source.Write(t.Context(), language, u)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			path := f.Name
			if language == "go" {
				path = filepath.Join(u.Name, f.Name)
			}
			put(t, filepath.Join(dir, path), f.Text)
			if strings.HasSuffix(path, ".c") || strings.HasSuffix(path, ".f90") {
				sources = append(sources, path)
			}
		}
	}
	driver, args := driverOf(t, language)
	put(t, filepath.Join(dir, driver), drive(language, units, states))
	switch language {
	case "c":
		run(t, dir, tool, append([]string{"-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O0", "-o", "main", "main.c"}, append(sources, "-lm")...)...)
		tool = filepath.Join(dir, "main")
	case "cpp":
		run(t, dir, tool, "-std=c++11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O0", "-o", "main", "main.cpp")
		tool = filepath.Join(dir, "main")
	case "fortran":
		run(t, dir, tool, append([]string{"-std=f2008", "-Wall", "-Wno-unused-dummy-argument", "-Wno-compare-reals", "-Werror", "-O0", "-o", "main"}, append(sources, "main_.f90")...)...)
		tool = filepath.Join(dir, "main")
	case "go":
		put(t, filepath.Join(dir, "go.mod"), []byte("module foreign\n\ngo 1.26\n"))
	}
	numbers := newPrinted(t, run(t, dir, tool, args...))
	values := make([][][][]float64, len(units))
	for i, u := range units {
		values[i] = numbers.of(t, u, states[i])
	}
	numbers.end(t)
	return values
}

// driverOf names the program around the functions, and how it is run.
func driverOf(t testing.TB, language string) (file string, args []string) {
	t.Helper()
	switch language {
	case "c":
		return "main.c", nil
	case "cpp":
		return "main.cpp", nil
	case "go":
		return "main.go", []string{"run", "-gcflags=-N -l", "."}
	case "python":
		return "main_.py", []string{"main_.py"}
	case "matlab":
		return "main_.m", []string{"--norc", "--no-gui", "--quiet", "main_.m"}
	case "fortran":
		return "main_.f90", nil
	case "julia":
		return "main_.jl", []string{"--startup-file=no", "main_.jl"}
	}
	t.Fatalf("foreign: no language %q", language)
	return "", nil
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

// printed is the output of a driver: one number per line; units, programs, states
// and outputs in order.
type printed struct {
	lines *bufio.Scanner
	all   []byte
}

func newPrinted(t testing.TB, out []byte) *printed {
	t.Helper()
	return &printed{bufio.NewScanner(bytes.NewReader(out)), out}
}

func (n *printed) next(t testing.TB) float64 {
	t.Helper()
	if !n.lines.Scan() {
		t.Fatalf("the program printed too little:\n%.2000s", n.all)
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(n.lines.Text()), 64)
	if err != nil {
		t.Fatalf("the program printed %q where a number was expected", n.lines.Text())
	}
	return x
}

func (n *printed) of(t testing.TB, u source.Unit, states [][][]float64) [][][]float64 {
	t.Helper()
	values := make([][][]float64, len(u.Programs))
	for k, p := range u.Programs {
		for range states[k] {
			var v []float64
			for i := range p.Outputs {
				for range p.Outputs[i].Entries {
					v = append(v, n.next(t))
				}
			}
			values[k] = append(values[k], v)
		}
	}
	return values
}

func (n *printed) end(t testing.TB) {
	t.Helper()
	if n.lines.Scan() {
		t.Fatalf("the program printed too much: %q", n.lines.Text())
	}
}

// span is a vector argument or a scalar, as a range of a program's inputs.
type span struct {
	first, n int
	scalar   bool
}

func spans(p *symbolic.Program) []span {
	var list []span
	for i, in := range p.Inputs {
		scalar := in.Group == "" || in.Kind == symbolic.Geometry
		if !scalar && i > 0 && p.Inputs[i-1].Group == in.Group {
			list[len(list)-1].n++
			continue
		}
		list = append(list, span{i, 1, scalar})
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
