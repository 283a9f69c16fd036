package output

import (
	"os"
	"path/filepath"
)

// Replaces reports whether a file written at out would replace the regular file in, or one in the folder in.
func Replaces(out, in string) bool {
	at, err := os.Stat(out)
	if err != nil || !at.Mode().IsRegular() {
		return false
	}
	info, err := os.Stat(in)
	if err != nil {
		return false
	}
	if !info.IsDir() {
		return os.SameFile(at, info)
	}
	names, err := Files(in)
	if err != nil {
		return false
	}
	for _, name := range names {
		if file, err := os.Stat(filepath.Join(in, filepath.FromSlash(name))); err == nil && os.SameFile(at, file) {
			return true
		}
	}
	return false
}
