package output

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Made are the folders that MakeFolder has made, the innermost first.
type Made []string

// MakeFolder makes a folder and those above it that are missing. Remove takes them away again.
func MakeFolder(path string) (Made, error) {
	var made Made
	for dir := filepath.Clean(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || filepath.Dir(dir) == dir {
			break
		}
		made = append(made, dir)
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		made.Remove()
		return nil, err
	}
	return made, nil
}

// Remove removes the folders that are empty still: a command that fails leaves none behind.
func (m Made) Remove() {
	for _, dir := range m {
		if os.Remove(dir) != nil {
			return
		}
	}
}

// WriteFiles writes text(i) as the file names[i] of a folder, which is made where it is missing. Every file is claimed before
// any is written: see [Claim]. A failure takes away the files and the folders that were not there before.
func WriteFiles(dir string, names []string, text func(i int) []byte, overwrite bool) (failed error) {
	made, err := MakeFolder(dir)
	if err != nil {
		return fmt.Errorf("cannot make the folder: %w", err)
	}
	var fresh []string
	defer func() {
		if failed != nil {
			for _, path := range fresh {
				os.Remove(path)
			}
			made.Remove()
		}
	}()
	for _, name := range names {
		if err := Claim(filepath.Join(dir, name), overwrite); err != nil {
			return err
		}
	}
	for i, name := range names {
		path := filepath.Join(dir, name)
		_, missing := os.Lstat(path)
		if err := Write(path, func(w io.Writer) error { _, err := w.Write(text(i)); return err }); err != nil {
			return err
		}
		if missing != nil {
			fresh = append(fresh, path)
		}
	}
	return nil
}
