//go:build unix

package format_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ident/robot"
	"ident/robot/format"
)

// A pipe that nobody writes to must not be waited for.
func TestIncludedPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.xacro"), 0o666); err != nil {
		t.Skip(err)
	}
	if _, err := format.Open(filepath.Join(dir, "pipe.xacro"), robot.ReadOptions{}); err == nil || !strings.Contains(err.Error(), "a pipe") {
		t.Errorf("itself: %v", err)
	}
	yaml := `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="p" value="${load_yaml('pipe.xacro')}"/><link name="${p}"/></robot>`
	for name, text := range map[string]string{"include": including("pipe.xacro"), "load_yaml": yaml} {
		path := filepath.Join(dir, name+".urdf.xacro")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		answer := make(chan error, 1)
		go func() { _, err := format.Open(path, robot.ReadOptions{}); answer <- err }()
		select {
		case err := <-answer:
			if err == nil || !strings.Contains(err.Error(), "a pipe") {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%s: it waits for the pipe", name)
		}
	}
}
