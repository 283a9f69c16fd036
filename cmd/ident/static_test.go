package main

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"ident/internal/long"
)

// The binary that the README's line installs needs nothing of the machine that it runs on: it names no
// program interpreter and no shared library.
func TestStatic(t *testing.T) {
	long.Only(t, "it links the whole binary")
	if runtime.GOOS != "linux" {
		t.Skip("reads ELF files, the format of Linux")
	}
	path := filepath.Join(t.TempDir(), "ident")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the binary names a program interpreter")
		}
	}
	if libs, err := f.ImportedLibraries(); err == nil && len(libs) > 0 {
		t.Errorf("the binary needs %v", libs)
	}
}
