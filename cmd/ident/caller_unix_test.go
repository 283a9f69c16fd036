//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ident/internal/output"
)

// A command ends as by SIGTERM when the pipe of its caller ends, and removes the temporary folders that the caller left, but none
// that is locked. Standard input holds nothing for it.
func TestCaller(t *testing.T) {
	ident := program(t)
	dir, arm, _ := exampleFiles(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv(callerVariable, "stdin")
	locked, done, err := output.Scratch(temp)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	left := filepath.Join(temp, ".ident-0123456789abcdef.tmp")
	write(t, filepath.Join(left, "frame.npz"), "")

	start := func(args ...string) (cmd *exec.Cmd, caller *os.File, errs *bytes.Buffer) {
		in, caller, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		errs = new(bytes.Buffer)
		cmd = exec.Command(ident, args...)
		cmd.Stdin, cmd.Stderr = in, errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		in.Close()
		return cmd, caller, errs
	}
	cmd, caller, errs := start("robot", "-")
	if code := exitCode(t, cmd.Wait()); code == 0 {
		t.Errorf("a robot from the pipe of the caller: %s", errs)
	}
	caller.Close()
	cmd, caller, errs = start("design-trajectory", arm, "--starts", "10000", "-o", filepath.Join(dir, "caller.json"), "-q")
	caller.Close()
	if code := exitCode(t, cmd.Wait()); code != 143 {
		t.Errorf("exit code %d after the end of the caller: %s", code, errs)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("what the caller left is still there: %v", err)
	}
	if _, err := os.Stat(locked); err != nil {
		t.Error(err)
	}
}
