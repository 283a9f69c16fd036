package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ident/internal/long"
)

var resultNames = []string{"plots/a.svg", "report.html", "result.json"}

func ownResult(string) ([]string, error) { return resultNames, nil }

// fillResult writes every file of a result with the same text.
func fillResult(text string) func(string) error {
	return func(stage string) error {
		for _, name := range resultNames {
			path := filepath.Join(stage, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				return err
			}
		}
		return nil
	}
}

func writeResult(t *testing.T, dir, text string) {
	t.Helper()
	if err := Folder(dir, ownResult, "result.json", true, fillResult(text)); err != nil {
		t.Fatal(err)
	}
}

// identity tells folders with one name apart.
func identity(t *testing.T, dir string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// exchanges skips where the file system of dir cannot exchange folders.
func exchanges(t *testing.T, dir string) {
	t.Helper()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, name := range []string{a, b} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if !exchangeable(a) || !exchange(a, b) {
		t.Skip("this file system does not exchange folders")
	}
}

// A reader that holds a folder open sees the files of one writer, whenever it looks: of a folder that
// is exchanged there is no state between.
func TestExchangeIsOneStep(t *testing.T) {
	top := t.TempDir()
	exchanges(t, top)
	dir := filepath.Join(top, "r")
	writeResult(t, dir, "first")
	done := make(chan error)
	go func() {
		var err error
		for k := 0; k < long.Of(60, 6) && err == nil; k++ {
			err = Folder(dir, ownResult, "result.json", false, fillResult(fmt.Sprint(k)))
		}
		done <- err
	}()
	looks := 0
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			if looks == 0 {
				t.Error("no look saw a whole folder")
			}
			return
		default:
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, name := range resultNames {
			text, err := root.ReadFile(name)
			if errors.Is(err, fs.ErrNotExist) {
				break // an earlier folder, which is being removed
			}
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(text))
		}
		root.Close()
		if len(texts) == len(resultNames) {
			looks++
			if texts[0] != texts[1] || texts[1] != texts[2] {
				t.Fatalf("files of several writers: %q", texts)
			}
		}
	}
}

// A folder with a file of the user's, one that is some process's working folder and one with links stay the same
// folders; the others are exchanged, with their permissions, and no earlier folder is left.
func TestExchangedOnlyWhereOwned(t *testing.T) {
	top := t.TempDir()
	exchanges(t, top)
	for _, c := range []struct {
		name    string
		prepare func(t *testing.T, dir string)
		same    bool
		also    []string
	}{
		{"owned", func(t *testing.T, dir string) {
			if err := os.Chmod(dir, 0o750); err != nil {
				t.Fatal(err)
			}
		}, false, nil},
		{"notes", func(t *testing.T, dir string) { put(t, filepath.Join(dir, "notes.md"), "mine") }, true, []string{"notes.md"}},
		{"empty folder", func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "mine"), 0o755); err != nil {
				t.Fatal(err)
			}
		}, true, nil},
		{"link", func(t *testing.T, dir string) {
			to := filepath.Join(filepath.Dir(dir), "elsewhere.html")
			put(t, to, "old")
			if err := errors.Join(os.Remove(filepath.Join(dir, "report.html")), os.Symlink(to, filepath.Join(dir, "report.html"))); err != nil {
				t.Fatal(err)
			}
		}, true, nil},
		{"working folder", func(t *testing.T, dir string) {
			c := exec.Command("sleep", "60")
			c.Dir = filepath.Join(dir, "plots")
			if err := c.Start(); err != nil {
				t.Skip("no program to start:", err)
			}
			t.Cleanup(func() { c.Process.Kill(); c.Wait() })
		}, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			within := t.TempDir()
			dir := filepath.Join(within, "r")
			writeResult(t, dir, "old")
			c.prepare(t, dir)
			before := identity(t, dir)
			writeResult(t, dir, "new")
			after := identity(t, dir)
			if os.SameFile(before, after) != c.same || before.Mode() != after.Mode() {
				t.Errorf("the same folder: %v, want %v; mode %v, before %v", !c.same, c.same, after.Mode(), before.Mode())
			}
			for _, name := range resultNames {
				if got := get(t, filepath.Join(dir, name)); got != "new" {
					t.Errorf("%s holds %q", name, got)
				}
			}
			want := append(append([]string(nil), c.also...), resultNames...)
			slices.Sort(want)
			if got, err := Files(dir); err != nil || !slices.Equal(got, want) {
				t.Errorf("files %v, want %v; %v", got, want, err)
			}
			if left, err := filepath.Glob(filepath.Join(within, ".ident-*")); err != nil || len(left) > 0 {
				t.Errorf("left: %v, %v", left, err)
			}
		})
	}
}

// A file that came into the earlier folder just before the exchange is moved into the new one.
func TestRescue(t *testing.T) {
	dir := t.TempDir()
	place, stage := filepath.Join(dir, "r"), filepath.Join(dir, ".ident-0123456789abcdef.tmp")
	put(t, filepath.Join(place, "result.json"), "new")
	put(t, filepath.Join(stage, "result.json"), "old")
	put(t, filepath.Join(stage, "mine", "notes.md"), "mine")
	if err := rescue(place, place, stage, resultNames); err != nil {
		t.Fatal(err)
	}
	if get(t, filepath.Join(place, "mine", "notes.md")) != "mine" || get(t, filepath.Join(place, "result.json")) != "new" {
		t.Error("the file was not moved, or one of the result's was")
	}
	for _, name := range []string{".kept", ".kept2"} { // the second finds the first's name taken
		if err := os.RemoveAll(stage); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(stage, "mine"), name) // a file where the new folder has a folder
		err := rescue(place, place, stage, resultNames)
		if err == nil || !strings.Contains(err.Error(), place+name+":") || get(t, filepath.Join(place+name, "mine")) != name {
			t.Errorf("a file that cannot be moved is not kept: %v", err)
		}
	}
}
