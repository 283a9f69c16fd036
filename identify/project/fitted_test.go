package project

import (
	"os"
	"path/filepath"
	"testing"
)

// A result's robot has the meshes beside the file that was fitted, while that file is the same.
func TestFilesBeside(t *testing.T) {
	text, err := os.ReadFile("../../datasets/example/puma560.urdf")
	if err != nil {
		t.Fatal(err)
	}
	put := func(path string, text []byte) string {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	from, to := t.TempDir(), t.TempDir()
	given := &Settings{Robot: put(filepath.Join(from, "arm.urdf"), text)}
	put(filepath.Join(from, "link.stl"), []byte("mesh"))
	kept, err := FindRobot(&Settings{Robot: put(filepath.Join(to, "robot.urdf"), text)}, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Source.Files("link.stl"); err == nil {
		t.Fatal("the folder of the result has a mesh")
	}
	if got, err := filesBeside(kept, given)("link.stl"); err != nil || string(got) != "mesh" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := filesBeside(kept, given)("other.stl"); err == nil {
		t.Error("a mesh that is nowhere")
	}
	put(given.Robot, append(text, '\n'))
	if _, err := filesBeside(kept, given)("link.stl"); err == nil {
		t.Error("a mesh beside another robot file")
	}
}
