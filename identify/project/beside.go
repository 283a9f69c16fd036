package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Beside returns the path of the project file in the folder of the first of the files that has one, or "".
func Beside(files ...string) string {
	for _, f := range files {
		if f == "" {
			continue
		}
		path := filepath.Join(filepath.Dir(f), File)
		if info, err := os.Stat(path); err == nil && !info.IsDir() || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return path
		}
	}
	return ""
}
