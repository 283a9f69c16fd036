package output

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"ident/internal/long"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// A failed writer leaves the earlier file and nothing else.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	put(t, path, "old")
	broken := errors.New("broken")
	err := Write(path, func(w io.Writer) error { io.WriteString(w, "half"); return broken })
	if !errors.Is(err, broken) || get(t, path) != "old" {
		t.Errorf("%v, %q", err, get(t, path))
	}
	if left, _ := Files(dir); !slices.Equal(left, []string{"x"}) {
		t.Errorf("left behind: %v", left)
	}
}

// The permissions of a replaced file stay.
func TestWriteKeepsMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	put(t, path, "old")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, text("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// Links are followed to the file that they name, even to one that does not exist yet.
func TestWriteThroughLinks(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "data", "x"), "old")
	links := map[string]string{"one": "two", "two": filepath.Join("data", "x"), "fresh": filepath.Join("data", "y")}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	for _, name := range []string{"one", "fresh"} {
		if err := Write(filepath.Join(dir, name), text(name)); err != nil {
			t.Fatal(err)
		}
	}
	if x, y := get(t, filepath.Join(dir, "data", "x")), get(t, filepath.Join(dir, "data", "y")); x != "one" || y != "fresh" {
		t.Errorf("x %q, y %q", x, y)
	}
	for name, to := range links {
		if got, err := os.Readlink(filepath.Join(dir, name)); err != nil || got != to {
			t.Errorf("link %s: %q, %v", name, got, err)
		}
	}
	if err := os.Symlink("circle", filepath.Join(dir, "circle")); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "circle"), text("")); err == nil {
		t.Error("a circle of links was written")
	}
}

// A temporary file whose writer is gone is removed; that of a living one, and files with like names, stay.
func TestStale(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, ".ident-0123456789abcdef.tmp"), "of a killed command")
	put(t, filepath.Join(dir, ".ident-fedcba9876543210.tmp", "result.json"), "of a killed command")
	put(t, filepath.Join(dir, ".ident-notes.tmp"), "the user's")
	living, err := Create(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "b"), text("b")); err != nil {
		t.Fatal(err)
	}
	if err := living.Commit(); err != nil {
		t.Fatal(err)
	}
	if left, _ := Files(dir); !slices.Equal(left, []string{".ident-notes.tmp", "a", "b"}) {
		t.Errorf("left: %v", left)
	}
}

// Only owned files are replaced or removed, and none if one is in the way.
// A folder for temporary files is the user's alone, goes when its user is done, and is removed by the next where its
// user is gone.
func TestScratch(t *testing.T) {
	dir := t.TempDir()
	stale := filepath.Join(dir, ".ident-0123456789abcdef.tmp")
	if err := os.MkdirAll(filepath.Join(stale, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	one, done, err := Scratch(dir)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(one); err != nil || info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	_, other, err := Scratch(dir)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 2 {
		t.Errorf("%v, %v", all, err)
	}
	done()
	other()
	if all, err := os.ReadDir(dir); err != nil || len(all) != 0 {
		t.Errorf("left: %v, %v", all, err)
	}
}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	owned := func(string) ([]string, error) { return []string{"result.json", "plots/a.svg", "plots/b.svg"}, nil }
	fill := func(names ...string) func(string) error {
		return func(stage string) error {
			for _, n := range names {
				put(t, filepath.Join(stage, n), "new")
			}
			return nil
		}
	}
	for _, n := range []string{"result.json", "plots/a.svg", "plots/b.svg", "plots/mine.svg", "notes.md"} {
		put(t, filepath.Join(dir, n), "old")
	}
	err := Folder(dir, owned, "result.json", false, fill("result.json", "plots/a.svg", "plots/mine.svg"))
	if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "plots/mine.svg") || get(t, filepath.Join(dir, "plots/a.svg")) != "old" {
		t.Fatalf("a file in the way: %v", err)
	}
	if err := Folder(dir, owned, "result.json", false, fill("result.json", "plots/a.svg")); err != nil {
		t.Fatal(err)
	}
	want := []string{"notes.md", "plots/a.svg", "plots/mine.svg", "result.json"}
	if got, _ := Files(dir); !slices.Equal(got, want) || get(t, filepath.Join(dir, "result.json")) != "new" || get(t, filepath.Join(dir, "notes.md")) != "old" {
		t.Errorf("files %v", got)
	}
	outside := func(string) ([]string, error) { return []string{"../notes.md"}, nil }
	if err := Folder(dir, outside, "result.json", false, fill("result.json")); !errors.Is(err, ErrForeign) {
		t.Errorf("a list that names a file outside: %v", err)
	}
}

// Writers into one folder at once: one of them is last, and all files are of that one.
func TestFolderAtOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	names := []string{"a", "b", "result.json"}
	owned := func(string) ([]string, error) { return names, nil }
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range long.Of(20, 2) {
				err := Folder(dir, owned, "result.json", false, func(stage string) error {
					for _, n := range names {
						if err := os.WriteFile(filepath.Join(stage, n), []byte(fmt.Sprint(w)), 0o644); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	if got, _ := Files(dir); !slices.Equal(got, names) {
		t.Fatalf("files %v", got)
	}
	for _, n := range names[1:] {
		if get(t, filepath.Join(dir, n)) != get(t, filepath.Join(dir, names[0])) {
			t.Error("files of two writers")
		}
	}
}

// Writers of other files in the same folder at the same time do not take each other's files for stale.
func TestManyWriters(t *testing.T) {
	dir, each := t.TempDir(), long.Of(100, 10)
	var done sync.WaitGroup
	for w := range 8 {
		done.Go(func() {
			for i := range each {
				if err := Write(filepath.Join(dir, fmt.Sprintf("%d-%d", w, i)), func(to io.Writer) error {
					_, err := io.WriteString(to, "whole")
					return err
				}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	done.Wait()
	if all, err := os.ReadDir(dir); err != nil || len(all) != 8*each {
		t.Errorf("%d files of %d, %v", len(all), 8*each, err)
	}
}
