package output

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// tempName returns a name for a temporary file or folder in dir.
func tempName(dir string) string {
	return filepath.Join(dir, fmt.Sprintf(".ident-%016x.tmp", rand.Uint64()))
}

// tempPattern matches the names that tempName gives, and no others.
const tempPattern = ".ident-[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]" +
	"[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f].tmp"

// IsTemp reports whether name, without a folder, is that of a temporary file or folder of this package.
func IsTemp(name string) bool {
	ok, err := filepath.Match(tempPattern, name)
	return ok && err == nil
}

// createTemp makes a temporary file in dir and locks it for as long as it is open, with the permissions
// of any new file.
func createTemp(dir string) (*os.File, error) {
	for {
		f, err := os.OpenFile(tempName(dir), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil || !lock(f) || named(f) {
			return f, err
		}
		f.Close()
	}
}

// createTempDir makes a temporary folder in dir, locked for as long as the file that is returned is open.
// The file is nil where there are no locks: there, an open folder often cannot be renamed either.
func createTempDir(dir string) (string, *os.File, error) {
	for {
		name := tempName(dir)
		err := os.Mkdir(name, 0o755)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", nil, err
		}
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // another writer took it for stale before it was locked
		}
		if err != nil {
			return "", nil, err
		}
		if !lock(f) {
			return name, nil, f.Close()
		}
		if named(f) {
			return name, f, nil
		}
		f.Close()
	}
}

// Scratch makes a folder of the user's own for temporary files in dir, the system's for "", and removes those that killed
// programs left there. done removes it.
func Scratch(dir string) (name string, done func(), err error) {
	if dir == "" {
		dir = os.TempDir()
	}
	RemoveStale(dir)
	name, locked, err := createTempDir(dir)
	if err != nil {
		return "", nil, err
	}
	done = func() {
		os.RemoveAll(name)
		if locked != nil {
			locked.Close()
		}
	}
	if err := os.Chmod(name, 0o700); err != nil {
		done()
		return "", nil, err
	}
	return name, done, nil
}

// named reports whether a locked temporary file or folder still has its name: between its making and its
// lock another writer may have taken it for stale.
func named(f *os.File) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(mine, now)
}

// RemoveStale removes the temporary files and folders in dir whose writers are gone. Failures are
// ignored: stale files harm no later write.
func RemoveStale(dir string) {
	names, err := filepath.Glob(filepath.Join(escapeGlob(dir), tempPattern))
	if err != nil {
		return
	}
	for _, name := range names {
		if info, err := os.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink != 0 {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		if tryLock(f) {
			os.RemoveAll(name)
		}
		f.Close()
	}
}

// escapeGlob quotes the characters of a path that a pattern would read as its own.
func escapeGlob(path string) string {
	var out []rune
	for _, r := range path {
		switch r {
		case '*', '?', '[', '\\':
			if os.PathSeparator != '\\' {
				out = append(out, '\\')
			}
		}
		out = append(out, r)
	}
	return string(out)
}
