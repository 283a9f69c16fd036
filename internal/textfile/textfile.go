// Package textfile reads whole files of a bounded size.
package textfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Read reads a file of at most so many bytes. Devices and pipes state no size, and some never end: the bytes
// are counted as they come.
func Read(path string, most int) ([]byte, error) {
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
