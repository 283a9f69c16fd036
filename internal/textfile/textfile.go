// Package textfile reads whole files of a bounded size.
package textfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNotRegular is wrapped by the errors of Read and Regular for a path that is not a regular file.
var ErrNotRegular = errors.New("it is no regular file")

// Read reads a regular file of at most so many bytes. Anything else is refused at once, such as a device, or a pipe,
// whose opening would wait for a writer. Use ReadStream where these are allowed.
func Read(path string, most int) ([]byte, error) {
	if err := Regular(path); errors.Is(err, ErrNotRegular) {
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	} else if err != nil {
		return nil, err
	}
	return ReadStream(path, most)
}

// ReadDocument reads a regular file of text as Read does, without the byte-order mark that some editors put before it.
func ReadDocument(path string, most int) ([]byte, error) {
	text, err := Read(path, most)
	return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), err
}

// Regular returns an error that wraps ErrNotRegular, without the path, for a path that is no regular file, and that of
// os.Stat for one that cannot be looked up. A reader that cannot read a stream must ask before it opens the path: to open a
// pipe is to wait for somebody who writes to it, and to end their writing.
func Regular(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%w but %s: copy what it gives into a file", ErrNotRegular, kind(info.Mode()))
	}
	return err
}

// kind names what a path is that is no regular file.
func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// ReadStream reads at most so many bytes of a file, a pipe or a device. Devices and pipes state no size, and some never
// end: the bytes are counted as they come.
func ReadStream(path string, most int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err == nil && len(text) > most {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it has more than %d MiB, which no such file has", most>>20)}
	}
	if err != nil {
		return nil, err
	}
	return text, nil
}
