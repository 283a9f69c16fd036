package codegen

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ident/internal/foreign"
	"ident/internal/long"
	"ident/internal/testrobot"
	"ident/robot"
	"ident/symbolic"
)

// cmake returns the tool, or skips the test where it is not installed.
func cmake(t testing.TB) string {
	t.Helper()
	long.Only(t, "configures and compiles for seconds")
	foreign.Tool(t, "c")
	path, err := exec.LookPath("cmake")
	if err != nil {
		t.Skip("cmake is not installed (Debian: apt-get install cmake)")
	}
	return path
}

// The CMake file of batch kernels builds them within another project, which finds their header and links them by name.
func TestCMakeLibrary(t *testing.T) {
	long.Only(t, "TestBatchPython compiles and runs such kernels")
	tool := cmake(t)
	r := testrobot.FourBar(1, 0.35, 0.9, 0.7, 0.4, 1.1)
	assemble(t, r)
	p := build(t, InverseDynamics, r, Options{})
	dir := t.TempDir()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.CopyFS(filepath.Join(dir, "kernels"), os.DirFS(batchOf(t, "arm", p))))
	at := func(i, s int) float64 {
		v := math.Sin(float64(3*i + s))
		if p.Inputs[i].Group == "q" {
			return assembled(t, r)[p.Inputs[i].Index] + 0.02*v
		}
		return v
	}
	const n = 11
	driver := batchDriver("arm", []*symbolic.Program{p}, n, func(_, i, s int) float64 { return at(i, s) })
	must(os.WriteFile(filepath.Join(dir, "main.c"), []byte(driver), 0o666))
	must(os.WriteFile(filepath.Join(dir, "CMakeLists.txt"), []byte("cmake_minimum_required(VERSION 3.18)\nproject(user C)\nadd_subdirectory(kernels)\nadd_executable(user main.c)\ntarget_link_libraries(user PRIVATE arm_batch)\n"), 0o666))
	command(t, dir, tool, "-S", ".", "-B", "out", "-DCMAKE_BUILD_TYPE=Release")
	command(t, dir, tool, "--build", "out")
	lines := strings.Fields(command(t, dir, filepath.Join(dir, "out", "user")))
	if len(lines) != n {
		t.Fatalf("%d values for %d samples", len(lines), n)
	}
	for s, line := range lines {
		v, err := strconv.ParseFloat(line, 64)
		must(err)
		in := make([]float64, len(p.Inputs))
		for i, x := range p.Inputs {
			in[i] = at(i, s)
			if x.Kind != symbolic.Motion {
				in[i] = at(i, 0)
			}
		}
		compare(t, "torque", []float64{v}, p.Eval(in)[0])
	}
}

// assembled are the driven joints' positions at a closed robot's assembly.
func assembled(t testing.TB, r *robot.Robot) []float64 {
	m, err := newMaker(r, Options{}, false)
	if err != nil {
		t.Fatal(err)
	}
	return m.closed.at
}

// It builds the module of Python as well, where its headers are.
func TestCMakePython(t *testing.T) {
	long.Only(t, "TestCMakeLibrary builds by CMake, TestBatchPython the module")
	tool := cmake(t)
	python := foreign.Tool(t, "python")
	include := strings.TrimSpace(command(t, ".", python, "-c", "import sysconfig; print(sysconfig.get_paths()['include'])"))
	if _, err := os.Stat(filepath.Join(include, "Python.h")); err != nil {
		t.Skipf("no headers of Python: %v", err)
	}
	dir := batchOf(t, "arm", build(t, InverseDynamics, general(2), Options{}))
	command(t, dir, tool, "-B", "out", "-DCMAKE_BUILD_TYPE=Release", "-DARM_BATCH_PYTHON=ON", "-DPython_EXECUTABLE="+python)
	command(t, dir, tool, "--build", "out")
	if got := command(t, filepath.Join(dir, "out"), python, "-c", "import arm_batch; print(callable(arm_batch.inverse_dynamics))"); strings.TrimSpace(got) != "True" {
		t.Errorf("the module has %q", got)
	}
}
