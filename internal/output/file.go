package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file that is being written. Commit puts it in its place, Abort leaves the place as it was.
type File struct {
	*os.File
	path string // the place, links followed
	kind kind
	done bool
}

// kind is how a place is written.
type kind int

const (
	beside   kind = iota // a regular file, written beside its place
	into                 // a special file, written into
	standard             // standard output or error, written into and left open
)

// Create begins to write the file at path.
func Create(path string) (*File, error) {
	if f := standardStream(path); f != nil {
		return &File{File: f, path: path, kind: standard}, nil
	}
	place, err := follow(path)
	if err != nil {
		return nil, cannot(path, err)
	}
	info, err := os.Stat(place)
	switch {
	case err != nil: // a new file
	case info.IsDir():
		return nil, cannot(path, errors.New("it is a folder"))
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(place, os.O_WRONLY, 0)
		if err != nil {
			return nil, cannot(path, err)
		}
		return &File{File: f, path: place, kind: into}, nil
	}
	RemoveStale(filepath.Dir(place))
	f, err := createTemp(filepath.Dir(place))
	if err != nil {
		return nil, cannot(path, err)
	}
	file := &File{File: f, path: place, kind: beside}
	if info != nil {
		if err := f.Chmod(info.Mode().Perm()); err != nil {
			return nil, errors.Join(cannot(path, err), file.Abort())
		}
	}
	return file, nil
}

// Commit closes the file and renames it to its final name.
func (f *File) Commit() error {
	if f.done {
		panic("output: Commit of a file that is done with")
	}
	if f.kind == standard {
		f.done = true
		return nil
	}
	name := f.Name()
	defer hold(f.File)() // until it has its name, other writers would take it for stale
	if err := f.Close(); err != nil {
		return errors.Join(cannot(f.path, err), f.Abort())
	}
	f.done = true
	if f.kind == into {
		return nil
	}
	if err := os.Rename(name, f.path); err != nil {
		return errors.Join(cannot(f.path, err), os.Remove(name))
	}
	return nil
}

// Abort removes the temporary file, so the place stays as it was; after Commit it does
// nothing.
func (f *File) Abort() error {
	if f.done {
		return nil
	}
	f.done = true
	if f.kind == standard {
		return nil
	}
	f.Close() // closed already where Commit failed
	if f.kind == into {
		return nil
	}
	return os.Remove(f.Name())
}

// Write writes the file at path; where produce fails, or panics, the place stays as it was.
func Write(path string, produce func(io.Writer) error) (err error) {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Abort()) }()
	if err := produce(f); err != nil {
		return err
	}
	return f.Commit()
}

// standardStream returns the stream that path names, or nil. Opened by its name a redirected stream would
// begin at the start of its file again, and overwrite the text that the command has printed.
func standardStream(path string) *os.File {
	switch path {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return os.Stdout
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return os.Stderr
	}
	return nil
}

// maxLinks is the length of a chain of symbolic links beyond which it is taken for a circle; Linux has
// the same limit.
const maxLinks = 40

// follow resolves the symbolic links that path ends in, to a name that is none or that does not exist.
func follow(path string) (string, error) {
	for range maxLinks {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil // a name that cannot be looked up cannot be made either, and that error says more
		}
		if special, err := os.Stat(path); err == nil && !special.Mode().IsRegular() && !special.IsDir() {
			return path, nil // links below /proc lead to names that cannot be opened, such as "pipe:[123]"
		}
		next, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(path), next)
		}
		path = next
	}
	return "", fmt.Errorf("more than %d symbolic links lead on from it", maxLinks)
}

// CheckWritable returns an error if nothing can be written at path, whose folders may not exist yet. Call it before long work.
func CheckWritable(path string) error {
	place, err := follow(filepath.Clean(path))
	if err != nil {
		return cannot(path, err)
	}
	dir := place
	if info, err := os.Stat(place); err != nil || !info.IsDir() {
		if err == nil && !info.Mode().IsRegular() {
			return nil // the open will tell
		}
		dir = filepath.Dir(place)
	}
	for {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return cannot(path, fmt.Errorf("%s is not a folder", dir))
		}
		if err == nil {
			break
		}
		if up := filepath.Dir(dir); up != dir {
			dir = up
			continue
		}
		return cannot(path, err)
	}
	f, err := createTemp(dir)
	if err != nil {
		return cannot(path, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
