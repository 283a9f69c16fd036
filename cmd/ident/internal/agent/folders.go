package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Folders are the places whose files a client may name, with all links resolved. A relative path begins in the first.
type Folders []string

// NewFolders resolves the links of folders that exist.
func NewFolders(paths []string) (Folders, error) {
	var out Folders
	for _, path := range paths {
		at, err := filepath.Abs(path)
		if err == nil {
			at, err = filepath.EvalSymlinks(at)
		}
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(at)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("%s is not a folder: name the folder that holds the files", path)
		}
		out = append(out, at)
	}
	return out, nil
}

// errOutside is the error of a path that leads out of the folders.
var errOutside = errors.New("is outside of the folders that ident mcp was given")

// Resolve returns the place of an existing file or folder, with all links resolved.
func (f Folders) Resolve(path string) (string, error) {
	at, err := filepath.EvalSymlinks(f.absolute(path))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := f.ResolveNew(path); err != nil {
			return "", err // what is outside is not told to be missing
		}
		return "", fmt.Errorf("%s: there is no such file", Clean(path))
	}
	if err != nil || !f.hold(at) {
		return "", fmt.Errorf("%s %w", Clean(path), errOutside)
	}
	return at, nil
}

// ResolveNew returns the place of a file that may not exist yet: the links of the folders above it are resolved, and
// its last part is no link.
func (f Folders) ResolveNew(path string) (string, error) {
	at := f.absolute(path)
	above, rest := at, ""
	for {
		info, err := os.Lstat(above)
		if err == nil && (rest != "" || info.Mode()&fs.ModeSymlink == 0) {
			break
		}
		if err == nil {
			return "", fmt.Errorf("%s is a link: name the file that it leads to", Clean(path))
		}
		parent := filepath.Dir(above)
		if parent == above {
			break
		}
		above, rest = parent, filepath.Join(filepath.Base(above), rest)
	}
	above, err := filepath.EvalSymlinks(above)
	if err != nil || !f.hold(filepath.Join(above, rest)) {
		return "", fmt.Errorf("%s %w", Clean(path), errOutside)
	}
	return filepath.Join(above, rest), nil
}

func (f Folders) absolute(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(f[0], path)
}

// hold reports whether a resolved path is one of the folders or below one.
func (f Folders) hold(path string) bool {
	for _, folder := range f {
		if rel, err := filepath.Rel(folder, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}
