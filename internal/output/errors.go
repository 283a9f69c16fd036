package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// Error is about a file or a folder that cannot be written, by the name that the caller gave it: names of
// temporary files mean nothing to its user.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("cannot write %s: %v", e.Path, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// cannot returns an Error without the name of the file that the system was asked for.
func cannot(path string, err error) error {
	var of *fs.PathError
	var from *os.LinkError
	switch {
	case errors.As(err, &of):
		err = of.Err
	case errors.As(err, &from):
		err = from.Err
	}
	return &Error{path, err}
}

// staged is an error of filling a temporary folder, told of the folder that it was to become.
type staged struct {
	err         error
	stage, path string
}

func (e *staged) Error() string { return strings.ReplaceAll(e.err.Error(), e.stage, e.path) }

func (e *staged) Unwrap() error { return e.err }

// Write and the other methods that write name the place of the file in their errors.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	return n, f.renamed(err)
}

// WriteString is Write of a text.
func (f *File) WriteString(text string) (int, error) { return f.Write([]byte(text)) }

// WriteAt writes at an offset.
func (f *File) WriteAt(p []byte, at int64) (int, error) {
	n, err := f.File.WriteAt(p, at)
	return n, f.renamed(err)
}

// ReadFrom writes everything of r.
func (f *File) ReadFrom(r io.Reader) (int64, error) {
	n, err := f.File.ReadFrom(r)
	return n, f.renamed(err)
}

func (f *File) renamed(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) && of.Path == f.Name() {
		return &fs.PathError{Op: of.Op, Path: f.path, Err: of.Err}
	}
	return err
}
