package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeJSON prints one document.
func writeJSON(w io.Writer, doc any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}

// writeFile writes a file beside its place and renames it there, so that a
// failed command leaves what was there before.
func writeFile(path string, produce func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".ident-*")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err = produce(f); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	if err = f.Close(); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}

// writable tells why nothing can be written at path, whose folders may not exist
// yet.
func writable(path string) error {
	dir := filepath.Dir(filepath.Clean(path))
	for {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("cannot write %s: %s is not a folder", path, dir)
		}
		if err == nil {
			break
		}
		if up := filepath.Dir(dir); up != dir {
			dir = up
			continue
		}
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	trial, err := os.MkdirTemp(dir, ".ident-*")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w; choose another place with -o", path, err)
	}
	return os.Remove(trial)
}

// writeFolder fills a new folder and puts it at path. What was there before is
// replaced only when the folder is complete, and only when it was a result
// folder (or empty): nobody's other files are ever removed.
func writeFolder(path string, fill func(dir string) error) (err error) {
	path = filepath.Clean(path)
	if entries, e := os.ReadDir(path); e == nil && len(entries) > 0 {
		if _, e := os.Stat(filepath.Join(path, resultFile)); e != nil {
			return fmt.Errorf("%s exists and is not a result of ident; choose another folder with -o", path)
		}
	} else if e != nil && !os.IsNotExist(e) {
		return fmt.Errorf("cannot write %s: %w", path, e)
	}
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	dir, err := os.MkdirTemp(parent, ".ident-*")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	defer os.RemoveAll(dir)
	if err := fill(dir); err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	old := dir + ".old"
	if err := os.Rename(path, old); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("cannot replace %s: %w", path, err)
	}
	if err := os.Rename(dir, path); err != nil {
		if back := os.Rename(old, path); back != nil && !os.IsNotExist(back) {
			return fmt.Errorf("cannot write %s: %w; the earlier result is in %s", path, err, old)
		}
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	if err := os.RemoveAll(old); err != nil {
		return fmt.Errorf("cannot remove %s: %w", old, err)
	}
	return nil
}

// noteTo prints a line for the user beside the results.
func (s streams) note(format string, args ...any) { fmt.Fprintf(s.err, "note: "+format+"\n", args...) }

func (s streams) warn(format string, args ...any) {
	fmt.Fprintf(s.err, "warning: "+format+"\n", args...)
}
