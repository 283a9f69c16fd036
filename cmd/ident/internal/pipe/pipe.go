// Package pipe puts standard input and output in the place of files that commands read more than once, or write and
// rename.
package pipe

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// stdinName is the name of the log of standard input, in rows and in results.
const stdinName = "stdin"

// ErrTwice is standard input in the place of two logs.
var ErrTwice = errors.New("- is standard input, which holds one log")

// Input puts a file with the content of standard input in the place of "-" among the logs of a command: logs are
// read more than once. The format is told by the first bytes, and text is CSV. done removes the file.
func Input(in io.Reader, args []string) (paths []string, done func(), err error) {
	at := slices.Index(args, "-")
	if at < 0 {
		return args, func() {}, nil
	}
	if slices.Contains(args[at+1:], "-") {
		return nil, nil, ErrTwice
	}
	dir, err := os.MkdirTemp("", "ident-stdin-")
	if err != nil {
		return nil, nil, fmt.Errorf("cannot keep standard input: %w", err)
	}
	done = func() { _ = os.RemoveAll(dir) }
	path, err := spool(in, dir)
	if err != nil {
		done()
		return nil, nil, fmt.Errorf("reading standard input: %w", err)
	}
	paths = slices.Clone(args)
	paths[at] = path
	return paths, done, nil
}

// spool writes a stream to a file whose extension says the format; a motion may be JSON.
func spool(in io.Reader, dir string) (string, error) {
	head := make([]byte, 8)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", err
	}
	head = head[:n]
	ext := ".csv"
	for _, f := range []struct{ ext, magic string }{{".parquet", "PAR1"}, {".arrow", "ARROW1"}, {".mcap", "\x89MCAP"}, {".csv.gz", "\x1f\x8b"},
		{".csv.zst", "\x28\xb5\x2f\xfd"}, {".bag", "#ROSBAG"}, {".npz", "PK\x03\x04"}, {".json", "{"}} {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			ext = f.ext
		}
	}
	path := filepath.Join(dir, stdinName+ext)
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, io.MultiReader(bytes.NewReader(head), in))
	return path, errors.Join(err, f.Close())
}

// Output calls write with the path to write to, that of a temporary CSV file for "-", which then goes to standard
// output.
func Output(w io.Writer, path string, write func(path string) error) error {
	if path != "-" {
		return write(path)
	}
	dir, err := os.MkdirTemp("", "ident-stdout-")
	if err != nil {
		return fmt.Errorf("cannot write to standard output: %w", err)
	}
	defer os.RemoveAll(dir)
	path = filepath.Join(dir, "stdout.csv")
	if err := write(path); err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := io.Copy(w, f); err != nil {
		return fmt.Errorf("cannot write to standard output: %w", err)
	}
	return nil
}
