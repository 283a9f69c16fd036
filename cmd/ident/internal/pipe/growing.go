package pipe

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// errAnother is the error of a read between two files under one name.
var errAnother = errors.New("another file begins")

// Growing is a file that other programs write. It follows its name: where the file was renamed and another stands in its place, that one is read from its
// beginning once the first is at its end, and so is a file that was cut short. A name without a file is waited for.
type Growing struct {
	path string
	file *os.File
	at   int64
	next *os.File // to be read from the next call on
}

// Grow opens a file that grows.
func Grow(path string) (*Growing, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the log: %w", err)
	}
	return &Growing{path: path, file: file}, nil
}

// Read reads what was written since. At the end of the text it returns io.EOF, and more later.
func (g *Growing) Read(p []byte) (int, error) {
	if g.next != nil {
		g.file.Close()
		g.file, g.next, g.at = g.next, nil, 0
		return 0, errAnother
	}
	n, err := g.file.Read(p)
	if g.at += int64(n); n > 0 || err != io.EOF {
		return n, err
	}
	here, err := g.file.Stat()
	if err != nil {
		return 0, err
	}
	if here.Mode().IsRegular() && here.Size() < g.at { // cut short, as a log that is copied and emptied
		if _, err := g.file.Seek(0, io.SeekStart); err != nil {
			return 0, err
		}
		g.at = 0
		return 0, errAnother
	}
	named, err := os.Stat(g.path)
	if err != nil || os.SameFile(here, named) {
		return 0, io.EOF
	}
	if g.next, err = os.Open(g.path); err != nil {
		g.next = nil
		return 0, io.EOF
	}
	// Text that was written to the first file since it was read is read before the other begins.
	n, err = g.file.Read(p)
	g.at += int64(n)
	if err == io.EOF {
		err = nil
	}
	return n, err
}

// Close closes the file.
func (g *Growing) Close() error {
	if g.next != nil {
		g.next.Close()
	}
	return g.file.Close()
}
